import { describe, expect, it } from 'vitest';
import { configurationOf, extract, type Asked } from '../../test/support/extraction.ts';
import type { JsonObject, JsonValue } from './values/json-value.ts';

/** Pages of items with an id, by offset and limit. */
function pages(count: number, place: (items: readonly JsonValue[]) => JsonValue = (items) => [...items]) {
  return ({ path }: Asked): JsonValue => {
    const query = new URL(path, 'http://api/').searchParams;
    const from = Number(query.get('offset') ?? query.get('skip') ?? 0);
    const limit = Number(query.get('limit') ?? query.get('count') ?? count);
    const items = Array.from({ length: count }, (_, at) => ({ id: at + 1 })).slice(from, from + limit);
    return place(items);
  };
}

const offset = (more: JsonObject = {}): JsonObject => ({ pagination: { method: 'offset', limit: 2, ...more } });
const users: JsonObject = { jobs: [{ endpoint: 'users' }] };
const ids = (...all: readonly number[]): readonly (readonly string[])[] => [['id'], ...all.map((id) => [String(id)])];
const lines = (log: readonly string[], level: string): readonly string[] =>
  log.filter((line) => line.startsWith(`${level}: `)).map((line) => line.slice(level.length + 2));

describe('Offset pagination rules, as whole runs', () => {
  it('1: the first request uses offset 0 and the configured limit; the next one adds the page size', async () => {
    const { asked, tables } = await extract(configurationOf(offset({ limit: 20 }), users), pages(30));
    expect(asked).toEqual(['GET /users?limit=20&offset=0', 'GET /users?limit=20&offset=20']);
    expect(tables['users']).toHaveLength(31);
  });

  it('2: limitParam and offsetParam rename the parameters', async () => {
    const api = offset({ limitParam: 'count', offsetParam: 'skip' });
    const { asked, tables } = await extract(configurationOf(api, users), pages(3));
    expect(asked).toEqual(['GET /users?count=2&skip=0', 'GET /users?count=2&skip=2']);
    expect(tables).toEqual({ users: ids(1, 2, 3) });
  });

  it('3: a parameter of the job named like the limit overrides the configured one for that job alone', async () => {
    const config = { jobs: [{ endpoint: 'users', params: { limit: 3 } }, { endpoint: 'orders' }] };
    const { asked } = await extract(configurationOf(offset(), config), pages(2));
    expect(asked).toEqual([
      'GET /users?limit=3&offset=0',
      'GET /orders?limit=2&offset=0',
      'GET /orders?limit=2&offset=2',
    ]);
  });

  it('4: a parameter of the job named like the offset sets the start with offsetFromJob alone', async () => {
    const config = { jobs: [{ endpoint: 'users', params: { offset: 3 } }] };
    const without = await extract(configurationOf(offset(), config), pages(5));
    expect(without.asked.map((line) => line.replace('GET /users?', ''))).toEqual([
      'offset=0&limit=2',
      'offset=2&limit=2',
      'offset=4&limit=2',
    ]);
    const withIt = await extract(configurationOf(offset({ offsetFromJob: true }), config), pages(5));
    expect(withIt.asked).toEqual(['GET /users?offset=3&limit=2', 'GET /users?offset=5&limit=2']);
    expect(withIt.tables).toEqual({ users: ids(4, 5) });
  });

  it.each<[string, JsonObject, (items: readonly JsonValue[]) => JsonValue]>([
    ['found by itself', {}, (items) => ({ total: 4, items: [...items] })],
    ['given by dataField', { dataField: 'a.items' }, (items) => ({ other: [1, 2], a: { items: [...items] } })],
  ])('5: emptiness is that of the array %s, whatever else the answer holds', async (_title, job, place) => {
    const config = { jobs: [{ endpoint: 'users', ...job }] };
    const { asked, tables } = await extract(configurationOf(offset(), config), pages(2, place));
    expect(asked).toEqual(['GET /users?limit=2&offset=0', 'GET /users?limit=2&offset=2']);
    expect(tables).toEqual({ users: ids(1, 2) });
  });

  it('5: a page with fewer items than the limit is the last one', async () => {
    const { asked, log } = await extract(configurationOf(offset(), users), pages(3));
    expect(asked).toHaveLength(2);
    expect(lines(log, 'info')).toEqual([
      'Offset limit reached, stopping scrolling.',
      'The last page held 1 item, the limit is 2.',
      'Extractor finished successfully.',
    ]);
  });

  it('6: of four items with limit 2 the request at offset 4 is empty, and the last one', async () => {
    const { asked, tables } = await extract(configurationOf(offset(), users), pages(4));
    expect(asked).toEqual([0, 2, 4].map((at) => `GET /users?limit=2&offset=${at}`));
    expect(tables).toEqual({ users: ids(1, 2, 3, 4) });
  });

  it('1.6: POST and FORM have the pages in their bodies, as integers in JSON', async () => {
    const config = {
      jobs: [
        { endpoint: 'users', method: 'post', params: { q: 'a b&c' } },
        { endpoint: 'orders', method: 'FORM', params: { q: 'a b&c' } },
      ],
    };
    const { asked, requests } = await extract(configurationOf(offset(), config), () => [1]);
    expect(asked).toEqual([
      'POST /users {"q":"a b&c","limit":2,"offset":0}',
      'POST /orders q=a+b%26c&limit=2&offset=0',
    ]);
    expect(requests.map(({ headers }) => headers['content-type'])).toEqual([
      'application/json',
      'application/x-www-form-urlencoded',
    ]);
  });

  it('1.2: what the endpoint has in its query keeps its place there and takes the value of the page', async () => {
    const config = { jobs: [{ endpoint: 'users?a=1&limit=7&b=2' }] };
    const { asked, tables } = await extract(configurationOf(offset(), config), pages(1));
    expect(asked).toEqual(['GET /users?a=1&limit=2&b=2&offset=0']);
    expect(Object.keys(tables)).toEqual(['users_a_1_limit_7_b_2']);
  });

  it.each<[JsonValue, string]>([
    [0, "Missing 'pagination.limit' attribute required for offset pagination"],
    [-1, "Missing 'pagination.limit' attribute required for offset pagination"],
    ['', "Missing 'pagination.limit' attribute required for offset pagination"],
    ['foo', `Parameter 'pagination.limit' is not numeric. Value '"foo"'.`],
    [[5], `Parameter 'pagination.limit' is not numeric. Value '[5]'.`],
  ])('1.6: the limit %j is refused before anything is asked for', async (limit, text) => {
    const { asked, failure } = await extract(configurationOf(offset({ limit }), users), pages(1));
    expect(failure).toBe(text);
    expect(asked).toEqual([]);
  });
});

/** What the answers of an example are, by what is asked. */
const byPath =
  (answers: Readonly<Record<string, JsonValue>>) =>
  ({ path }: Asked): JsonValue | undefined =>
    answers[path];

const page = (from: number): JsonValue => [{ id: from }, { id: from + 1 }];

describe('the examples of offset pagination', () => {
  it('041: the third answer is the same as the second', async () => {
    const { asked, tables, log } = await extract(configurationOf(offset({ limit: '2' }), users), [
      page(1),
      page(3),
      page(3),
    ]);
    expect(asked).toHaveLength(3);
    expect(tables).toEqual({ users: ids(1, 2, 3, 4) });
    expect(
      lines(log, 'debug').some((line) =>
        /^Job '[0-9a-f]{32}' finished when last response matched the previous!$/.test(line),
      ),
    ).toBe(true);
  });

  it('042: the third page repeats the first, and the fourth the third', async () => {
    const { asked, tables } = await extract(configurationOf(offset(), users), [page(1), page(3), page(1), page(1)]);
    expect(asked.at(-1)).toBe('GET /users?limit=2&offset=6');
    expect(tables).toEqual({ users: ids(1, 2, 3, 4, 1, 2) });
  });

  it('043: the third page is empty', async () => {
    const { asked, tables } = await extract(configurationOf(offset(), users), [page(1), page(3), []]);
    expect([asked.length, tables]).toEqual([3, { users: ids(1, 2, 3, 4) }]);
  });

  it('044: the third page is empty within', async () => {
    const config = { jobs: [{ endpoint: 'users', dataField: 'results.users.items' }] };
    const within = (items: JsonValue): JsonValue => ({ results: { users: { items } } });
    const run = await extract(configurationOf(offset(), config), [within(page(1)), within(page(3)), within([])]);
    expect([run.asked.length, run.tables]).toEqual([3, { users: ids(1, 2, 3, 4) }]);
    expect(lines(run.log, 'warning')).toEqual([
      "dataField 'results.users.items' contains no data! Expected a non-empty array.",
    ]);
    expect(run.log).toContain("debug: No data returned in 'users'");
  });

  it.each<[string, JsonObject, readonly JsonObject[]]>([
    ['045: hasMore is false', { field: 'hasMore', stopOn: false }, [{ hasMore: true }, { hasMore: false }]],
    ['046: hasMore is "no"', { field: 'hasMore', stopOn: true, ifNotSet: false }, [{}, { hasMore: 'no' }]],
    ['047: isLast is "yes"', { field: 'isLast', stopOn: true, ifNotSet: false }, [{ isLast: 0 }, { isLast: 'yes' }]],
  ])('%s', async (_title, nextPageFlag, flags) => {
    const answers = flags.map((flag, at) => ({ items: page(1 + 2 * at), ...flag }));
    const { asked, tables, log } = await extract(configurationOf(offset({ nextPageFlag }), users), answers);
    expect([asked.length, tables]).toEqual([2, { users: ids(1, 2, 3, 4) }]);
    expect(log.some((line) => line.startsWith('info: Stopping scrolling because '))).toBe(true);
  });

  it('048: two pages, and less than the volume', async () => {
    const api = offset({ forceStop: { pages: 2, volume: 69 } });
    const { asked, log } = await extract(configurationOf(api, users), [page(1), page(3), page(5)]);
    expect(asked).toHaveLength(2);
    expect(log).toContain('info: Force stopping: page limit reached (2 pages).');
  });

  it('049: count and skip', async () => {
    const api = offset({ limit: '2', limitParam: 'count', offsetParam: 'skip' });
    const config = { jobs: [{ endpoint: 'users', dataField: 'items' }] };
    const { asked, tables, log } = await extract(
      configurationOf(api, config),
      pages(4, (items) => ({ items: [...items] })),
    );
    expect(asked).toEqual([0, 2, 4].map((at) => `GET /users?count=2&skip=${at}`));
    expect(tables).toEqual({ users: ids(1, 2, 3, 4) });
    expect(lines(log, 'warning')).toHaveLength(1);
  });

  it('050: each job has its own count, and its own skip with offsetFromJob', async () => {
    const api = offset({ limit: '20', limitParam: 'count', offsetParam: 'skip', offsetFromJob: true });
    const jobs = [
      { endpoint: 'users', params: { count: 5, skip: 2 } },
      { endpoint: 'orders', params: { count: 10 } },
    ];
    const { asked } = await extract(configurationOf(api, { jobs }), [page(1), [1, 2, 3]]);
    expect(asked).toEqual(['GET /users?count=5&skip=2', 'GET /orders?count=10&skip=0']);
  });

  it('062: a scroller for each job', async () => {
    const scrollers = { o: { method: 'offset', limit: '2' }, p: { method: 'pagenum' } };
    const api = { pagination: { method: 'multiple', default: 'o', scrollers } };
    const jobs = [{ endpoint: 'users' }, { endpoint: 'search', scroller: 'p' }];
    const { asked } = await extract(configurationOf(api, { jobs }), [page(1), [{ id: 3 }], [1], [2], []]);
    expect(asked).toEqual([
      'GET /users?limit=2&offset=0',
      'GET /users?limit=2&offset=2',
      'GET /search?page=1',
      'GET /search?page=2',
      'GET /search?page=3',
    ]);
  });

  it('116: the limit of pages is one of each job', async () => {
    const jobs = [{ endpoint: 'users' }, { endpoint: 'accounts' }];
    const { asked } = await extract(configurationOf(offset({ forceStop: { pages: 2 } }), { jobs }), [
      page(1),
      page(3),
      page(5),
      page(7),
    ]);
    expect(asked).toEqual(
      ['users', 'accounts'].flatMap((name) => [0, 2].map((at) => `GET /${name}?limit=2&offset=${at}`)),
    );
  });

  it('126: the answer says how many items there are', async () => {
    const api = offset({ limitParam: 'count', offsetParam: 'skip', limitStop: { field: 'scroller.count' } });
    const answers = [1, 3, 5].map((from) => ({ items: page(from), scroller: { count: 4 } }));
    const { asked, log } = await extract(configurationOf(api, users), answers);
    expect(asked).toHaveLength(2);
    expect(log).toContain('info: Limit reached, stopping scrolling. Current count: 4, limit: 4');
  });

  it.each<[string, JsonObject]>([
    ['139', { nextPageFlag: { field: 'hasMore', stopOn: false, ifNotSet: false } }],
    ['140', { forceStop: { pages: 3, volume: 300 } }],
  ])('%s: children run behind each page, before the next one', async (title, stop) => {
    const child = { endpoint: 'user/{user-id}', dataField: '.', placeholders: { 'user-id': 'id' } };
    const config = { jobs: [{ endpoint: 'users', dataField: 'items', children: [child] }] };
    const api = offset({ firstPageParams: false, ...stop });
    const answers: Record<string, JsonValue> = {
      '/users': { items: page(1), hasMore: true },
      '/users?limit=2&offset=2': { items: page(3), hasMore: true },
      '/users?limit=2&offset=4': { items: page(5), hasMore: false },
    };
    for (let id = 1; id <= 6; id += 1) answers[`/user/${id}`] = { id, name: `n${id}` };
    const { asked, tables, log } = await extract(configurationOf(api, config), byPath(answers));
    expect(asked.map((line) => line.replace('GET ', ''))).toEqual([
      '/users',
      '/user/1',
      '/user/2',
      '/users?limit=2&offset=2',
      '/user/3',
      '/user/4',
      '/users?limit=2&offset=4',
      '/user/5',
      '/user/6',
    ]);
    expect(tables['user_user-id']?.[0]).toEqual(['id', 'name', 'parent_id']);
    expect(tables['user_user-id']).toHaveLength(7);
    const told =
      title === '139'
        ? "info: Stopping scrolling because 'hasMore' is 'false'"
        : 'info: Force stopping: page limit reached (3 pages).';
    expect(log).toContain(told);
  });
});
