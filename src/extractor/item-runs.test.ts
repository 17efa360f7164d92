import { describe, expect, it } from 'vitest';
import { Answer, configurationOf, extract, type Replies } from '../../test/support/extraction.ts';
import type { JsonObject, JsonValue } from './values/json-value.ts';

/** Runs jobs with offset pagination, by pages of two items. */
async function run(jobs: readonly JsonObject[], replies: Replies, more: JsonObject = {}) {
  const api = { pagination: { method: 'offset', limit: 2, ...more } };
  const { asked, tables, log, failure } = await extract(configurationOf(api, { jobs }), replies);
  return {
    asked: asked.map((line) => line.replace('GET /', '')),
    tables,
    failure,
    warnings: log.filter((line) => line.startsWith('warning: ')),
    infos: log.filter((line) => line.startsWith('info: ')),
  };
}

const users = { endpoint: 'users' };
const page = (from: number): readonly JsonValue[] => [{ id: from }, { id: from + 1 }];

describe('1.5: what counts as the items of a page, as whole runs', () => {
  it('a null in the array counts for the size of the page, and alone it makes no row', async () => {
    const { asked, tables, failure } = await run([users], [[null], [{ id: 1 }], []], { limit: 1 });
    expect([failure, asked]).toEqual([undefined, [0, 1, 2].map((at) => `users?limit=1&offset=${at}`)]);
    expect(tables).toEqual({ users: [['id'], ['1']] });
  });

  it('an object at the path is one item, so that a limit of 1 goes on', async () => {
    const jobs = [{ ...users, dataField: 'x' }];
    const { asked, tables } = await run(jobs, [{ x: { id: 1 } }, { x: { id: 2 } }, { x: null }], { limit: 1 });
    expect(asked).toHaveLength(3);
    expect(tables).toEqual({ users: [['id'], ['1'], ['2']] });
  });

  it.each<[string, Answer]>([
    ['null', new Answer(200, 'null')],
    ['a number', new Answer(200, '5')],
    ['a text', new Answer(200, '"x"')],
  ])('with a path, an answer that is %s is a warning and no items', async (_title, answer) => {
    const { tables, failure, warnings } = await run([{ ...users, dataField: 'x.items' }], [answer]);
    expect([tables, failure]).toEqual([{}, undefined]);
    expect(warnings).toEqual(["warning: dataField 'x.items' contains no data! Expected a non-empty array."]);
  });

  it('several arrays are no mistake where a path names one of them', async () => {
    const { tables, failure } = await run([{ ...users, dataField: 'b' }], [{ a: [1], b: [{ id: 1 }] }]);
    expect([failure, tables]).toEqual([undefined, { users: [['id'], ['1']] }]);
  });
});

describe('1.6: the offset, as whole runs', () => {
  it.each([
    ['abc', 0],
    ['', 0],
    [null, 0],
    ['7', 7],
    ['7.9', 7],
  ])('offsetFromJob with the value %j begins at %i', async (offset, from) => {
    const jobs = [{ ...users, params: { offset } }];
    const { asked } = await run(jobs, [page(1), []], { offsetFromJob: true });
    expect(asked.map((line) => new URL(line, 'http://api/').searchParams.get('offset'))).toEqual([
      String(from),
      String(from + 2),
    ]);
  });

  it('an API that knows no offset is asked twice, and its page is stored once', async () => {
    const { asked, tables } = await run([users], () => [...page(1)]);
    expect(asked).toEqual(['users?limit=2&offset=0', 'users?limit=2&offset=2']);
    expect(tables).toEqual({ users: [['id'], ['1'], ['2']] });
  });

  it('a page that is longer than the limit moves the offset by the limit alone', async () => {
    const { asked, tables } = await run([users], [[...page(1), { id: 3 }], [...page(3), { id: 5 }], [{ id: 5 }]]);
    expect(asked.map((line) => line.replace('users?limit=2&offset=', ''))).toEqual(['0', '2', '4']);
    expect(tables['users']).toHaveLength(1 + 7);
  });

  it('each job begins at 0 again', async () => {
    const { asked } = await run([users, { endpoint: 'orders' }], [page(1), page(3), [], page(5), []]);
    expect(asked.filter((line) => line.startsWith('orders'))).toEqual([
      'orders?limit=2&offset=0',
      'orders?limit=2&offset=2',
    ]);
  });
});

describe('1.7: the answer before, as whole runs', () => {
  it('is that of the same job: what another one was given last is no repetition', async () => {
    const jobs = [users, { endpoint: 'orders', dataType: 'users' }];
    const { asked, tables } = await run(jobs, [[{ id: 1 }], [{ id: 1 }]]);
    expect(asked).toHaveLength(2);
    expect(tables).toEqual({ users: [['id'], ['1'], ['1']] });
  });

  it('is looked at before the items are: what a repeated page lacks is not warned of again', async () => {
    const jobs = [{ ...users, dataField: 'items' }];
    const answers = [{ items: page(1) }, { items: page(3) }, { items: page(3) }];
    const { warnings, tables } = await run(jobs, answers);
    expect([warnings, tables['users']?.length]).toEqual([[], 5]);
    const empty = { method: 'response.param', responseParam: 'next', queryParam: 'c' };
    const again = await run(jobs, () => ({ next: 'a' }), empty);
    expect([again.asked.length, again.warnings.length]).toEqual([2, 1]);
  });

  it('139: a flag that the answer of a child lacks stops it each time, and its parent goes on', async () => {
    const child = { endpoint: 'user/{id}', dataField: '.', placeholders: { id: 'id' } };
    const jobs = [{ ...users, dataField: 'items', children: [child] }];
    const { asked, infos } = await run(
      jobs,
      ({ path }, at) => {
        if (path.startsWith('/user/')) return { path };
        return at === 0 ? { items: page(1), more: true } : { items: page(3), more: false };
      },
      { nextPageFlag: { field: 'more', stopOn: false } },
    );
    expect(asked).toHaveLength(2 + 4);
    expect(infos.filter((line) => line === "info: Stopping scrolling because 'more' is 'false'")).toHaveLength(4 + 1);
  });

  it('a count of items is that of each run of a child, and of its parent', async () => {
    const child = { endpoint: 'u/{id}', placeholders: { id: 'id' } };
    const { asked } = await run([{ ...users, children: [child] }], ({ path }) => [{ id: path.replaceAll(/\W/g, '') }], {
      limit: 1,
      limitStop: { count: 2 },
    });
    const runs = (endpoint: string): number => asked.filter((line) => line.startsWith(endpoint)).length;
    expect([runs('users'), runs('u/')]).toEqual([2, 4]);
  });
});
