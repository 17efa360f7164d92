import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openLmdbCatalog } from '../../adapters/lmdb/catalog.ts';
import type { BranchId } from '../../core/ids.ts';
import type { Catalog } from '../../ports/catalog.ts';
import { systemClock } from '../../runtime/system-clock.ts';
import { AuditTrail } from './audit-trail.ts';
import { branchesOf, entriesOf, removeOldEntries } from './old-entries.ts';

const options = { signal: new AbortController().signal };
const [one, other] = [1, 22] as BranchId[] as [BranchId, BranchId];

let folder: string;
let catalog: Catalog;
let now: number;
const clock = { ...systemClock, now: () => now };

beforeEach(async () => {
  now = 1_800_000_000_000;
  folder = await mkdtemp(join(tmpdir(), 'millrace-audit-'));
  catalog = await openLmdbCatalog({ path: join(folder, 'catalog') });
});

afterEach(async () => {
  await catalog[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

function openTrail(): AuditTrail {
  return new AuditTrail({ catalog, ownCatalog: catalog, clock, chores: { add: () => undefined } });
}

async function begin(trail: AuditTrail, branchId: BranchId, count: number): Promise<void> {
  for (let made = 0; made < count; made += 1)
    await trail.begin({ branchId, operation: `change ${made}`, by: { type: 'system' }, requestId: '' }, options);
}

async function operations(branchId: BranchId): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { operation } of entriesOf(catalog, { branchId }, options)) found.push(operation);
  return found;
}

test('entries come newest first, also when the clock stands still, steps back, or another process was ahead of it', async () => {
  const trail = openTrail();
  await begin(trail, one, 1);
  now -= 60_000;
  await begin(trail, one, 2);
  const heir = openTrail();
  now += 60_000;
  await heir.begin({ branchId: one, operation: 'of the heir', by: { type: 'system' }, requestId: '' }, options);
  expect(await operations(one)).toEqual(['of the heir', 'change 1', 'change 0', 'change 0']);
});

test('D8: the oldest go when a branch has more than the bound, and only in that branch', async () => {
  const trail = openTrail();
  await begin(trail, one, 250);
  await begin(trail, other, 30);
  const bounds = { entries: 120, slack: 100, ageMs: 1000 };
  await removeOldEntries({ catalog, clock }, options, bounds);
  const left = await operations(one);
  expect([left.length, left[0], left.at(-1)]).toEqual([120, 'change 249', 'change 130']);
  expect(await operations(other)).toHaveLength(30);
  await begin(trail, one, 100);
  await removeOldEntries({ catalog, clock }, options, bounds);
  expect(await operations(one)).toHaveLength(220);
});

test('D8: what is older than the bound goes', async () => {
  const trail = openTrail();
  await begin(trail, one, 150);
  now += 2000;
  await begin(trail, one, 3);
  await begin(trail, other, 1);
  now += 500;
  await removeOldEntries({ catalog, clock }, options, { entries: 1000, slack: 0, ageMs: 1000 });
  expect(await operations(one)).toEqual(['change 2', 'change 1', 'change 0']);
  expect(await branchesOf(catalog, options)).toEqual([one, other]);
});

test('D8: an entry under an id of no branch keeps the oldest of no branch', async () => {
  const trail = openTrail();
  await begin(trail, one, 1);
  await begin(trail, other, 1);
  for (const id of ['0', '000000000000000/x', 'x'])
    await catalog.compareAndSet({ collection: 'audit', id, expected: undefined, value: {} }, options);
  expect(await branchesOf(catalog, options)).toEqual([one, other]);
});
