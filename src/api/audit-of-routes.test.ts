import { afterAll, beforeAll, expect, test } from 'vitest';
import { rootToken, startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { anyJob, bodiesOfRoutes } from '../../test/support/request-of-route.ts';
import { routeTable } from './routes/families.ts';
import type { TableId } from '../core/table-id.ts';
import type { Route } from './route/route.ts';

const S = '/v1/branches/default/sources';
const T = '/v2/storage/tokens';

let harness: AdminHarness;

beforeAll(async () => {
  harness = await startAdmin();
  const { id } = await harness.api.call<{ id: number }>('POST', '/v2/storage/files/prepare', { name: 'loaded' });
  const headers = { 'X-StorageApi-Token': rootToken };
  await fetch(`${harness.base}/v2/storage/files/${id}/content`, { method: 'PUT', headers, body: 'a,b\n1,2\n' });
});

afterAll(() => harness[Symbol.asyncDispose]());

/** POST or DELETE, but nothing that the product keeps is changed. */
const changesNothing: readonly string[] = ['testSource', 'tryReplay', 'startBackup', 'stopBackup'];

const C = '/v2/storage/components/generic-extractor/configs';

const table = (name: string): object => ({
  tableId: `in.c-audit.${name}`,
  mapping: { columns: [{ type: 'uuid', name: 'id' }] },
});

/** Ids for a path: of what is there, and of what was deleted. */
async function prepare(name: string): Promise<readonly Readonly<Record<string, string>>[]> {
  const sinks = [
    { name: 'k', table: table(name) },
    { name: 'gone', table: table(name) },
    { name: 'replayed', table: table(name) },
  ];
  await harness.api.task('POST', S, { type: 'http', name, sinks });
  await harness.api.task('DELETE', `${S}/${name}/sinks/gone`);
  // Nobody imports here: it runs until it is stopped.
  await harness.api.call('POST', `${S}/${name}/sinks/replayed/dead-letters/replay`, {});
  await harness.api.task('POST', S, { type: 'http', name: `${name}-gone` });
  await harness.api.task('DELETE', `${S}/${name}-gone`);
  const { id: tokenId } = await harness.api.call<{ id: string }>('POST', T, {});
  // Nothing depends on it.
  const { id: bucketId } = await harness.api.call<{ id: string }>('POST', '/v2/storage/buckets', { stage: 'in', name });
  const tableId = `in.c-audit.${name}-free`;
  await harness.tableStore.createTable(tableId as TableId, ['a', 'b'], { signal: new AbortController().signal });
  for (const configurationId of [name, `${name}-gone`]) await harness.api.call('POST', C, { name, configurationId });
  await harness.api.call('POST', `${C}/${name}/rows`, { rowId: 'r' });
  await harness.api.call('PUT', `${C}/${name}/schedule`, { cron: '0 3 * * *' });
  await harness.api.call('DELETE', `${C}/${name}-gone`);
  await harness.api.call('POST', '/v2/storage/vault/variables', { name, value: 'secret' });
  await harness.api.call('POST', '/v2/storage/branch/default/vault/variables', { name, value: 'secret' });
  const { id: jobId } = await harness.api.call<{ id: string }>('POST', '/jobs', anyJob);
  const { id: fileId } = await harness.api.call<{ id: number }>('POST', '/v2/storage/files/prepare', { name });
  const component = { componentId: 'generic-extractor', configurationId: name, rowId: 'r', name };
  const always = {
    branchId: 'default',
    versionNumber: '1',
    tokenId,
    tableId,
    bucketId,
    jobId,
    columnName: 'b',
    fileId: String(fileId),
    tag: 't',
    ...component,
  };
  return [
    { ...always, sourceId: name, sinkId: 'k' },
    { ...always, sourceId: name, sinkId: 'gone' },
    { ...always, sourceId: `${name}-gone`, sinkId: 'k' },
    { ...always, configurationId: `${name}-gone`, sourceId: name, sinkId: 'k' },
    { ...always, sourceId: name, sinkId: 'replayed' },
  ];
}

/** Calls the route in every way until one is accepted; answers what was refused otherwise. */
async function succeed(route: Route, name: string): Promise<string | undefined> {
  const refused: string[] = [];
  const given = bodiesOfRoutes[route.operationId];
  for (const ids of await prepare(name)) {
    const path = route.path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => ids[parameter] ?? parameter);
    for (const body of given === undefined ? [undefined, {}] : [given(name)]) {
      const { status, text } = await harness.api.request(route.method, path, body);
      if (status < 300) return undefined;
      refused.push(`${route.method} ${path}: ${status} ${text}`);
    }
  }
  return refused.join('\n');
}

const changes = routeTable.filter(({ changes: does }) => does);

test('every route that is not a GET is a change', () => {
  const others = routeTable.filter((route) => route.method !== 'GET' && !route.changes);
  expect(others.map(({ operationId }) => operationId)).toEqual(changesNothing);
});

test.each(changes.map((route, index) => ({ operation: route.operationId, index, route })))(
  '$operation leaves an entry in the audit trail',
  async ({ operation, index, route }) => {
    const refused = await succeed(route, `s${index}`);
    expect(refused, 'no call of this route is accepted: give `bodiesOfRoutes` one that is').toBeUndefined();
    const path = `/v1/branches/default/audit?operation=${operation}&limit=1`;
    const newest = async (): Promise<unknown> =>
      (await harness.api.call<{ entries: readonly unknown[] }>('GET', path)).entries[0];
    await expect.poll(newest).toMatchObject({ operation, outcome: 'success' });
    const text = JSON.stringify(await newest());
    const { object } = JSON.parse(text) as { readonly object?: object };
    expect(object, 'an operation that makes something says what: `begin` or `made` of its change').toBeDefined();
    expect(text).not.toMatch(/"hash"|"token":|\b[0-9A-Za-z]{40,}\b/);
  },
);
