import { describe, expect, it, test } from 'vitest';
import { scroll } from '../../../test/support/scripted-api.ts';
import type { JsonValue } from '../values/json-value.ts';
import { parsePagination } from './pagination.ts';

const clocks = { now: () => 0, monotonic: () => 0 };

function message(settings: JsonValue, scroller?: string): string {
  try {
    parsePagination(settings, clocks)(scroller);
  } catch (thrown) {
    return (thrown as Error).message;
  }
  return 'taken';
}

test.each([[undefined], [{}], [{ limit: 2 }], ['x'], [{ 'pagination.method': 'offset' }]])(
  'pagination %o is one request',
  async (pagination) => {
    expect((await scroll(pagination, { params: { a: true } }, [[1]])).asked).toEqual(['users?a=1']);
  },
);

describe('pagenum', () => {
  it('without a limit ends at an empty page', async () => {
    const { asked, log } = await scroll({ method: 'pagenum' }, {}, [[1], [2], []]);
    expect(asked).toEqual(['users?page=1', 'users?page=2', 'users?page=3']);
    expect(log).toEqual(['info: Pagination stopped, response is empty.']);
  });

  it('with a limit ends at a short page; the page comes before the limit', async () => {
    const settings = { method: 'pagenum', limit: 2, pageParam: 'p', limitParam: 'n', firstPage: 0 };
    const { asked, log } = await scroll(settings, {}, [[1, 2], [3]]);
    expect(asked).toEqual(['users?p=0&n=2', 'users?p=1&n=2']);
    expect(log).toEqual(['info: Pagination stopped, response is smaller than limit.']);
  });

  it('takes the limit of the job, and may leave the first request bare', async () => {
    const settings = { method: 'pagenum', limit: 2, firstPageParams: false };
    const { asked } = await scroll(settings, { params: { limit: 1 } }, [[1], []]);
    expect(asked).toEqual(['users?limit=1', 'users?limit=1&page=2']);
  });
});

describe('cursor', () => {
  const cursor = { method: 'cursor', idKey: 'id', param: 'after' };
  const ids = (...all: readonly JsonValue[]): JsonValue => all.map((id) => ({ id }));

  it('goes on from the largest id so far', async () => {
    const { asked, log } = await scroll(cursor, {}, [ids(1, 5, 2), ids(4), ids()]);
    expect(asked).toEqual(['users', 'users?after=5', 'users?after=5']);
    expect(log).toEqual(['info: No data in response, stopping scrolling.']);
  });

  it('or from the smallest, and so much beside it', async () => {
    const settings = { ...cursor, reverse: true, increment: -1 };
    expect((await scroll(settings, {}, [ids('5', 7), ids()])).asked).toEqual(['users', 'users?after=4']);
  });

  it('E2: counts ids digit by digit', async () => {
    const settings = { ...cursor, increment: 1 };
    const pages = [ids(9_007_199_254_740_993n, '9007199254740995'), ids()];
    expect((await scroll(settings, {}, pages)).asked).toEqual(['users', 'users?after=9007199254740996']);
  });

  it('needs numbers', async () => {
    await expect(scroll(cursor, {}, [ids('x')])).rejects.toThrow("Cursor value 'x' is not numeric.");
    await expect(scroll(cursor, {}, [[{}]])).rejects.toThrow("Cursor value 'null' is not numeric.");
  });

  it('needs its names', () => {
    expect(message({ method: 'cursor', param: 'a' })).toContain("Missing 'pagination.idKey'");
    expect(message({ method: 'cursor', idKey: 'a' })).toContain("Missing 'pagination.param'");
  });
});

describe('response.url', () => {
  const job = { params: { a: 1 }, dataField: 'items' };
  const next = (url: JsonValue): JsonValue => ({ items: [1], next_page: url });

  it('asks for what the page says, from anywhere, and stops where it says nothing', async () => {
    const pages = [next('/other?page=2'), next('http://api/third'), { items: [1], next_page: null }];
    const { asked, log } = await scroll({ method: 'response.url' }, job, pages);
    expect(asked).toEqual(['users?a=1', 'other?page=2', 'third']);
    expect(log).toEqual(['info: No more pages, stopping pagination.']);
  });

  it('keeps the parameters of the job with includeParams', async () => {
    const settings = { method: 'response.url', includeParams: true };
    expect((await scroll(settings, job, [next('users?page=2'), next('')])).asked).toEqual([
      'users?a=1',
      'users?page=2&a=1',
    ]);
  });

  it.each([
    [false, 'users?page=2&b=x+y'],
    [true, 'users?a=1&page=2&b=x+y'],
  ])('takes it for a query with paramIsQuery; includeParams %s', async (includeParams, address) => {
    const settings = {
      method: 'response.url',
      paramIsQuery: true,
      includeParams,
      urlKey: 'links/next',
      delimiter: '/',
    };
    const pages = [{ items: [1], links: { next: '?page=2&b=x%20y' } }, { items: [2] }];
    expect((await scroll(settings, job, pages)).asked).toEqual(['users?a=1', address]);
  });

  it('of Zendesk stops where the next page is younger than six minutes', async () => {
    const settings = { method: 'zendesk.response.url' };
    const now = (): number => 10_000_000;
    const old = next(`events?start_time=${10_000 - 361}`);
    const { asked } = await scroll(settings, job, { answers: [old, next(`events?start_time=${10_000 - 359}`)], now });
    expect(asked).toEqual(['users?a=1', `events?start_time=${10_000 - 361}`]);
  });
});

describe('response.param', () => {
  const settings = { method: 'response.param', responseParam: 'meta.cursor', queryParam: 'c' };
  const job = { params: { a: 1 }, dataField: 'items' };
  const next = (cursor: JsonValue): JsonValue => ({ items: [1], meta: { cursor } });

  it('sends a value of the page', async () => {
    const { asked, log } = await scroll(settings, job, [next('x y'), next(7), next('')]);
    expect(asked).toEqual(['users?a=1', 'users?c=x+y', 'users?c=7']);
    expect(log).toEqual(['info: No more pages found, stopping pagination.']);
  });

  it('keeps the parameters of the job with includeParams', async () => {
    expect((await scroll({ ...settings, includeParams: true }, job, [next('x'), next(0)])).asked).toEqual([
      'users?a=1',
      'users?a=1&c=x',
    ]);
  });

  it('059: asks elsewhere from the second page on', async () => {
    const scrollRequest = { endpoint: 'scroll', method: 'POST', params: { b: 2 } };
    const { asked } = await scroll({ ...settings, scrollRequest }, job, [next('x'), next(null)]);
    expect(asked).toEqual(['users?a=1', 'scroll {"b":2,"c":"x"}']);
  });

  it('needs its names', () => {
    expect(message({ ...settings, responseParam: '' })).toContain("Missing 'pagination.responseParam'");
    expect(message({ ...settings, queryParam: null })).toContain("Missing 'pagination.queryParam'");
    expect(message({ ...settings, scrollRequest: 'x' })).toContain("'pagination.scrollRequest' must be an object");
  });
});

describe('multiple', () => {
  const scrollers = { o: { method: 'offset', limit: '2' }, p: { method: 'pagenum' } };

  it('062: each job has the scroller that it names, or the usual one', async () => {
    const settings = { method: 'multiple', scrollers, default: 'o' };
    expect((await scroll(settings, {}, [[1, 2], [3]])).asked).toEqual([
      'users?limit=2&offset=0',
      'users?limit=2&offset=2',
    ]);
    const { asked } = await scroll(settings, { endpoint: 'search', scroller: 'p' }, [[1], [2], []]);
    expect(asked).toEqual(['search?page=1', 'search?page=2', 'search?page=3']);
  });

  it('without a usual one it is one request', async () => {
    expect((await scroll({ method: 'multiple', scrollers }, {}, [[1]])).asked).toEqual(['users']);
  });

  it('one that is not there is refused with those that are', () => {
    const settings = { method: 'multiple', scrollers: { o: { method: 'offset', limit: '2' } } };
    const refusal = "Scroller 'zz' not set in API definitions. Scrollers defined: o";
    expect(message(settings, 'zz')).toBe(refusal);
    expect(message({ ...settings, default: 'zz' })).toBe(refusal);
    expect(message({ method: 'multiple' })).toContain('At least one scroller must be configured');
    expect(message({ method: 'multiple', scrollers: { a: { method: 'x' } } })).toBe("Unknown pagination method 'x'");
  });
});
