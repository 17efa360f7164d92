import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { withMethod } from '../../test/support/with-method.ts';
import type { Catalog } from '../ports/catalog.ts';

const S = '/v1/branches/default/sources';
const T = '/v2/storage/tokens';
const signal = new AbortController().signal;

let harness: AdminHarness;

beforeEach(async () => {
  harness = await startAdmin();
});

afterEach(() => harness[Symbol.asyncDispose]());

type Definition = Readonly<Record<string, unknown>>;

interface Entry {
  readonly id: string;
  readonly operation: string;
  readonly object?: object;
  readonly outcome: string;
  readonly error?: string;
  readonly task?: { readonly taskId: string; readonly url: string };
  readonly before?: Definition;
  readonly after?: Definition;
}

interface Trail {
  readonly page: { readonly totalCount: number; readonly lastId: string };
  readonly entries: readonly Entry[];
}

const trail = (query = ''): Promise<Trail> => harness.api.call<Trail>('GET', `/v1/branches/default/audit${query}`);

/** The trail once every entry in it is complete: that of a task is so some moments after its task. */
async function settledTrail(query = ''): Promise<readonly Entry[]> {
  let entries: readonly Entry[] = [];
  await expect
    .poll(async () => {
      ({ entries } = await trail(query));
      return entries.filter(({ outcome }) => outcome === 'processing');
    })
    .toEqual([]);
  return entries;
}

const sink = (name: string, columns = ['id']): object => ({
  name,
  table: {
    tableId: `in.c-shop.${name}`,
    mapping: { columns: columns.map((column) => ({ type: 'uuid', name: column })) },
  },
});

async function shop(): Promise<void> {
  await harness.api.task('POST', S, { type: 'http', name: 'shop', sinks: [sink('k'), sink('l')] });
}

describe('an entry', () => {
  test('of a task tells who, when, what, and the definition before and after', async () => {
    await shop();
    const task = await harness.api.task('PATCH', `${S}/shop/sinks/k`, { name: 'other' });
    const [update, create, ...others] = await settledTrail();
    expect(others).toEqual([]);
    expect(update).toMatchObject({
      operation: 'updateSink',
      object: { kind: 'sink', branchId: 1, sourceId: 'shop', sinkId: 'k' },
      by: { type: 'user', tokenId: '1', tokenDesc: 'root token' },
      outcome: 'success',
      task: { taskId: task['taskId'], url: task['url'] },
      before: { name: 'k', version: 1 },
      after: { name: 'other', version: 2 },
    });
    expect(create).toMatchObject({
      operation: 'createSource',
      object: { kind: 'source', sourceId: 'shop' },
      after: { name: 'shop', version: 1, sinks: { k: { version: 1 }, l: { version: 1 } } },
    });
    expect(create).not.toHaveProperty('before');
  });

  test('of a change inside the request is complete with its answer', async () => {
    await shop();
    const settings = [{ key: 'storage.level.staging.upload.trigger.interval', value: '5s' }];
    await harness.api.call('PATCH', `${S}/shop/settings`, { settings });
    const [entry] = (await trail('?operation=updateSourceSettings')).entries;
    expect(entry).toMatchObject({
      outcome: 'success',
      before: { settings: {} },
      after: { settings: { 'storage.level.staging.upload.trigger.interval': '5s' } },
    });
    expect(entry?.before).not.toHaveProperty('sinks');
  });

  test('of what cascades names the sinks that changed with it', async () => {
    await shop();
    await harness.api.task('PUT', `${S}/shop/sinks/l/disable`);
    await harness.api.task('PUT', `${S}/shop/disable`);
    const [entry] = await settledTrail('?operation=disableSource');
    const [before, after] = [entry?.before, entry?.after] as {
      readonly sinks: Definition;
      readonly disabled?: object;
    }[];
    expect([Object.keys(before?.sinks ?? {}), Object.keys(after?.sinks ?? {})]).toEqual([['k'], ['k']]);
    expect(before).not.toHaveProperty('disabled');
    expect(after).toMatchObject({ disabled: { reason: 'API' }, sinks: { k: { disabled: { withSource: true } } } });
  });

  test('of what changed nothing has no definition', async () => {
    await shop();
    await harness.api.task('PATCH', `${S}/shop`, {});
    const [entry] = await settledTrail('?operation=updateSource');
    expect(entry).toMatchObject({ outcome: 'success' });
    expect(entry).not.toHaveProperty('before');
    expect(entry).not.toHaveProperty('after');
  });

  test('of a task that failed has its reason', async () => {
    await shop();
    const other = { table: { tableId: 'in.c-shop.l', mapping: { columns: [{ type: 'uuid', name: 'elsewhere' }] } } };
    const failed = await harness.api
      .task('PATCH', `${S}/shop/sinks/k`, other)
      .catch((thrown: unknown) => String(thrown));
    const [entry] = await settledTrail('?operation=updateSink');
    expect(entry?.outcome).toBe('error');
    expect(failed).toContain(entry?.error);
    expect(entry).not.toHaveProperty('after');
  });

  test('is not made of a request that was refused', async () => {
    await shop();
    expect((await harness.api.request('POST', S, { type: 'http', name: 'shop' })).status).toBe(409);
    expect((await harness.api.request('PATCH', `${S}/nothing`, { name: 'x' })).status).toBe(404);
    expect((await harness.api.request('DELETE', `${T}/1`)).status).toBe(403);
    expect((await settledTrail()).map(({ operation }) => operation)).toEqual(['createSource']);
  });

  test('holds no secret of a source, and neither hash nor text of a token', async () => {
    await shop();
    const issued = await harness.api.call<{ id: string; token: string }>('POST', T, { description: 'deploy' });
    const refreshed = await harness.api.call<{ token: string }>('POST', `${T}/${issued.id}/refresh`);
    await harness.api.request('DELETE', `${T}/${issued.id}`);
    await harness.api.task('PATCH', `${S}/shop`, { name: 'other' });
    await settledTrail();
    const { catalog } = harness.dependencies;
    const kept = JSON.stringify(await catalog.list({ collection: 'audit', prefix: '' }, { signal }));
    const source = JSON.stringify(await catalog.list({ collection: 'source', prefix: '' }, { signal }));
    const secret = /"secrets":\[\{"text":"(\w{48})"/.exec(source)?.[1];
    expect(secret).toBeDefined();
    for (const text of [issued.token, refreshed.token, secret ?? '']) expect(kept).not.toContain(text);
    expect(kept).not.toMatch(/"hash"|[0-9a-f]{64}/);
    expect(kept).toContain('[masked]');
    const entries = (await trail(`?tokenId=${issued.id}`)).entries;
    expect(entries.map(({ operation }) => operation)).toEqual(['deleteToken', 'refreshToken', 'createToken']);
    expect(entries[0]).toMatchObject({ before: { description: 'deploy', scope: { kind: 'admin' } } });
  });
});

describe('the list', () => {
  test('goes from the newest to the oldest in pages, by filters, and counts all that fits them', async () => {
    await shop();
    for (const name of ['a', 'b', 'c']) await harness.api.task('PATCH', `${S}/shop/sinks/k`, { name });
    await settledTrail();
    const all = (await trail()).entries;
    expect(all.map(({ operation }) => operation)).toEqual(['updateSink', 'updateSink', 'updateSink', 'createSource']);
    const paged: string[] = [];
    for (let after = ''; ;) {
      const { entries, page } = await trail(`?sinkId=k&limit=2${after}`);
      expect(page.totalCount).toBe(3);
      paged.push(...entries.map(({ id }) => id));
      if (entries.length === 0) break;
      after = `&afterId=${page.lastId}`;
    }
    expect(paged).toEqual(all.slice(0, 3).map(({ id }) => id));
    const counts = async (query: string): Promise<number> => (await trail(query)).page.totalCount;
    expect(await counts('?sourceId=shop')).toBe(4);
    expect(await counts('?sourceId=other')).toBe(0);
    expect(await counts('?operation=createSource&outcome=success&by=1')).toBe(1);
    expect(await counts('?outcome=error')).toBe(0);
  });

  test('is that of its branch; a reader may read it', async () => {
    await harness.api.task('POST', '/v1/branches/5/sources', { type: 'http', name: 'far' });
    await shop();
    const { token } = await harness.api.call<{ token: string }>('POST', T, { role: 'readOnly' });
    const response = await fetch(`${harness.base}/v1/branches/5/audit`, { headers: { 'X-StorageApi-Token': token } });
    expect(await response.json()).toMatchObject({
      branchId: 5,
      page: { totalCount: 1 },
      entries: [{ operation: 'createSource' }],
    });
    expect((await settledTrail()).map(({ operation }) => operation)).toEqual(['createToken', 'createSource']);
  });

  test.each(['afterId=x', 'limit=0', 'limit=101', 'outcome=good'])('D9: %s is 400', async (query) => {
    expect((await harness.api.request('GET', `/v1/branches/default/audit?${query}`)).status).toBe(400);
  });
});

test('what an entry says of its object is what stood while its change had it alone, though another change follows at once', async () => {
  let follow: (() => Promise<unknown>) | undefined;
  await using followed = await startAdmin((dependencies) => {
    const { catalog } = dependencies;
    // Once a task is about to be seen as ended, its object is free.
    const compareAndSet: Catalog['compareAndSet'] = async (write, options) => {
      const next = write.collection === 'task' && 'finishedAt' in write.value ? follow : undefined;
      if (next !== undefined) follow = undefined;
      await next?.();
      return catalog.compareAndSet(write, options);
    };
    return { ...dependencies, catalog: withMethod(catalog, 'compareAndSet', compareAndSet) };
  });
  await followed.api.task('POST', S, { type: 'http', name: 'shop' });
  follow = () => followed.api.task('PATCH', `${S}/shop`, { name: 'second' });
  await followed.api.task('PATCH', `${S}/shop`, { name: 'first' });
  const both = async (): Promise<readonly Entry[]> =>
    (await followed.api.call<Trail>('GET', '/v1/branches/default/audit?operation=updateSource&outcome=success'))
      .entries;
  await expect.poll(both).toHaveLength(2);
  expect((await both()).toReversed()).toMatchObject([
    { before: { name: 'shop', version: 1 }, after: { name: 'first', version: 2 } },
    { before: { name: 'first', version: 2 }, after: { name: 'second', version: 3 } },
  ]);
});
