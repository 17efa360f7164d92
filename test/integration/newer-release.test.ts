import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { TokenStore, tokenHash } from '../../src/admin/store/tokens.ts';
import { MillraceError } from '../../src/core/millrace-error.ts';
import { StatusBoard } from '../../src/stages/status/status-board.ts';
import { close } from '../../src/core/progress/switch.ts';
import { ensureInstallation, noteClaimed } from '../../src/stages/claims/installation.ts';
import { parseInstallationId } from '../../src/core/installation-id.ts';
import { ProvenAges } from '../../src/stages/retain/proven-ages.ts';
import { startAdmin } from '../support/admin-harness.ts';
import { DeliveryWorld, never, source } from '../support/faults/delivery-world.ts';
import { CatalogOfTwoReleases } from '../support/newer-release.ts';

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
  const ends = await world.ends();
  await world.change(sink, (progress) => close(progress, ends, { deleted: true }));
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
  const [sources, shop] = ['/v1/branches/default/sources', '/v1/branches/default/sources/shop'];
  const table = { tableId: 'in.c-shop.a', mapping: { columns: [{ type: 'uuid', name: 'id' }] } };
  await api.task('POST', sources, { sourceId: 'shop', type: 'http', name: 'Shop' });
  await api.task('POST', `${shop}/sinks`, {
    sinkId: 'a',
    type: 'table',
    name: 'A',
    table: { type: 'keboola', ...table },
  });
  await api.task('PATCH', `${shop}/sinks/a`, { description: 'Changed.' });
  await api.task('PUT', `${shop}/disable`);
  await api.task('PUT', `${shop}/enable`);
  await api.task('POST', `${shop}/sinks/a/flush`);
  await api.task('DELETE', shop);
  expect([...releases.changed].toSorted()).toEqual(['audit', 'meta', 'progress', 'sink', 'source', 'task']);
  expect(releases.lost).toEqual([]);
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
  for (let life = 0; life < 2; life += 1) {
    const ages = new ProvenAges({ catalog, clock: world.clock });
    await ages.look(never);
    ages.provenBefore({ topic: source, partition: 0 }, { identity: 'i', end: life, ageMs: 1000 });
    await ages.save(new Set([source]), never);
  }
  expect(releases.changed).toEqual(new Set(['meta']));
  expect(releases.lost).toEqual([]);
});
