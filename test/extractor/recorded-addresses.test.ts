import fixtures, { type Fixture } from '@ideal-postcodes/api-fixtures';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/extractor/values/json-value.ts';
import { Answer, configurationOf, extract, type Asked } from '../support/extraction.ts';

const { addresses, autocomplete, errors, keys, postcodes } = fixtures;

/** What was recorded for that path and that text, if it asks for one; the key is not that of who recorded it. */
function replay(...recorded: readonly Fixture[]): (asked: Asked) => Answer | undefined {
  return ({ path }) => {
    const { pathname, searchParams } = new URL(path, 'http://api/');
    const found = recorded.find(
      ({ url, query }) => url === pathname && (query?.['query'] ?? null) === searchParams.get('query'),
    );
    return found === undefined ? undefined : new Answer(found.httpStatus, JSON.stringify(found.body));
  };
}

function run(recorded: readonly Fixture[], job: JsonObject, pagination: JsonObject = {}) {
  const authentication = { type: 'url.query', query: { api_key: { attr: '#key' } } };
  const jobs = [{ dataType: 'found', ...job }];
  return extract(configurationOf({ authentication, pagination }, { '#key': 'ak_test', jobs }), replay(...recorded));
}

type Table = readonly (readonly string[])[];

/** Rows as objects. */
function rowsOf([columns = [], ...rows]: Table = []): readonly Readonly<Record<string, string>>[] {
  return rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at] ?? ''])));
}

/** What a table must have of recorded objects without arrays: everything as text. */
function texts(objects: readonly object[]): readonly Readonly<Record<string, string>>[] {
  return objects.map((one) => Object.fromEntries(Object.entries(one).map(([name, value]) => [name, String(value)])));
}

/** Where the answers have what they found. */
function resultOf({ body }: Fixture): unknown {
  return (body as { readonly result: unknown }).result;
}

describe('recorded answers of an API of addresses (@ideal-postcodes/api-fixtures) become tables', () => {
  it('the addresses of a postcode: all fields of a hundred of them, whose ids are texts where they have none', async () => {
    const recorded = postcodes.multipleResidence.success;
    const { failure, asked, tables } = await run([recorded], { endpoint: recorded.url.slice(1), dataField: 'result' });
    expect(failure).toBeUndefined();
    expect(asked).toEqual([`GET ${recorded.url}?api_key=ak_test`]);
    const all = resultOf(recorded) as readonly object[];
    expect(all).toHaveLength(100);
    expect(rowsOf(tables['found'])).toEqual(texts(all));
    expect(tables['found']?.[0]).toEqual(Object.keys(all[0] ?? {}));
  });

  it('a search by pages: floats keep their digits, and the short page is the last', async () => {
    const params = { query: '11 Westferry Circus' };
    const pagination = { method: 'pagenum', limit: 10, firstPage: 0 };
    const job = { endpoint: 'v1/addresses', params, dataField: 'result.hits' };
    const { failure, asked, tables } = await run([addresses.success, addresses.empty], job, pagination);
    expect(failure).toBeUndefined();
    expect(asked).toHaveLength(1);
    const { hits } = resultOf(addresses.success) as { readonly hits: readonly object[] };
    const rows = rowsOf(tables['found']);
    expect(rows).toEqual(texts(hits));
    expect(rows[0]).toMatchObject({ organisation_name: 'Concourse Fm', longitude: '-0.026134', udprn: '28048984' });
  });

  it('suggestions: what is nested is flat', async () => {
    const job = {
      endpoint: 'v1/autocomplete/addresses',
      params: { query: '87 Brompton Rd' },
      dataField: 'result.hits',
    };
    const { failure, tables } = await run([autocomplete.success], job);
    expect(failure).toBeUndefined();
    const { hits } = resultOf(autocomplete.success) as {
      readonly hits: readonly { suggestion: string; urls: { udprn: string }; udprn: number }[];
    };
    expect(tables['found']).toEqual([
      ['suggestion', 'urls_udprn', 'udprn'],
      ...hits.map(({ suggestion, urls, udprn }) => [suggestion, urls.udprn, String(udprn)]),
    ]);
  });

  it('the use of a key: one object is one row, and its days are a table beside it', async () => {
    const recorded = { ...keys.usage.success, url: '/v1/keys/k/usage' };
    const { failure, tables } = await run([recorded], { endpoint: 'v1/keys/k/usage', dataField: 'result' });
    expect(failure).toBeUndefined();
    const { total, dailyCount } = resultOf(recorded) as {
      readonly total: number;
      readonly dailyCount: readonly { date: string; count: number }[];
    };
    const [use, ...others] = rowsOf(tables['found']);
    expect(others).toEqual([]);
    expect(use).toMatchObject({ total: String(total), dailyCount: 'found_#' });
    expect(tables['found_dailyCount']).toEqual([
      ['date', 'count', 'JSON_parentId'],
      ...dailyCount.map(({ date, count }) => [date, String(count), 'found_#']),
    ]);
  });

  it('what finds nothing makes no table, what is refused ends the run in the words of the API', async () => {
    const nothing = { endpoint: 'v1/addresses', params: { query: 'bakirkoy' }, dataField: 'result.hits' };
    expect(await run([addresses.empty], nothing)).toMatchObject({ failure: undefined, tables: {} });
    const job = { endpoint: errors.invalidKey.url.slice(1), dataField: 'result' };
    const { failure, tables } = await run([errors.invalidKey], job);
    expect(failure).toMatch(/^The API request failed: \[401\] .*Invalid Key\./s);
    expect(tables).toEqual({});
  });
});
