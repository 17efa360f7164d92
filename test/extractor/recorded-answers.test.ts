import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/extractor/values/json-value.ts';
import { Answer, configurationOf, extract, type Asked } from '../support/extraction.ts';

/** An exchange that `@octokit/fixtures` has recorded from the API of GitHub. */
interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly response: JsonValue;
}

function recorded(scenario: string): readonly Recorded[] {
  const name = `@octokit/fixtures/scenarios/api.github.com/${scenario}/normalized-fixture.json`;
  return JSON.parse(readFileSync(createRequire(import.meta.url).resolve(name), 'utf8')) as readonly Recorded[];
}

/** What was recorded for the same path and the same parameters, whatever their order. */
function replay(scenario: string): (asked: Asked) => Answer | undefined {
  const key = (method: string, path: string): string => {
    const { pathname, searchParams } = new URL(path, 'http://api/');
    searchParams.sort();
    return `${method.toUpperCase()} ${pathname}?${searchParams.toString()}`;
  };
  const known = new Map(
    recorded(scenario).map(({ method, path, status, response }) => [
      key(method, path),
      new Answer(status, JSON.stringify(response)),
    ]),
  );
  return ({ method, path }) => known.get(key(method, path));
}

function run(scenario: string, job: JsonObject, pagination?: JsonObject) {
  const api = pagination === undefined ? {} : { pagination };
  return extract(configurationOf(api, { jobs: [{ dataType: 'found', ...job }] }), replay(scenario));
}

/** One column of a table. */
function column([head, ...rows]: readonly (readonly string[])[], name: string): readonly string[] {
  const at = head?.indexOf(name) ?? -1;
  return rows.map((row) => row[at] ?? 'no such column');
}

describe('recorded answers of the API of GitHub become tables', () => {
  it('the issues of a repository, page by page, with what is nested in them', async () => {
    const endpoint = 'repositories/1000/issues';
    const pagination = { method: 'pagenum', limit: 3, limitParam: 'per_page', firstPage: 2 };
    const { failure, asked, tables } = await run('paginate-issues', { endpoint }, pagination);
    expect(failure).toBeUndefined();
    expect(asked).toEqual([2, 3, 4, 5].map((page) => `GET /${endpoint}?page=${page}&per_page=3`));
    const { found = [] } = tables;
    expect(column(found, 'number')).toEqual(['10', '9', '8', '7', '6', '5', '4', '3', '2', '1']);
    expect(column(found, 'title')).toEqual(column(found, 'number').map((number) => `Test issue ${number}`));
    expect(new Set(column(found, 'user_login'))).toEqual(new Set(['octokit-fixture-user-a']));
    expect(new Set(column(found, 'locked'))).toEqual(new Set(['']));
    expect(column(found, 'reactions_total_count')).toEqual(Array.from({ length: 10 }, () => '0'));
    // Nobody is assigned and nothing is labelled: no other tables.
    expect(Object.keys(tables)).toEqual(['found']);
  });

  it('a search: the items within the answer', async () => {
    const params = { q: 'sesame repo:octokit-fixture-org/search-issues' };
    const { failure, tables } = await run('search-issues', { endpoint: 'search/issues', dataField: 'items', params });
    expect(failure).toBeUndefined();
    const recordedItems = recorded('search-issues').flatMap(
      ({ response }) => (response as { readonly items: readonly { readonly title: string }[] }).items,
    );
    expect(recordedItems).toHaveLength(2);
    expect(column(tables['found'] ?? [], 'title')).toEqual(recordedItems.map(({ title }) => title));
  });

  it('labels, by a mapping, with quotes, booleans and what is null', async () => {
    const mappings = {
      found: { id: { mapping: { destination: 'id', primaryKey: true } }, name: 'name', default: 'is_default' },
    };
    const job = { endpoint: 'repos/octokit-fixture-org/labels/labels', dataType: 'found' };
    const { failure, tables, extraction } = await extract(
      configurationOf({}, { mappings, jobs: [job] }),
      replay('labels'),
    );
    expect(failure).toBeUndefined();
    const labels = recorded('labels')[0]?.response as readonly { id: number; name: string; default: boolean }[];
    expect(tables['found']).toEqual([
      ['id', 'name', 'is_default'],
      ...labels.map((label) => [String(label.id), label.name, label.default ? '1' : '']),
    ]);
    expect(extraction?.tables[0]?.manifest).toMatchObject({ primary_key: ['id'] });
  });

  it('an organization: one object is one row', async () => {
    const { failure, tables } = await run('get-organization', { endpoint: 'orgs/octokit-fixture-org', dataField: '.' });
    expect(failure).toBeUndefined();
    expect(column(tables['found'] ?? [], 'login')).toEqual(['octokit-fixture-org']);
  });

  it('what it refuses ends the run in its words', async () => {
    const { failure, tables } = await run('errors', {
      endpoint: 'repos/octokit-fixture-org/errors/labels',
      method: 'POST',
    });
    expect(failure).toMatch(/^The API request failed: \[422\] .*Validation Failed/s);
    expect(tables).toEqual({});
  });
});
