import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { putRaw } from '../../../test/support/put-raw.ts';
import { Faults } from '../../../test/support/faults/faults.ts';
import { openLmdbCatalog } from '../../adapters/lmdb/catalog.ts';
import { sinkStatusDocuments } from '../../documents/sink-status-document.ts';
import { statusId } from '../../documents/document-id.ts';
import { parseIncarnation } from '../../core/ids.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { isStale, type SinkStatus } from '../../core/sink-status.ts';
import { RetryPacing } from '../../core/retry-pacing.ts';
import type { Catalog } from '../../ports/catalog.ts';
import { StatusBoard } from './status-board.ts';

const never = new AbortController().signal;
const incarnation = parseIncarnation(7);
const [first, second] = [
  { incarnation, partition: 0 },
  { incarnation, partition: 1 },
];
const away = new MillraceError('log.unavailable', 'the log is away');
const gap = new MillraceError('progress.gap', 'offsets are missing');
let folder: string;
let catalog: Catalog;
let board: StatusBoard;
let told: string[];
let now: number;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-status-'));
  catalog = await openLmdbCatalog({ path: folder });
  told = [];
  now = Date.UTC(2024, 0, 1);
  board = new StatusBoard({
    catalog,
    clock: { now: () => now, monotonic: () => 0, sleep: () => Promise.resolve() },
    role: 'stage',
    member: 'one',
    observer: {
      sinkFailed: ({ code, attempts }) => told.push(`${code} ${attempts}`),
      sinkHealed: ({ code }) => told.push(`healed ${code}`),
    },
  });
});

afterEach(async () => {
  await catalog[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

async function shown(): Promise<SinkStatus | undefined> {
  await board.settled();
  const [found] = await catalog.list({ collection: 'sink-status', prefix: '' }, { signal: never });
  return found === undefined ? undefined : sinkStatusDocuments.parse(found.value);
}

describe('the status of a sink', () => {
  it('D6: says why, since when, how often it was tried and when it is tried again', async () => {
    board.report(first, away, 500);
    now += 500;
    expect(board.report(first, gap, 1000)).toBe(2);
    expect(await shown()).toEqual({
      incarnation,
      role: 'stage',
      code: 'progress.gap',
      message: 'offsets are missing',
      since: '2024-01-01T00:00:00.000Z',
      lastTryAt: '2024-01-01T00:00:00.500Z',
      nextTryAt: '2024-01-01T00:00:01.500Z',
      attempts: 2,
      partitions: [0],
    });
    board.clear(first);
    expect(await shown()).toBeUndefined();
    expect(told).toEqual(['log.unavailable 1', 'progress.gap 2', 'healed progress.gap']);
  });

  it('D6: is tried again later with each failure in a row, as it says', async () => {
    const retry = new RetryPacing({ firstMs: 500, capMs: 60_000 }, () => 0.5);
    expect([board.failed(first, away, retry), board.failed(first, away, retry)]).toEqual([500, 1000]);
    expect(board.failed(second, away, retry)).toBe(500);
    expect((await shown())?.nextTryAt).toBe('2024-01-01T00:00:01.000Z');
  });

  it('D6: is not hidden by a partition that goes on, nor is its count of tries', async () => {
    board.report(first, gap, 500);
    board.clear(second);
    expect(board.report(first, gap, 500)).toBe(2);
    expect((await shown())?.attempts).toBe(2);
    expect(board.attempts(second)).toBe(0);
  });

  it('D6: is taken back later when the catalog was away at the moment that it healed', async () => {
    const faults = new Faults();
    board = new StatusBoard({
      catalog: faults.before('catalog', catalog),
      clock: { now: () => now, monotonic: () => 0, sleep: () => Promise.resolve() },
      role: 'stage',
      member: 'one',
      observer: { sinkFailed: () => undefined, sinkHealed: () => undefined },
    });
    board.report(first, gap, 500);
    await board.settled();
    faults.away('catalog');
    board.clear(first);
    expect((await shown())?.code).toBe('progress.gap');
    board.writeAgain();
    expect((await shown())?.code).toBe('progress.gap');
    faults.back('catalog');
    board.writeAgain();
    expect(await shown()).toBeUndefined();
  });

  it('D6: is not written by a role that has ended', async () => {
    board.report(first, gap, 500);
    await board.settled();
    await board.close();
    board.clear(first);
    expect((await shown())?.code).toBe('progress.gap');
  });

  it('D6: shows the oldest failure, and the next one when that has healed', async () => {
    board.report(first, gap, 500);
    board.report(second, away, 500);
    expect((await shown())?.code).toBe('progress.gap');
    board.clear(first);
    expect((await shown())?.code).toBe('log.unavailable');
    board.clear(second);
    expect(await shown()).toBeUndefined();
    expect(told).toEqual(['progress.gap 1', 'log.unavailable 1', 'healed log.unavailable']);
  });

  it('D6, L4: a partition that tries no more neither hides one that does, nor explains anything; nor lets it go stale', async () => {
    board.report(first, gap, 500);
    board.report(second, away, 60_000);
    for (let tries = 0; tries < 10; tries += 1) {
      now += 60_000;
      board.report(second, away, 60_000);
      const status = await shown();
      expect(status === undefined || isStale(status, now)).toBe(false);
    }
    expect(await shown()).toMatchObject({ code: 'log.unavailable', partitions: [1], attempts: 11 });
    board.report(first, gap, 500);
    expect(await shown()).toMatchObject({ code: 'progress.gap', partitions: [0, 1] });
  });

  it('L4: says which partitions fail, so that what it says explains no other one; of a whole sink it says none', async () => {
    board.report(first, gap, 500);
    expect((await shown())?.partitions).toEqual([0]);
    board.report(second, away, 500);
    expect(await shown()).toMatchObject({ code: 'progress.gap', partitions: [0, 1] });
    board.clear(second);
    expect((await shown())?.partitions).toEqual([0]);
    board.report({ incarnation }, away, 500);
    expect((await shown())?.partitions).toBeUndefined();
    expect(told).toEqual(['progress.gap 1', 'log.unavailable 1']);
  });

  it('D6: shows a failure of the whole sink before that of a partition, though it is younger', async () => {
    board.report(first, gap, 500);
    board.report({ incarnation }, away, 500);
    expect((await shown())?.code).toBe('log.unavailable');
    board.report(first, gap, 500);
    expect((await shown())?.code).toBe('log.unavailable');
    board.clear({ incarnation });
    expect(await shown()).toMatchObject({ code: 'progress.gap', attempts: 2 });
    expect(told).toEqual(['progress.gap 1', 'log.unavailable 1', 'progress.gap 2']);
  });

  it('sweeps what its own earlier life left behind and what nobody stands behind, never what another member tells', async () => {
    const clock = { now: () => now, monotonic: () => 0, sleep: () => Promise.resolve() };
    const observer = { sinkFailed: () => undefined, sinkHealed: () => undefined };
    const other = new StatusBoard({ catalog, clock, role: 'stage', member: 'two', observer });
    board.report(first, gap, 500);
    other.report(first, away, 500);
    await Promise.all([board.settled(), other.settled()]);
    await board.sweep({ signal: never });
    expect((await shown())?.code).toBe(away.code);
    now += 121_000;
    await board.sweep({ signal: never });
    expect(await shown()).toBeUndefined();
  });

  it('U2: what a newer release tells of a sink keeps that of no other waiting', async () => {
    const newer = { format: { version: 2, oldestWriter: 2 } };
    await putRaw(catalog, { collection: 'sink-status', id: statusId(incarnation, 'stage', 'one'), value: newer });
    board.report(first, gap, 500);
    board.report({ incarnation: parseIncarnation(8) }, gap, 500);
    await board.settled();
    const told = await catalog.list({ collection: 'sink-status', prefix: '' }, { signal: never });
    expect(told.map(({ value }) => sinkStatusDocuments.tryParse(value)?.code)).toEqual([undefined, gap.code]);
  });

  it('U2: sweeps beside what a newer release tells in a way of its own', async () => {
    const newer = { role: 'measure', format: { version: 2, oldestWriter: 2 } };
    const [others, own] = [statusId(incarnation, 'stage', 'two'), statusId(incarnation, 'stage', 'one')];
    for (const id of [others, own]) await putRaw(catalog, { collection: 'sink-status', id, value: newer });
    await board.sweep({ signal: never });
    const left = await catalog.list({ collection: 'sink-status', prefix: '' }, { signal: never });
    expect(left.map(({ id }) => id)).toEqual([others]);
  });
});
