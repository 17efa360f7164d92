import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { Api } from '../../test/support/api.ts';
import { bodiesOfRoutes } from '../../test/support/request-of-route.ts';
import { endedStorageJob, uploadedFile, type ShownStorageJob } from '../../test/support/storage-jobs.ts';
import type { Route } from './route/route.ts';
import { routeTable } from './routes/families.ts';

/** In everything that a token of another bucket may not see. */
const mark = 'only-for-its-own';
const hidden = 'in.c-hidden';
const T = '/v2/storage/tokens';
const F = '/v2/storage/files';

interface Issued {
  readonly id: string;
  readonly token: string;
}

let harness: AdminHarness;
const ids: Record<string, string> = { bucketId: hidden, tableId: `${hidden}.t`, columnName: mark, tag: mark };

const issue = (body: object): Promise<Issued> => harness.api.call<Issued>('POST', T, body);
async function as(bucketPermissions: object): Promise<Api & { readonly text: string }> {
  const { token } = await issue({ bucketPermissions });
  return Object.assign(new Api(harness.base, token), { text: token });
}
const refused = { status: 403, body: { code: 'accessDenied', error: "You don't have access to the resource." } };

async function loaded(api: Api, job: ShownStorageJob): Promise<void> {
  expect(await endedStorageJob(api, job)).toMatchObject({ status: 'success' });
}

beforeAll(async () => {
  harness = await startAdmin();
  const { api } = harness;
  for (const [name, displayName] of [
    ['hidden', mark],
    ['shop', 'shop'],
    ['crm', 'crm'],
  ])
    await api.call('POST', '/v2/storage/buckets', { stage: 'in', name, displayName });
  for (const bucket of [hidden, 'in.c-shop', 'in.c-crm'])
    await api.call('POST', `/v2/storage/buckets/${bucket}/tables-definition`, {
      name: 't',
      columns: [{ name: bucket === hidden ? mark : 'id' }],
    });
  const { token } = await issue({ role: 'limited', canManageBuckets: true });
  const file = await uploadedFile(`${mark}\n${mark}\n`, {
    base: harness.base,
    token,
    fields: { name: mark, tags: [mark] },
  });
  ids['fileId'] = String(file);
  const load = { dataFileId: file, incremental: true };
  const job = await api.call<ShownStorageJob>('POST', `/v2/storage/tables/${hidden}.t/import-async`, load);
  ids['jobId'] = String(job.id);
  await loaded(api, job);
});

afterAll(() => harness[Symbol.asyncDispose]());

const pathOf = ({ path }: Route, more: Readonly<Record<string, string>> = {}): string =>
  path.replaceAll(/\{(\w+)\*?\}/g, (_, name: string) => more[name] ?? ids[name] ?? 'none');
const ofTables = routeTable.filter(({ access }) => ['readTables', 'writeTables', 'manageBuckets'].includes(access));

test('K2: the token of some buckets shows them', async () => {
  const rights = { 'in.c-shop': 'read', 'in.c-crm': 'write' };
  const { id, token } = await issue({ bucketPermissions: rights });
  const shown = { bucketPermissions: rights, canManageBuckets: false, admin: { role: 'limited' } };
  expect(await harness.api.call('GET', `${T}/${id}`)).toMatchObject(shown);
  expect(await new Api(harness.base, token).call('GET', `${T}/verify`)).toMatchObject(shown);
});

test('K2: it lists its buckets and their tables, and no others', async () => {
  const api = await as({ 'in.c-shop': 'read', 'in.c-crm': 'write' });
  expect(await api.call('GET', '/v2/storage/buckets')).toMatchObject([{ id: 'in.c-crm' }, { id: 'in.c-shop' }]);
  expect(await api.call('GET', '/v2/storage/tables')).toMatchObject([{ id: 'in.c-crm.t' }, { id: 'in.c-shop.t' }]);
  expect(await (await as({ 'in.c-crm': 'read' })).call('GET', '/v2/storage/tables')).toMatchObject([
    { id: 'in.c-crm.t' },
  ]);
});

test('K2: it sees nothing of another bucket, and nothing of the files and jobs of others', async () => {
  const api = await as({ 'in.c-shop': 'write' });
  const shown = ofTables.filter(({ method }) => method === 'GET');
  for (const route of shown) {
    const [own, admin] = [await api.request('GET', pathOf(route)), await harness.api.request('GET', pathOf(route))];
    expect([route.operationId, admin.text.includes(mark)]).toEqual([
      route.operationId,
      route.operationId !== 'listTableDependents',
    ]);
    expect([route.operationId, own.text.includes(mark)]).toEqual([route.operationId, false]);
  }
});

test('K2: it changes nothing of another bucket, and no file of others', async () => {
  const api = await as({ 'in.c-shop': 'write' });
  const seen = async () => [
    await harness.api.call('GET', '/v2/storage/tables'),
    await harness.api.call('GET', '/v2/storage/buckets'),
    await harness.api.call('GET', F),
  ];
  const before = await seen();
  for (const route of ofTables.filter((one) => one.changes && one.operationId !== 'prepareFile')) {
    const body = bodiesOfRoutes[route.operationId]?.('x') ?? {};
    const { status } = await api.request(route.method, pathOf(route), body);
    const ofFile = route.path.includes('{fileId}');
    expect([route.operationId, status]).toEqual([route.operationId, ofFile ? 404 : 403]);
  }
  expect(await seen()).toEqual(before);
});

test('K2: who may write a bucket reads it and loads files that it prepared itself', async () => {
  const api = await as({ 'in.c-shop': 'write' });
  const dataFileId = await uploadedFile('id\n1\n', { base: harness.base, token: api.text });
  const load = '/v2/storage/tables/in.c-shop.t/import-async';
  const job = await api.call<ShownStorageJob>('POST', load, { dataFileId });
  await loaded(api, job);
  const preview = await api.request('GET', '/v2/storage/tables/in.c-shop.t/data-preview');
  expect(preview.text).toBe('"id"\n"1"\n');
  expect(await api.call('GET', '/v2/storage/jobs')).toMatchObject([{ id: job.id }]);
  expect(await api.call('GET', F)).toMatchObject([{ id: dataFileId }]);
  const made = { name: 'made', dataFileId };
  const second = await api.call<ShownStorageJob>('POST', '/v2/storage/buckets/in.c-shop/tables-async', made);
  await loaded(api, second);
  const notIts = { status: 404, body: { code: 'storage.files.notFound' } };
  for (const path of [load, '/v2/storage/buckets/in.c-shop/tables-async'])
    expect(await api.request('POST', path, { dataFileId: Number(ids['fileId']), name: 'x' })).toMatchObject(notIts);
});

test('K2: who may only read a bucket changes nothing, and prepares no file', async () => {
  const api = await as({ 'in.c-crm': 'read' });
  for (const route of ofTables.filter(({ changes }) => changes)) {
    const body = bodiesOfRoutes[route.operationId]?.('x') ?? {};
    const path = pathOf(route, { bucketId: 'in.c-crm', tableId: 'in.c-crm.t' });
    expect([route.operationId, await api.request(route.method, path, body)]).toMatchObject([
      route.operationId,
      refused,
    ]);
  }
});

test('K2: a right on a bucket is one in any letter case, and none on one whose id begins alike', async () => {
  const api = await as({ 'in.C-SHOP': 'read' });
  expect(await api.call('GET', `${T}/verify`)).toMatchObject({ bucketPermissions: { 'in.c-shop': 'read' } });
  expect((await api.request('GET', '/v2/storage/buckets/in.C-SHOP')).status).toBe(404);
  for (const id of ['in.c-shop2', 'in.c-sho', 'in', 'in.c-crm', '%20in.c-shop', 'in.c-shop%2F..%2Fin.c-crm'])
    expect([id, await api.request('GET', `/v2/storage/buckets/${id}`)]).toMatchObject([id, refused]);
});

test('K2: a bucket that is made again under the id has the right again, and while it is gone nothing is there', async () => {
  const bucket = { stage: 'out', name: 'again' };
  await harness.api.call('POST', '/v2/storage/buckets', bucket);
  const api = await as({ 'out.c-again': 'read' });
  await harness.api.request('DELETE', '/v2/storage/buckets/out.c-again');
  expect((await api.request('GET', '/v2/storage/buckets/out.c-again')).status).toBe(404);
  expect(await api.call('GET', '/v2/storage/buckets')).toEqual([]);
  await harness.api.call('POST', '/v2/storage/buckets', bucket);
  expect(await api.call('GET', '/v2/storage/buckets')).toMatchObject([{ id: 'out.c-again' }]);
});

test('K2: it has to do with components that it names, and with no sources', async () => {
  const { token } = await issue({ bucketPermissions: { 'in.c-shop': 'read' }, componentAccess: ['variables'] });
  const api = new Api(harness.base, token);
  expect(await api.call('GET', '/v2/storage/components')).toMatchObject([{ id: 'variables' }]);
  expect((await api.request('GET', '/v2/storage/components/variables/configs')).status).toBe(200);
  expect((await api.request('GET', '/v2/storage/components/generic-extractor/configs')).status).toBe(403);
  expect((await api.request('GET', '/v1/branches/default/sources')).status).toBe(403);
});

const many = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`in.c-b${at}`, 'read']));
test.each([
  [{ 'in.c-shpo': 'read' }, {}, 'there is no such bucket; did you mean "in.c-shop"?'],
  [{ 'in.c-missing-altogether': 'read' }, {}, 'create it first'],
  [{ '': 'read' }, {}, 'there is no such bucket'],
  [{ 'in.c-shop': 'manage' }, {}, 'invalid value "manage" for "in.c-shop" in body.bucketPermissions: the right'],
  [{ 'in.c-shop': 'Read' }, {}, 'is "read" or "write"'],
  [{ 'in.c-shop': 'read', 'in.C-shop': 'write' }, {}, 'names the bucket "in.c-shop" twice'],
  [many, {}, 'names 101 buckets, the maximum is 100'],
  [{ 'in.c-shop': 'read' }, { role: 'readOnly' }, 'cannot be limited for role "readOnly"'],
  [{ 'in.c-shop': 'read' }, { role: 'admin' }, 'cannot be limited for role "admin"'],
  [{ 'in.c-shop': 'read' }, { canManageBuckets: true }, 'says nothing beside "canManageBuckets"'],
])('K2, D9: rights that cannot be are refused in words: %#', async (bucketPermissions, more, text) => {
  const answer = await harness.api.request('POST', T, { bucketPermissions, ...more });
  expect(answer).toMatchObject({ status: 400, body: { code: 'storage.tokens.invalidPermissions' } });
  expect((answer.body as { error: string }).error.toLowerCase()).toContain(text.toLowerCase());
});
