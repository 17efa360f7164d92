import { describe, expect, it } from 'vitest';
import { configurationOf, extract, type Asked } from '../../test/support/extraction.ts';
import type { JsonObject, JsonValue } from './values/json-value.ts';

const child = (more: JsonObject = {}): JsonObject => ({
  endpoint: 'user/{user-id}',
  dataField: '.',
  placeholders: { 'user-id': 'id' },
  ...more,
});
const parent = (...children: readonly JsonObject[]): JsonObject => ({ jobs: [{ endpoint: 'users', children }] });
const byPath =
  (answers: Readonly<Record<string, JsonValue>>) =>
  ({ path }: Asked): JsonValue =>
    answers[path] ?? { at: path };
const paths = (asked: readonly string[]): readonly string[] => asked.map((line) => line.split(' ')[1] ?? '');

describe('1.9: child jobs', () => {
  it('run for each item of the page, by the value at the path of a placeholder', async () => {
    const { asked, tables } = await extract(
      configurationOf({}, parent(child({ placeholders: { 'user-id': 'key.id' } }))),
      byPath({ '/users': [{ key: { id: 'a' } }, { key: { id: 'b' } }] }),
    );
    expect(paths(asked)).toEqual(['/users', '/user/a', '/user/b']);
    expect(tables['user_user-id']).toEqual([
      ['at', 'parent_key_id'],
      ['/user/a', 'a'],
      ['/user/b', 'b'],
    ]);
  });

  it('of several levels have the columns of all placeholders above', async () => {
    const order = {
      endpoint: 'user/{2:user-id}/order/{order-id}',
      placeholders: { 'order-id': 'oid', '2:user-id': 'id' },
      dataField: '.',
    };
    const orders = child({ endpoint: 'user/{user-id}/orders', dataField: 'list', children: [order] });
    const { asked, tables } = await extract(
      configurationOf({}, parent(orders)),
      byPath({ '/users': [{ id: 1 }], '/user/1/orders': { list: [{ oid: 7 }, { oid: 8 }] } }),
    );
    expect(paths(asked)).toEqual(['/users', '/user/1/orders', '/user/1/order/7', '/user/1/order/8']);
    expect(tables['user_2_user-id_order_order-id']).toEqual([
      ['at', 'parent_id', 'parent_oid'],
      ['/user/1/order/7', '1', '7'],
      ['/user/1/order/8', '1', '8'],
    ]);
  });

  it('an array is a run for each element, several are one for each combination', async () => {
    const both = child({ endpoint: '{a}-{b}', placeholders: { a: 'a', b: 'b' } });
    const { asked } = await extract(
      configurationOf({}, parent(both)),
      byPath({ '/users': [{ a: [1, 2], b: ['x', 'y'] }] }),
    );
    expect(paths(asked)).toEqual(['/users', '/1-x', '/1-y', '/2-x', '/2-y']);
  });

  it('a placeholder may have a function', async () => {
    const placeholder = { path: 'id', function: 'urlencode', args: [{ placeholder: 'value' }] };
    const { asked, tables } = await extract(
      configurationOf({}, parent(child({ placeholders: { 'user-id': placeholder } }))),
      byPath({ '/users': [{ id: 'a b/c' }] }),
    );
    expect(paths(asked)).toEqual(['/users', '/user/a+b%2Fc']);
    expect(tables['user_user-id']?.[1]?.[1]).toBe('a+b%2Fc');
  });

  it('run only for items that the filter takes', async () => {
    const { asked } = await extract(
      configurationOf({}, parent(child({ recursionFilter: 'id>1&type==a' }))),
      byPath({
        '/users': [
          { id: 1, type: 'a' },
          { id: 2, type: 'a' },
          { id: 3, type: 'b' },
        ],
      }),
    );
    expect(paths(asked)).toEqual(['/users', '/user/2']);
  });

  it('see the items as the response filter leaves them', async () => {
    const jobs = [{ endpoint: 'users', responseFilter: 'id', children: [child()] }];
    const { asked } = await extract(configurationOf({}, { jobs }), byPath({ '/users': [{ id: { a: 1 } }] }));
    expect(paths(asked)).toEqual(['/users', '/user/%7B%22a%22:1%7D']);
  });

  it('without placeholders run for none, with a warning; with those of a level above they run', async () => {
    const deeper = { endpoint: 'deep/{user-id}', dataField: '.' };
    const { asked, log } = await extract(
      configurationOf({}, parent(child({ placeholders: {} }), child({ children: [deeper] }))),
      byPath({ '/users': [{ id: 1 }] }),
    );
    expect(paths(asked)).toEqual(['/users', '/user/1', '/deep/1']);
    expect(log).toContain("warning: No 'placeholders' set for 'user/{user-id}'");
  });

  it.each<[string, JsonObject, string]>([
    ['no value', { uid: 'nope' }, 'No value found for uid in parent result. (level: 1)'],
    ['no level', { '3:uid': 'id' }, 'Level 3 not found in parent results! Maximum level: 1'],
    [
      'no path',
      { uid: { function: 'md5' } },
      "The path for placeholder 'uid' must be a string value or an object containing 'path' and 'function'.",
    ],
  ])('%s', async (_title, placeholders, text) => {
    const { failure } = await extract(configurationOf({}, parent(child({ placeholders }))), [[{ id: 1 }]]);
    expect(failure).toBe(text);
  });

  it('that would run without an end for one item are refused', async () => {
    const long = Array.from({ length: 400 }, (_, at) => at);
    const { failure } = await extract(configurationOf({}, parent(child({ placeholders: { a: 'a', b: 'b' } }))), [
      [{ a: long, b: long }],
    ]);
    expect(failure).toBe('The placeholders a, b make more than 100000 runs of one item.');
  });

  it('placeholders stand in the endpoint alone; params are evaluated as those of other jobs', async () => {
    const params = { a: '{user-id}', b: { attr: 'who' } };
    const config = { ...parent(child({ params })), who: 'me' };
    const { asked } = await extract(configurationOf({}, config), byPath({ '/users': [{ id: 1 }] }));
    expect(paths(asked)).toEqual(['/users', '/user/1?a=%7Buser-id%7D&b=me']);
  });

  it('076: an added column with the name of a field gets another, in all later tables, too; user data are those of the child', async () => {
    const tag = child({ endpoint: 'tag/{t}', placeholders: { t: 'parent_tag' }, userData: { own: 1 } });
    const jobs = [
      { endpoint: 'users', userData: { tag: 'u' }, children: [tag] },
      { endpoint: 'orders', userData: { tag: 'o' } },
    ];
    const { tables } = await extract(
      configurationOf({}, { jobs, userData: { all: 'x' } }),
      byPath({ '/users': [{ tag: 'own', parent_tag: 'p' }], '/orders': [{ id: 1 }] }),
    );
    expect(tables).toEqual({
      users: [
        ['tag', 'parent_tag', 'all', 'tag_u0'],
        ['own', 'p', 'x', 'u'],
      ],
      tag_t: [
        ['at', 'own', 'parent_tag'],
        ['/tag/p', '1', 'p'],
      ],
      orders: [
        ['id', 'all', 'tag_u0'],
        ['1', 'x', 'o'],
      ],
    });
  });

  it('two placeholders with the same path share a column, and the last one counts', async () => {
    const grand = { endpoint: 'g/{g}/{2:u}', placeholders: { g: 'id', '2:u': 'id' }, dataField: '.' };
    const { tables } = await extract(
      configurationOf({}, parent(child({ children: [grand] }))),
      byPath({ '/users': [{ id: 1 }], '/user/1': { id: 2 } }),
    );
    expect(tables['g_g_2_u']).toEqual([
      ['at', 'parent_id'],
      ['/g/2/1', '1'],
    ]);
  });

  it('1.7: a child has a scroller and conditions of its own, also each run of one made by an array', async () => {
    const list = child({ endpoint: 'u/{u}', placeholders: { u: 'ids' }, dataField: 'items' });
    const api = { pagination: { method: 'offset', limit: 1, forceStop: { pages: 2 } } };
    const { asked, log } = await extract(configurationOf(api, parent(list)), ({ path }) => {
      const offset = Number(new URL(path, 'http://api/').searchParams.get('offset'));
      return path.startsWith('/users') ? [{ ids: offset === 0 ? [1, 2] : [3] }] : { items: [{ path }] };
    });
    expect(paths(asked)).toEqual([
      '/users?limit=1&offset=0',
      ...[1, 2].flatMap((id) => [0, 1].map((offset) => `/u/${id}?limit=1&offset=${offset}`)),
      '/users?limit=1&offset=1',
      '/u/3?limit=1&offset=0',
      '/u/3?limit=1&offset=1',
    ]);
    expect(log.filter((line) => line.startsWith('info: Force stopping: page limit reached'))).toHaveLength(4);
  });

  it('E5: that their first page is short is warned of once', async () => {
    const { log } = await extract(
      configurationOf({ pagination: { method: 'offset', limit: 2 } }, parent(child())),
      ({ path }) => (path.startsWith('/users?limit=2&offset=0') ? [{ id: 1 }, { id: 2 }] : [{ id: 3 }]),
    );
    expect(log.filter((line) => line.startsWith('warning: Already the first page was short'))).toHaveLength(1);
  });

  it('of several children each one runs for all items before the next one', async () => {
    const other = child({ endpoint: 'other/{user-id}' });
    const { asked } = await extract(
      configurationOf({}, parent(child(), other)),
      byPath({ '/users': [{ id: 1 }, { id: 2 }] }),
    );
    expect(paths(asked)).toEqual(['/users', '/user/1', '/user/2', '/other/1', '/other/2']);
  });
});
