import { describe, expect, it, test } from 'vitest';
import { scroll } from '../../../test/support/scripted-api.ts';
import type { JsonValue } from '../values/json-value.ts';
import { parsePagination } from './pagination.ts';

const clocks = { now: () => 0, monotonic: () => 0 };
const offset = (settings: object): JsonValue => ({ method: 'offset', limit: 2, ...settings });
/** A page of two items with other fields beside them. */
const answer = (at: number, fields: object = {}): JsonValue => ({
  users: [{ id: 2 * at }, { id: 2 * at + 1 }],
  ...fields,
});

function message(settings: object): string {
  try {
    parsePagination(offset(settings), clocks);
  } catch (thrown) {
    return (thrown as Error).message;
  }
  return 'taken';
}

describe('nextPageFlag', () => {
  it('045: ends behind the page whose flag says so', async () => {
    const settings = offset({ nextPageFlag: { field: 'hasMore', stopOn: false } });
    const { asked, log } = await scroll(settings, {}, [answer(0, { hasMore: true }), answer(1, { hasMore: false })]);
    expect(asked).toHaveLength(2);
    expect(log).toEqual(["info: Stopping scrolling because 'hasMore' is 'false'"]);
  });

  it('046: any text is true; a flag that is not there is what ifNotSet says', async () => {
    const settings = offset({ nextPageFlag: { field: 'hasMore', stopOn: true, ifNotSet: false } });
    expect((await scroll(settings, {}, [answer(0), answer(1, { hasMore: 'no' })])).asked).toHaveLength(2);
  });

  test.each([[0], ['0'], [''], [[]], [false]])('%o is false', async (flag) => {
    const settings = offset({ nextPageFlag: { field: 'more', stopOn: false } });
    const job = { dataField: 'users' };
    expect((await scroll(settings, job, [answer(0, { more: flag })])).asked).toHaveLength(1);
  });

  it('that is not there or null stops, unless ifNotSet says otherwise; a field below the root is none', async () => {
    const settings = offset({ nextPageFlag: { field: 'a.more', stopOn: true } });
    expect((await scroll(settings, {}, [answer(0, { a: { more: false } })])).asked).toHaveLength(1);
    expect((await scroll(settings, {}, [answer(0, { 'a.more': null })])).asked).toHaveLength(1);
  });

  test('settings that are wrong are refused', () => {
    expect(message({ nextPageFlag: { stopOn: true } })).toBe("'field' has to be specified for 'nextPageFlag'");
    const stopOn = "'stopOn' value must be set to a boolean value for 'nextPageFlag'";
    expect(message({ nextPageFlag: { field: 'a' } })).toBe(stopOn);
    expect(message({ nextPageFlag: { field: 'a', stopOn: 'x' } })).toBe(`${stopOn}, given 'string' type.`);
    expect(message({ nextPageFlag: { field: 'a', stopOn: true, ifNotSet: 1 } })).toBe(
      "'ifNotSet' value must be boolean, given 'integer' type.",
    );
  });
});

describe('forceStop', () => {
  it('048: by pages, which are asked before the volume', async () => {
    const { asked, log } = await scroll(offset({ forceStop: { pages: 2, volume: 69 } }), {}, [answer(0), answer(1)]);
    expect(asked).toHaveLength(2);
    expect(log).toEqual(['info: Force stopping: page limit reached (2 pages).']);
  });

  it('by the bytes of the answers as PHP writes them, when there are more than that', async () => {
    // {"a":"\u00e9\/"} has 16 bytes.
    const pages: readonly JsonValue[] = [{ a: 'é/' }, { a: 'è/' }];
    const settings = (volume: number): JsonValue => ({ method: 'pagenum', forceStop: { volume } });
    const job = { dataField: '.' };
    expect((await scroll(settings(15), job, pages)).log).toEqual([
      'info: Force stopping: volume limit reached (15 bytes).',
    ]);
    expect((await scroll(settings(31), job, pages)).asked).toHaveLength(2);
    expect((await scroll(settings(16), job, pages)).asked).toHaveLength(2);
  });

  test.each([
    [60, 60],
    ['90', 90],
    ['2 minutes', 120],
    ['+1 hour 30 min', 5400],
  ])('by time: %o', async (time, seconds) => {
    let passed = 0;
    const monotonic = (): number => passed;
    const pages = (address: string): JsonValue => {
      passed = address.endsWith('offset=4') ? seconds * 1000 : seconds * 1000 - 1;
      return answer(Number(address.split('=').at(-1)));
    };
    const { asked, log } = await scroll(offset({ forceStop: { time } }), {}, { answers: pages, monotonic });
    expect(asked).toHaveLength(3);
    expect(log).toEqual([`info: Force stopping: time limit reached (${seconds} seconds).`]);
  });

  test('settings that are wrong are refused', () => {
    expect(message({ forceStop: { pages: 'x' } })).toBe("Parameter 'forceStop.pages' is not numeric. Value '\"x\"'.");
    for (const time of ['soon', '2 moons', '2 hours and', [1]])
      expect(message({ forceStop: { time } })).toContain("Parameter 'forceStop.time' must be seconds or a time");
  });
});

describe('limitStop', () => {
  it('by a count: pages are kept whole', async () => {
    const { asked, items, log } = await scroll(offset({ limitStop: { count: 3 } }), {}, [answer(0), answer(1)]);
    expect(asked).toHaveLength(2);
    expect(items).toHaveLength(4);
    expect(log).toEqual(['info: Limit reached, stopping scrolling. Current count: 4, limit: 3']);
  });

  it('126: by a field of the answer', async () => {
    const settings = offset({ limitStop: { field: 'scroller.count' } });
    const pages = [0, 1].map((at) => answer(at, { scroller: { count: 4 } }));
    expect((await scroll(settings, {}, pages)).asked).toHaveLength(2);
  });

  it('by a field that is not there stops behind the first page', async () => {
    const { asked, log } = await scroll(offset({ limitStop: { field: 'count' } }), {}, [answer(0)]);
    expect(asked).toHaveLength(1);
    expect(log).toEqual(['info: Limit reached, stopping scrolling. Current count: 2, limit: 0']);
  });

  test('settings that are wrong are refused', () => {
    const needed = "One of 'limitStop.field' or 'limitStop.count' attributes is required.";
    expect(message({ limitStop: {} })).toBe(needed);
    expect(message({ limitStop: { count: 0 } })).toBe(needed);
    expect(message({ limitStop: { count: 1, field: 'a' } })).toBe(
      "Specify only one of 'limitStop.field' or 'limitStop.count'.",
    );
  });
});

describe('of several conditions', () => {
  it('the first that says stop is told, and no other', async () => {
    const settings = offset({
      limitStop: { count: 2 },
      forceStop: { pages: 1 },
      nextPageFlag: { field: 'm', stopOn: true },
    });
    expect((await scroll(settings, {}, [answer(0)])).log).toEqual([
      'info: Limit reached, stopping scrolling. Current count: 2, limit: 2',
    ]);
    const forced = offset({ forceStop: { pages: 1 }, nextPageFlag: { field: 'm', stopOn: true } });
    expect((await scroll(forced, {}, [answer(0)])).log).toEqual([
      'info: Force stopping: page limit reached (1 pages).',
    ]);
  });

  it('the same answer counts before all of them; another field makes it another', async () => {
    const settings = offset({ forceStop: { pages: 3 } });
    const { asked, items } = await scroll(settings, {}, [answer(0), answer(0)]);
    expect([asked.length, items.length]).toEqual([2, 2]);
    const other = await scroll(settings, {}, [answer(0), answer(0, { at: 1 }), answer(0, { at: 2 })]);
    expect([other.asked.length, other.items.length]).toEqual([3, 6]);
  });

  it.each([
    ['another type', [{ users: [1] }, { users: ['1'] }, { users: [] }]],
    ['another order of keys', [{ users: [{ a: 1, b: 2 }] }, { users: [{ b: 2, a: 1 }] }, { users: [] }]],
  ])('%s makes it another', async (_name, pages: readonly JsonValue[]) => {
    expect((await scroll({ method: 'offset', limit: 1 }, {}, pages)).asked).toHaveLength(3);
  });
});
