import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FakeClock } from '../../../test/support/fake-clock.ts';
import { Faults } from '../../../test/support/faults/faults.ts';
import { openLmdbCatalog } from '../../adapters/lmdb/catalog.ts';
import { workerMissedMs, workerSaidEveryMs } from '../../core/workforce.ts';
import { readWorkers } from '../../documents/read-workers.ts';
import type { Catalog } from '../../ports/catalog.ts';
import { WorkerPresence } from './worker-presence.ts';

const waiting = { signal: new AbortController().signal };
let folder: string;
let catalog: Catalog;
let clock: FakeClock;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-presence-'));
  catalog = await openLmdbCatalog({ path: join(folder, 'catalog') });
  clock = new FakeClock();
});

afterEach(async () => {
  await catalog[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const workers = () => readWorkers(catalog, waiting);
const now = (): string => new Date(clock.now()).toISOString();

async function round(presence: WorkerPresence): Promise<void> {
  presence.here(waiting);
  await presence.settled();
}

test('J1: a process says that it is there with its first round, and again when it is time', async () => {
  const presence = new WorkerPresence({ catalog, clock, member: 'one' });
  await round(presence);
  const first = now();
  expect(await workers()).toEqual([{ process: 'one', at: first }]);
  clock.advance(workerSaidEveryMs - 1);
  await round(presence);
  expect(await workers()).toEqual([{ process: 'one', at: first }]);
  clock.advance(1);
  await round(presence);
  expect(await workers()).toEqual([{ process: 'one', at: now() }]);
});

test('J1: what could not be said is said with the next round', async () => {
  const faults = new Faults();
  const presence = new WorkerPresence({ catalog: faults.before('catalog', catalog), clock, member: 'one' });
  faults.away('catalog');
  await round(presence);
  expect(await workers()).toEqual([]);
  faults.back('catalog');
  await round(presence);
  expect(await workers()).toHaveLength(1);
});

test('D8: who comes removes what was said long ago by those that are gone', async () => {
  await round(new WorkerPresence({ catalog, clock, member: 'old' }));
  clock.advance(workerMissedMs);
  await round(new WorkerPresence({ catalog, clock, member: 'recent' }));
  clock.advance(workerMissedMs + 1);
  await round(new WorkerPresence({ catalog, clock, member: 'new' }));
  expect((await workers()).map(({ process }) => process)).toEqual(['new', 'recent']);
});
