import { expect, it } from 'vitest';
import { configurationOf, PlainHttpClient, SleepingClock, startMockApi } from '../../test/support/extraction.ts';
import { KeptLog } from '../../test/support/scripted-api.ts';
import { previewExtraction } from './preview-extraction.ts';
import type { JsonValue } from './values/json-value.ts';

async function preview(configuration: JsonValue) {
  await using api = await startMockApi(({ path }) => (path.startsWith('/users') ? [{ id: 1 }, { id: 2 }] : []));
  const placed = JSON.parse(JSON.stringify(configuration).replaceAll('http://api/', api.base)) as JsonValue;
  const http = new PlainHttpClient();
  const previews = await previewExtraction(
    { configuration: placed, openHttp: () => http, clock: new SleepingClock(), random: () => 0.5, log: new KeptLog() },
    { signal: new AbortController().signal },
  );
  const shown = previews.map(({ dataType, first, items, next }) => ({
    dataType,
    first: first.url.replace(api.base, '/'),
    items,
    next: next?.url.replace(api.base, '/'),
  }));
  return { shown, asked: api.asked.map(({ path }) => path), isClosed: http.isClosed };
}

it('a preview asks for the first page of each job and for nothing else, and shows no secret', async () => {
  const child = { endpoint: 'child/{id}', placeholders: { id: 'id' } };
  const api = {
    pagination: { method: 'offset', limit: 2 },
    authentication: { type: 'query', query: { key: 'secret' } },
  };
  const { shown, asked, isClosed } = await preview(
    configurationOf(api, { jobs: [{ endpoint: 'users', children: [child] }, { endpoint: 'orders' }] }),
  );
  expect(shown).toEqual([
    {
      dataType: 'users',
      first: '/users?limit=2&offset=0',
      items: [{ id: 1 }, { id: 2 }],
      next: '/users?limit=2&offset=2',
    },
    { dataType: 'orders', first: '/orders?limit=2&offset=0', items: [], next: undefined },
  ]);
  expect(asked).toEqual(['/users?limit=2&offset=0&key=secret', '/orders?limit=2&offset=0&key=secret']);
  expect(isClosed).toBe(true);
});
