import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { TokenStore, tokenHash } from '../../src/control/store/tokens.ts';
import { MillraceError } from '../../src/core/millrace-error.ts';
import { StatusBoard } from '../../src/stages/status/status-board.ts';
import { ensureInstallation, noteClaimed, noteLocation } from '../../src/stages/claims/installation.ts';
import { parseInstallationId } from '../../src/core/installation-id.ts';
import { ProvenAges } from '../../src/stages/retain/proven-ages.ts';
import { collections } from '../../src/ports/catalog.ts';
import { startAdmin, type AdminHarness } from '../support/admin-harness.ts';
import { DeliveryWorld, never, source } from '../support/faults/delivery-world.ts';
import { deleteSink } from '../support/faults/delete-sink.ts';
import {
  BusyNewerRelease,
  CatalogOfTwoReleases,
  withNewerFields,
  withNewerFieldsEverywhere,
} from '../support/newer-release.ts';
import { putRaw } from '../support/put-raw.ts';

const [sources, shop] = ['/v1/branches/default/sources', '/v1/branches/default/sources/shop'];

/** Source `shop` with sink `a`. */
async function makeShop({ api }: AdminHarness): Promise<void> {
  const table = { type: 'keboola', tableId: 'in.c-shop.a', mapping: { columns: [{ type: 'uuid', name: 'id' }] } };
  await api.task('POST', sources, { sourceId: 'shop', type: 'http', name: 'Shop' });
  await api.task('POST', `${shop}/sinks`, { sinkId: 'a', type: 'table', name: 'A', table });
}

test('U1: a life of a sink beside a newer release leaves what that one wrote into documents', async () => {
  const releases = new CatalogOfTwoReleases();
  await using world = await DeliveryWorld.open({ beside: releases });
  const sink = await world.addSink();
  const member = world.member('main', { roles: ['map', 'stage', 'import', 'collect'] });
  await member.start();
  member.faults.add({ port: 'tables', method: 'importSlices', kind: 'lostRequest' });
  await world.produce(20, { brokenEvery: 6 });
  await world.delivered(sink);
  await world.produce(20);
  await world.delivered(sink);
  expect(releases.changed).toContain('progress');
  await deleteSink(world, sink);
  await world.until(() => member.told.purged === 1, 1000);
  expect(releases.lost).toEqual([]);
});

test('U1: what keeps a sink from being served is told beside a newer release', async () => {
  const releases = new CatalogOfTwoReleases();
  await using world = await DeliveryWorld.open({ beside: releases });
  const { catalog } = world.ports;
  const { incarnation } = await world.addSink();
  const observer = { sinkFailed: () => undefined, sinkHealed: () => undefined };
  const board = new StatusBoard({ catalog, clock: world.clock, role: 'import', member: 'main', observer });
  for (const text of ['first', 'second']) {
    board.report({ incarnation }, new MillraceError('table.notFound', text), 1000);
    await board.settled();
  }
  expect(await world.statuses()).toEqual(['import: table.notFound']);
  expect(releases.changed).toEqual(new Set(['sink-status']));
  expect(releases.lost).toEqual([]);
});

test('U1: operations leave what a newer release wrote into the documents that they change', async () => {
  const releases = new CatalogOfTwoReleases();
  await using harness = await startAdmin((dependencies) => ({
    ...dependencies,
    catalog: releases.beside(dependencies.catalog),
  }));
  const { api } = harness;
  await makeShop(harness);
  await api.task('PATCH', `${shop}/sinks/a`, { description: 'Changed.' });
  await api.task('PUT', `${shop}/disable`);
  await api.task('PUT', `${shop}/enable`);
  await api.task('POST', `${shop}/sinks/a/flush`);
  await api.task('DELETE', shop);
  expect([...releases.changed].toSorted()).toEqual(['audit', 'meta', 'progress', 'sink', 'source', 'task']);
  expect(releases.lost).toEqual([]);
});

test('U1: what a newer release writes between the reading and the writing of an operation stays', async () => {
  const newer = new BusyNewerRelease();
  await using harness = await startAdmin((dependencies) => ({
    ...dependencies,
    catalog: newer.beside(dependencies.catalog),
  }));
  const { api } = harness;
  await makeShop(harness);
  for (const at of [shop, `${shop}/sinks/a`]) {
    const before = newer.changes;
    await api.task('PATCH', at, { description: 'Changed.' });
    await api.task('PUT', `${at}/versions/1/rollback`);
    await api.call('PATCH', `${at}/settings`, {
      settings: [{ key: 'storage.level.staging.upload.trigger.count', value: 77 }],
    });
    await api.task('PUT', `${at}/disable`);
    await api.task('PUT', `${at}/enable`);
    expect(newer.changes - before).toBeGreaterThanOrEqual(5);
  }
  await api.call('POST', `${shop}/rotate-secret`);
  for (const at of [`${shop}/sinks/a`, shop]) {
    await api.task('DELETE', at);
    await api.task('PUT', `${at}/undelete`);
  }
  expect(newer.lost).toEqual([]);
});

test('U1: what comes back has the fields that a newer release had given it', async () => {
  await using harness = await startAdmin();
  const { api } = harness;
  const { catalog } = harness.dependencies;
  const stored = async (collection: 'source' | 'sink'): Promise<readonly [string, object]> => {
    const [found] = await catalog.list({ collection, prefix: '' }, never);
    return [found?.id ?? '', found?.value as object];
  };
  await makeShop(harness);
  for (const collection of ['source', 'sink'] as const) {
    const [id, value] = await stored(collection);
    await putRaw(catalog, { collection, id, value: withNewerFields(value) });
  }
  await api.task('DELETE', shop);
  await api.task('PUT', `${shop}/undelete`);
  for (const collection of ['source', 'sink'] as const) {
    const [, value] = await stored(collection);
    expect(value, collection).toHaveProperty('fromANewerRelease');
    expect(value, collection).not.toHaveProperty('deleted');
  }
  expect(await api.call('GET', `${shop}/sinks/a`)).not.toHaveProperty('fromANewerRelease');
});

test('U1: a token that gets another text keeps what a newer release wrote into it', async () => {
  const releases = new CatalogOfTwoReleases();
  await using world = await DeliveryWorld.open({ beside: releases });
  const catalog = world.ports.catalog;
  const tokens = new TokenStore({ catalog, random: randomBytes, projectId: 1, rootTokenHash: tokenHash('root') });
  const created = { at: new Date(0).toISOString(), by: { type: 'system' } } as const;
  const { token } = await tokens.issue({ description: 'a', scope: { kind: 'admin' }, created }, never);
  await tokens.refresh(token.id, created.at, never);
  expect(releases.changed).toContain('token');
  expect(releases.lost).toEqual([]);
});

test('U1: what an installation knows of its stores and its time is kept beside a newer release', async () => {
  const releases = new CatalogOfTwoReleases();
  await using world = await DeliveryWorld.open({ beside: releases });
  const { catalog } = world.ports;
  await ensureInstallation(catalog, parseInstallationId('0197c3a0-0000-7000-8000-000000000001'), never);
  await noteClaimed(catalog, 'staging', never);
  await noteLocation(catalog, { store: 'staging', location: 'bucket', replace: false }, never);
  for (let life = 0; life < 2; life += 1) {
    const ages = new ProvenAges({ catalog, clock: world.clock });
    await ages.look(never);
    ages.provenBefore({ topic: source, partition: 0 }, { identity: 'i', end: life, ageMs: 1000 });
    await ages.save(new Set([source]), never);
  }
  expect(releases.changed).toEqual(new Set(['meta']));
  expect(releases.lost).toEqual([]);
});

test('U1: no answer shows what a newer release wrote', async () => {
  await using harness = await startAdmin();
  const { api, dependencies } = harness;
  const { catalog } = dependencies;
  const columns = [
    { type: 'uuid', name: 'id' },
    { type: 'path', name: 'p', path: 'p' },
    { type: 'template', name: 't', template: { language: 'jsonnet', content: '1' } },
  ];
  await api.task('POST', sources, { sourceId: 'shop', type: 'http', name: 'Shop' });
  for (const sinkId of ['a', 'b']) {
    const table = { type: 'keboola', tableId: `in.c-shop.${sinkId}`, mapping: { columns } };
    await api.task('POST', `${shop}/sinks`, { sinkId, type: 'table', name: 'A', table });
  }
  await api.task('PATCH', `${shop}/sinks/a`, { description: 'x' });
  await api.task('PUT', `${shop}/sinks/a/disable`);
  await api.task('DELETE', `${shop}/sinks/b`);
  const task = await api.task('PUT', `${shop}/sinks/a/enable`);
  for (const collection of collections) {
    // What the audit trail keeps of definitions is shown as it was kept.
    if (collection === 'meta' || collection === 'audit') continue;
    for (const { id, value } of await catalog.list({ collection, prefix: '' }, never))
      await putRaw(catalog, { collection, id, value: withNewerFieldsEverywhere(value as object) as object });
  }
  const leaks: string[] = [];
  for (const path of [
    sources,
    shop,
    `${shop}/settings`,
    `${shop}/versions`,
    `${shop}/versions/1`,
    `${shop}/sinks`,
    `${shop}/sinks/a`,
    `${shop}/sinks/deleted`,
    `${shop}/sinks/a/settings`,
    `${shop}/sinks/a/versions`,
    `${shop}/sinks/a/versions/1`,
    `${shop}/sinks/a/progress`,
    `${shop}/sinks/a/imports`,
    `${shop}/sinks/a/statistics/total`,
    `${shop}/sinks/a/statistics/files`,
    '/v1/branches/default/audit?limit=100',
    '/v1/branches/default/aggregation/sources',
    '/v2/storage/tokens',
    `/v1/tasks/${String(task['taskId'])}`,
  ]) {
    const { status, body } = await api.request('GET', path);
    if (status !== 200) leaks.push(`${path}: ${status} ${JSON.stringify(body)}`);
    else if (JSON.stringify(body).includes('fromANewerRelease')) leaks.push(path);
  }
  expect(leaks).toEqual([]);
});
