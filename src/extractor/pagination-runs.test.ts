import { describe, expect, it } from 'vitest';
import { configurationOf, extract, SleepingClock, type Replies } from '../../test/support/extraction.ts';
import type { JsonObject, JsonValue } from './values/json-value.ts';

/** Runs one job with that pagination; `clock` passes 10 s with each request. */
async function run(pagination: JsonObject, replies: Replies, job: JsonObject = {}) {
  const clock = new SleepingClock();
  const told: Replies = (asked, at) => {
    clock.pass(10_000);
    return typeof replies === 'function' ? replies(asked, at) : replies[at];
  };
  const configuration = configurationOf({ pagination }, { jobs: [{ endpoint: 'users', ...job }] });
  const { asked, log, tables, failure } = await extract(configuration, told, { clock });
  return {
    asked: asked.map((line) => line.replace('GET /', '')),
    infos: log.filter((line) => line.startsWith('info: ')).map((line) => line.slice('info: '.length)),
    debug: log.filter((line) => line.startsWith('debug: ')),
    rows: (tables['users']?.length ?? 1) - 1,
    failure,
  };
}

const offset = (more: JsonObject): JsonObject => ({ method: 'offset', limit: 2, ...more });
const page = (from: number): readonly JsonValue[] => [{ id: from }, { id: from + 1 }];
const endless: Replies = (_asked, at) => page(at * 2);

describe('1.7: the conditions that end any pagination', () => {
  it('the same answer as the one before: it is not stored', async () => {
    const { asked, rows, debug } = await run(offset({}), [page(1), page(3), page(3), page(5)]);
    expect([asked.length, rows]).toEqual([3, 4]);
    expect(debug.at(-1)).toMatch(/finished when last response matched the previous!$/);
  });

  it('not the same: another field, another order of keys, another type, an earlier answer', async () => {
    const items = page(1);
    const { asked } = await run(offset({}), [
      { items, n: 1 },
      { items, n: 2 },
      { n: 2, items },
      { n: '2', items },
      { items, n: 1 },
      { items: [], n: 1 },
    ]);
    expect(asked).toHaveLength(6);
  });

  it.each<[string, JsonObject, JsonObject, number]>([
    ['stops where it is what stopOn says', { field: 'more', stopOn: false }, { more: false }, 1],
    ['goes on where it is not', { field: 'more', stopOn: false }, { more: 1 }, 2],
    ['is stopOn where it is not set', { field: 'more', stopOn: true }, {}, 1],
    ['is ifNotSet where it is null', { field: 'more', stopOn: true, ifNotSet: false }, { more: null }, 2],
    ['takes any text for true', { field: 'more', stopOn: true }, { more: 'no' }, 1],
    ['takes "0" for false', { field: 'more', stopOn: false }, { more: '0' }, 1],
  ])('nextPageFlag %s', async (...[, nextPageFlag, more, requests]) => {
    const answers = [
      { items: page(1), ...more },
      { items: [], more: true },
    ];
    expect((await run(offset({ nextPageFlag }), answers)).asked).toHaveLength(requests);
  });

  it.each<[JsonObject, string, number]>([
    [{ pages: 3 }, 'Force stopping: page limit reached (3 pages).', 3],
    [{ time: 20 }, 'Force stopping: time limit reached (20 seconds).', 2],
    [{ time: '30 seconds' }, 'Force stopping: time limit reached (30 seconds).', 3],
    [{ volume: 19 }, 'Force stopping: volume limit reached (19 bytes).', 2],
    [{ pages: 2, time: 20, volume: 1 }, 'Force stopping: volume limit reached (1 bytes).', 1],
    [{ pages: 2, time: 20 }, 'Force stopping: page limit reached (2 pages).', 2],
  ])('forceStop %j', async (forceStop, text, requests) => {
    const { asked, infos, rows } = await run(offset({ forceStop }), endless);
    expect([asked.length, rows]).toEqual([requests, 2 * requests]);
    expect(infos[0]).toBe(text);
  });

  it('limitStop counts the items of all pages, and the page is kept whole', async () => {
    const { asked, rows, infos } = await run(offset({ limitStop: { count: 3 } }), endless);
    expect([asked.length, rows]).toEqual([2, 4]);
    expect(infos[0]).toBe('Limit reached, stopping scrolling. Current count: 4, limit: 3');
    const field = await run(offset({ limitStop: { field: 'total' } }), [{ items: page(1) }]);
    expect(field.asked).toHaveLength(1);
  });

  it('the first that says stop is told: limitStop, forceStop, nextPageFlag, the method', async () => {
    const all = { limitStop: { count: 1 }, forceStop: { pages: 1 }, nextPageFlag: { field: 'more', stopOn: false } };
    const told = async (more: JsonObject) => (await run(offset(more), [{ items: [1], more: false }])).infos[0];
    expect(await told(all)).toMatch(/^Limit reached/);
    expect(await told({ ...all, limitStop: null })).toMatch(/^Force stopping/);
    expect(await told({ nextPageFlag: all.nextPageFlag })).toMatch(/^Stopping scrolling because/);
    expect(await told({})).toBe('Offset limit reached, stopping scrolling.');
  });

  it.each<[JsonObject, string]>([
    [{ nextPageFlag: { stopOn: true } }, "'field' has to be specified for 'nextPageFlag'"],
    [{ nextPageFlag: { field: 'a' } }, "'stopOn' value must be set to a boolean value for 'nextPageFlag'"],
    [
      { nextPageFlag: { field: 'a', stopOn: 'no' } },
      "'stopOn' value must be set to a boolean value for 'nextPageFlag', given 'string' type.",
    ],
    [
      { nextPageFlag: { field: 'a', stopOn: true, ifNotSet: 1 } },
      "'ifNotSet' value must be boolean, given 'integer' type.",
    ],
    [{ limitStop: {} }, "One of 'limitStop.field' or 'limitStop.count' attributes is required."],
    [{ limitStop: { count: 1, field: 'a' } }, "Specify only one of 'limitStop.field' or 'limitStop.count'."],
  ])('%j is refused before anything is asked for', async (more, text) => {
    expect(await run(offset(more), [])).toMatchObject({ failure: text, asked: [] });
  });
});

describe('1.8: the other methods', () => {
  it.each<[string, JsonObject, readonly JsonValue[], readonly string[], string]>([
    ['none', {}, [page(1)], ['users'], 'Extractor finished successfully.'],
    [
      'pagenum',
      { method: 'pagenum' },
      [page(1), page(3), []],
      ['users?page=1', 'users?page=2', 'users?page=3'],
      'Pagination stopped, response is empty.',
    ],
    [
      'pagenum with a limit',
      { method: 'pagenum', limit: 2, limitParam: 'n', pageParam: 'p', firstPage: 0 },
      [page(1), [{ id: 3 }]],
      ['users?p=0&n=2', 'users?p=1&n=2'],
      'Pagination stopped, response is smaller than limit.',
    ],
    [
      'cursor',
      { method: 'cursor', idKey: 'id', param: 'since', increment: 1 },
      [page(5), page(2), []],
      ['users', 'users?since=7', 'users?since=7'],
      'No data in response, stopping scrolling.',
    ],
    [
      'cursor in reverse',
      { method: 'cursor', idKey: 'id', param: 'max', reverse: true, increment: -1 },
      [page(5), []],
      ['users', 'users?max=4'],
      'No data in response, stopping scrolling.',
    ],
    [
      'response.url',
      { method: 'response.url' },
      [{ items: page(1), next_page: 'more?x=1' }, { items: page(3) }],
      ['users', 'more?x=1'],
      'No more pages, stopping pagination.',
    ],
    [
      'response.url as a query',
      { method: 'response.url', urlKey: 'next', paramIsQuery: true },
      [{ items: page(1), next: '?x=1&y=2' }, { items: page(3) }],
      ['users', 'users?x=1&y=2'],
      'No more pages, stopping pagination.',
    ],
    [
      'response.param with another request',
      { method: 'response.param', responseParam: 'scroll', queryParam: 'id', scrollRequest: { endpoint: 'scroll' } },
      [{ items: page(1), scroll: 'a' }, { items: page(3), scroll: 'b' }, { items: [] }],
      ['users', 'scroll?id=a', 'scroll?id=b'],
      'No more pages found, stopping pagination.',
    ],
    [
      'zendesk.response.url',
      { method: 'zendesk.response.url' },
      [
        { items: page(1), next_page: 'more?start_time=1' },
        { items: page(3), next_page: 'more?start_time=1717199999' },
      ],
      ['users', 'more?start_time=1'],
      'No more pages, stopping pagination.',
    ],
  ])('%s', async (...[, pagination, answers, requests, text]) => {
    const { asked, infos, failure } = await run(pagination, answers);
    expect([failure, asked]).toEqual([undefined, requests]);
    expect(infos[0]).toBe(text);
  });

  it('a cursor that is no number ends the job', async () => {
    const { failure } = await run({ method: 'cursor', idKey: 'id', param: 'since' }, [[{ id: 'x' }]]);
    expect(failure).toBe("Cursor value 'x' is not numeric.");
  });
});
