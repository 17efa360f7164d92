import { describe, expect, it, test } from 'vitest';
import { scroll } from '../../../test/support/scripted-api.ts';
import type { JsonValue } from '../values/json-value.ts';
import { parsePagination } from './pagination.ts';

const clocks = { now: () => 0, monotonic: () => 0 };
/** So many different items. */
let made = 0;
const page = (count: number): readonly JsonValue[] => Array.from({ length: count }, () => ({ id: (made += 1) }));
const offset = (settings: object = {}): JsonValue => ({ method: 'offset', limit: 2, ...settings });

describe('offset pagination, by the rules of the seed', () => {
  it('1: begins at 0 with the limit and goes on by the size of a page', async () => {
    const { asked } = await scroll(offset({ limit: 20 }), {}, [page(20), page(20), page(3)]);
    expect(asked).toEqual(['users?limit=20&offset=0', 'users?limit=20&offset=20', 'users?limit=20&offset=40']);
  });

  it('2: has other names for its parameters', async () => {
    const settings = offset({ limitParam: 'count', offsetParam: 'skip' });
    const { asked } = await scroll(settings, {}, [page(2), page(1)]);
    expect(asked).toEqual(['users?count=2&skip=0', 'users?count=2&skip=2']);
  });

  it('3: a parameter of the job named like that of the limit wins', async () => {
    const { asked } = await scroll(offset(), { params: { a: 'b', limit: '3' } }, [page(3), page(2)]);
    expect(asked).toEqual(['users?a=b&limit=3&offset=0', 'users?a=b&limit=3&offset=3']);
  });

  it('4: a parameter of the job named like that of the offset counts with offsetFromJob alone', async () => {
    const job = { params: { offset: 7 } };
    expect((await scroll(offset(), job, [page(2), page(0)])).asked).toEqual([
      'users?offset=0&limit=2',
      'users?offset=2&limit=2',
    ]);
    expect((await scroll(offset({ offsetFromJob: true }), job, [page(2), page(0)])).asked).toEqual([
      'users?offset=7&limit=2',
      'users?offset=9&limit=2',
    ]);
  });

  it('5: stops at a page with fewer items, judged by the array that was found', async () => {
    const job = { dataField: 'users.items' };
    const answer = (count: number): JsonValue => ({ total: 9, users: { items: page(count) } });
    const { asked, items, log } = await scroll(offset(), job, [answer(2), answer(0)]);
    expect(asked).toHaveLength(2);
    expect(items).toHaveLength(2);
    expect(log).toContain("warning: dataField 'users.items' contains no data! Expected a non-empty array.");
    expect(log).toContain('info: Offset limit reached, stopping scrolling.');
  });

  it('6: with four items and a limit of 2 asks for 0, 2 and 4', async () => {
    const { asked, items } = await scroll(offset(), {}, [page(2), page(2), page(0)]);
    expect(asked.map((address) => address.replace(/.*offset=/, ''))).toEqual(['0', '2', '4']);
    expect(items).toHaveLength(4);
  });
});

describe('the examples of offset pagination', () => {
  const [one, two] = [page(2), page(2)];

  it('041: stops when a page is the same as the one before, and does not keep it', async () => {
    const { asked, items, log } = await scroll(offset({ limit: '2' }), {}, [one, two, two]);
    expect(asked).toHaveLength(3);
    expect(items).toEqual([...one, ...two]);
    expect(log).toEqual(["debug: Job 'job' finished when last response matched the previous!"]);
  });

  it('042: keeps a page that is the same as an earlier one', async () => {
    const { asked, items } = await scroll(offset(), {}, [one, two, one, one]);
    expect(asked).toHaveLength(4);
    expect(items).toEqual([...one, ...two, ...one]);
  });

  it('049: with other names and an inner array', async () => {
    const settings = { method: 'offset', limitParam: 'count', offsetParam: 'skip', limit: '2' };
    const answers = [{ items: one }, { items: two }, { items: [] }];
    const { asked, items } = await scroll(settings, { dataField: 'items' }, answers);
    expect(asked).toEqual(['users?count=2&skip=0', 'users?count=2&skip=2', 'users?count=2&skip=4']);
    expect(items).toHaveLength(4);
  });

  it('050: limit and offset of the job', async () => {
    const settings = offset({ limitParam: 'count', offsetParam: 'skip', limit: '20', offsetFromJob: true });
    expect((await scroll(settings, { params: { count: 5, skip: 2 } }, [page(2)])).asked).toEqual([
      'users?count=5&skip=2',
    ]);
    const orders = { endpoint: 'orders', params: { count: 10 } };
    expect((await scroll(settings, orders, [page(3)])).asked).toEqual(['orders?count=10&skip=0']);
  });
});

describe('what follows from them (1.6)', () => {
  it('goes on by the limit, also behind a page that is longer', async () => {
    const { asked } = await scroll(offset(), {}, [page(3), page(3), page(0)]);
    expect(asked.at(-1)).toBe('users?limit=2&offset=4');
  });

  it('without firstPageParams leaves the first request as it is', async () => {
    const settings = offset({ firstPageParams: false });
    expect((await scroll(settings, { params: { offset: 9, a: 1 } }, [page(2), page(0)])).asked).toEqual([
      'users?offset=9&a=1',
      'users?offset=2&a=1&limit=2',
    ]);
    const fromJob = offset({ firstPageParams: false, offsetFromJob: true });
    expect((await scroll(fromJob, { params: { offset: 7 } }, [page(2), page(0)])).asked.at(-1)).toBe(
      'users?offset=9&limit=2',
    );
  });

  it('takes firstPageParams loosely: "false" is a text, and so yes; "0" is no', async () => {
    expect((await scroll(offset({ firstPageParams: 'false' }), {}, [page(0)])).asked).toEqual([
      'users?limit=2&offset=0',
    ]);
    expect((await scroll(offset({ firstPageParams: '0' }), {}, [page(0)])).asked).toEqual(['users']);
  });

  it.each([
    ['2.7', 2],
    ['2e0', 2],
    [' 2', 2],
    [2.9, 2],
  ])('takes the limit %o as %i', async (limit, taken) => {
    expect((await scroll(offset({ limit }), {}, [page(0)])).asked).toEqual([`users?limit=${taken}&offset=0`]);
  });

  it('a limit of 0 in the job is none; one that is no number asks for 0, and an empty page ends it', async () => {
    expect((await scroll(offset(), { params: { limit: '0' } }, [page(0)])).asked).toEqual(['users?limit=2&offset=0']);
    const { asked } = await scroll(offset(), { params: { limit: 'x' } }, [page(2), page(0)]);
    expect(asked).toEqual(['users?limit=0&offset=0', 'users?limit=0&offset=0']);
  });

  it('with another name for it a parameter "limit" is one like any other', async () => {
    const { asked } = await scroll(offset({ limitParam: 'count' }), { params: { limit: 5 } }, [page(1)]);
    expect(asked).toEqual(['users?limit=5&count=2&offset=0']);
  });

  it('empty names are the usual ones', async () => {
    const settings = offset({ limitParam: '', offsetParam: null });
    expect((await scroll(settings, {}, [page(0)])).asked).toEqual(['users?limit=2&offset=0']);
  });

  it('in a POST asks by numbers in the body', async () => {
    const job = { method: 'post', params: { q: 'a b&c' } };
    expect((await scroll(offset(), job, [page(0)])).asked).toEqual(['users {"q":"a b&c","limit":2,"offset":0}']);
    const form = { method: 'FORM', params: { q: 'a b&c' } };
    expect((await scroll(offset(), form, [page(0)])).asked).toEqual(['users q=a+b%26c&limit=2&offset=0']);
  });
});

describe('A short page (E5)', () => {
  const capped = 'warning: Already the first page was short: it held 3 of 20 items.';

  it('is told with its numbers, and doubted when it was the first', async () => {
    const { log } = await scroll(offset({ limit: 20 }), {}, [page(3)]);
    expect(log).toEqual([
      'info: Offset limit reached, stopping scrolling.',
      'info: The last page held 3 items, the limit is 20.',
      expect.stringContaining(capped),
    ]);
    expect((await scroll(offset(), {}, [page(2), page(1)])).log.join()).not.toContain('warning');
    expect((await scroll(offset(), {}, [page(0)])).log.join()).not.toContain('warning');
  });

  it('ends nothing with stopWhen "emptyPage", and nothing behind it is passed over', async () => {
    const settings = offset({ limit: 20, stopWhen: 'emptyPage' });
    const { asked, items } = await scroll(settings, {}, [page(3), page(3), page(0)]);
    expect(asked.map((address) => address.replace(/.*offset=/, ''))).toEqual(['0', '3', '6']);
    expect(items).toHaveLength(6);
  });
});

describe('settings that are wrong are refused before anything is asked for', () => {
  const message = (settings: JsonValue): string => {
    try {
      parsePagination(settings, clocks);
    } catch (thrown) {
      return (thrown as Error).message;
    }
    return 'taken';
  };

  test.each([[undefined], [0], ['0'], [''], [null], [-2], ['-2'], [0.5]])('limit %o', (limit) => {
    const settings: JsonValue = limit === undefined ? { method: 'offset' } : offset({ limit });
    expect(message(settings)).toBe("Missing 'pagination.limit' attribute required for offset pagination");
  });

  test.each([
    ['foo', '"foo"'],
    [true, 'true'],
    [[5], '[5]'],
    [{ a: 1 }, '{"a":1}'],
  ])('limit %o', (limit, shown) => {
    expect(message(offset({ limit }))).toBe(`Parameter 'pagination.limit' is not numeric. Value '${shown}'.`);
  });

  test('another method, another reason to stop, a name that is no text', () => {
    expect(message({ method: 'offsets' })).toBe("Unknown pagination method 'offsets'");
    expect(message({ method: 'constructor' })).toBe("Unknown pagination method 'constructor'");
    expect(message(offset({ stopWhen: 'never' }))).toContain('must be "shortPage" or "emptyPage"');
    expect(message(offset({ limitParam: ['a'] }))).toBe(
      "Parameter 'pagination.limitParam' must be a text. Value '[\"a\"]'.",
    );
  });
});
