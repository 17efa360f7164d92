import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { progressOf } from '../../../test/support/progress-of.ts';
import { encodeOutcome, outcomeHeaders, type Outcome } from '../../core/outcome.ts';
import { limits } from '../../core/limits.ts';
import type { Interval } from '../../core/progress/intervals.ts';
import { entryOf, type PartitionEntry } from '../../core/progress/sink-progress.ts';
import type { RecordBatch } from '../../ports/event-log.ts';
import { Trigger } from '../../core/trigger.ts';
import { LineBlocks } from './line-blocks.ts';
import { OpenSlice } from './open-slice.ts';
import { Standing, type Stop } from './standing.ts';
import { placedRecord } from '../../../test/support/placed-record.ts';

const at = { topic: 'sink', identity: 'b', partition: 0, missing: 'lost' } as const;

let folder: string;
let slice: OpenSlice;
let standing: Standing;
let holes: number;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-standing-'));
  slice = new OpenSlice(folder, 'slice', new LineBlocks());
  holes = 0;
});

afterEach(async () => {
  slice.discard();
  await rm(folder, { recursive: true });
});

function standAt(entry: Partial<PartitionEntry>, follows = false): void {
  const value = progressOf(0);
  const base = { ...entryOf(value, 0), ...entry };
  const document = { value: { ...value, entries: { 0: base } }, revision: 1 };
  standing = new Standing({
    document,
    base,
    slice,
    partition: 0,
    onHoles: (count) => void (holes += count),
    follows,
  });
}

/** Rows of single offsets by one mapping version. */
function rows(offsets: readonly number[], mappingVersion = 1): readonly Outcome[] {
  return offsets.map((to) => ({
    kind: 'row',
    from: to - 1,
    to,
    mappingVersion,
    arrivedAt: 1,
    line: Buffer.from(`"${to}"\n`),
  }));
}

/** Hands it these outcomes as the records of the sink topic that begin at its position. */
function take(
  outcomes: readonly Outcome[],
  { fresh = true, headers = [] as readonly string[] } = {},
): Stop | undefined {
  const first = standing.sink;
  const records = outcomes.map((outcome, index) =>
    placedRecord({ value: encodeOutcome(outcome), headers, timestamp: 1 }, first + index),
  );
  const batch: RecordBatch = { ...at, first, next: first + records.length, records };
  const trigger = new Trigger({ count: 1000, sizeBytes: 1e9, intervalMs: 60_000, slices: Number.POSITIVE_INFINITY });
  return standing.take(batch, { index: 0, fresh, trigger, now: () => 1 });
}

const disabledAndEnabled: readonly Interval[] = [
  { start: 0, end: 3 },
  { start: 6, end: null },
];

describe('the rows that a reader takes, one after the other', () => {
  it('D3: those between two intervals are none of its rows, though each is the very next one', () => {
    standAt({ intervals: disabledAndEnabled });
    expect(take(rows([0, 1, 2, 3, 4, 5, 6, 7]))).toBeUndefined();
    expect(slice.rowCount).toBe(5);
    expect(standing.source).toBe(7);
    expect(standing.sink).toBe(8);
  });

  it('A49: the mapping of the last outcome taken is known, of a run without rows too, and not that of one passed over', () => {
    standAt({});
    expect(standing.mappedWith).toBeUndefined();
    expect(take([...rows([0, 1]), { kind: 'filtered', from: 1, to: 4, mappingVersion: 2 }])).toBeUndefined();
    expect(standing.mappedWith).toBe(2);
    expect(take(rows([3], 7))).toBeUndefined();
    expect(standing).toMatchObject({ source: 4, mappedWith: 2 });
  });

  it('D3: those past the end of the last interval are none of its rows', () => {
    standAt({ intervals: [{ start: 0, end: 3 }] });
    expect(take(rows([0, 1, 2, 3, 4]))).toBeUndefined();
    expect(slice.rowCount).toBe(3);
    expect(standing.source).toBe(2);
  });

  it('D3: those that were taken already are none of its rows', () => {
    standAt({ source: 2 });
    expect(take(rows([1, 2, 3, 3, 4]))).toBeUndefined();
    expect(slice.rowCount).toBe(2);
    expect(standing.source).toBe(4);
  });

  it('D2: takes of each outcome its line, to the byte, from wherever it lies in what was read', () => {
    standAt({});
    expect(take(rows([0, 1, 2]))).toBeUndefined();
    expect(slice.rows.content()).toEqual({ kind: 'bytes', bytes: Buffer.from('"0"\n"1"\n"2"\n') });
  });

  it('D2: a row that is missing stops it', () => {
    standAt({});
    expect(take(rows([0, 2]))).toEqual({ kind: 'gap', missing: [{ from: 0, to: 1 }], index: 1, at: 1, to: 2 });
    expect(slice.rowCount).toBe(1);
  });

  it('D2: rows behind what is to be mapped again are passed over until it comes', () => {
    standAt({ sink: 5, source: 2, torn: { low: 5, end: 8 } });
    expect(take(rows([5, 6, 7]))).toBeUndefined();
    expect(standing.awaits).toBe(true);
    expect(standing.hasMoved).toBe(false);
    expect(take(rows([3, 4, 5]))).toBeUndefined();
    expect(standing.awaits).toBe(false);
    expect(standing).toMatchObject({ sink: 11, source: 5 });
    expect(take(rows([7]))).toMatchObject({ kind: 'gap', missing: [{ from: 5, to: 6 }] });
    expect(slice.rowCount).toBe(3);
    expect(holes).toBe(0);
  });

  it('D7: one of another mapping version closes the slice before it is taken', () => {
    standAt({});
    expect(take([...rows([0, 1]), ...rows([2], 2)])).toEqual({ kind: 'close', index: 2, cause: 'mapping' });
    expect(slice.rowCount).toBe(2);
    expect(slice.mappingVersion).toBe(1);
    expect(standing.sink).toBe(2);
  });

  it('D7: a repeat of another mapping version closes nothing', () => {
    standAt({});
    expect(take([...rows([0, 1]), ...rows([1], 2), ...rows([2])])).toBeUndefined();
    expect(slice.rowCount).toBe(3);
  });

  it('D4: what makes no row is counted as far as it is wanted: filtered, lost and none', () => {
    standAt({ intervals: disabledAndEnabled });
    const run = (kind: 'filtered' | 'lost' | 'none', from: number, to: number): Outcome => ({
      kind,
      from,
      to,
      mappingVersion: 1,
    });
    expect(take([run('filtered', -1, 0), run('lost', 0, 3), run('none', 4, 8)])).toBeUndefined();
    expect(slice.counts).toEqual({ filtered: 1, holes: 2, none: 3, unpacked: 0 });
    expect(holes).toBe(2);
    expect(standing.source).toBe(8);
  });

  it('D4, A53: of a record that holds several events it takes all lines and counts each event', () => {
    standAt({});
    const events = {
      rows: 2,
      dead: 1,
      filtered: 3,
      rowLines: Buffer.from('"1"\n"2"\n'),
      deadLines: Buffer.from('"x"\n'),
    };
    const none = { rows: 0, dead: 0, filtered: 2, rowLines: Buffer.of(), deadLines: Buffer.of() };
    const packed = { kind: 'packed' as const, mappingVersion: 1 };
    expect(take([{ ...packed, from: -1, to: 0, arrivedAt: 5, ...none }])).toBeUndefined();
    expect(slice).toMatchObject({ lineCount: 0, mappingVersion: undefined });
    expect(take([{ ...packed, from: 0, to: 1, arrivedAt: 7, ...events }])).toBeUndefined();
    expect(slice).toMatchObject({ rowCount: 2, deadCount: 1, mappingVersion: 1, firstArrival: 7, lastArrival: 7 });
    expect(slice.counts).toEqual({ filtered: 5, holes: 0, none: 0, unpacked: 6 });
    expect(slice.rows.content()).toEqual({ kind: 'bytes', bytes: events.rowLines });
    expect(slice.dead.content()).toEqual({ kind: 'bytes', bytes: events.deadLines });
    expect(take([{ ...packed, from: 0, to: 1, arrivedAt: 7, ...events }])).toBeUndefined();
    expect(slice.rowCount).toBe(2);
    expect(take([{ ...packed, mappingVersion: 2, from: 1, to: 2, arrivedAt: 8, ...events }])).toMatchObject({
      kind: 'close',
      cause: 'mapping',
    });
  });

  it('D2: a batch that begins above its position says that the topic was torn', () => {
    standAt({ sink: 5 });
    const batch: RecordBatch = { ...at, first: 6, next: 7, records: [] };
    const trigger = new Trigger({ count: 1000, sizeBytes: 1e9, intervalMs: 60_000, slices: Number.POSITIVE_INFINITY });
    expect(standing.take(batch, { index: 0, fresh: true, trigger, now: () => 1 })).toEqual({
      kind: 'torn',
      index: 0,
      low: 6,
    });
  });

  it('D2: an offset that is missing in a log which leaves none out says that the topic was torn, also at its end', () => {
    const trigger = new Trigger({ count: 1000, sizeBytes: 1e9, intervalMs: 60_000, slices: Number.POSITIVE_INFINITY });
    const taking = { index: 0, fresh: true, trigger, now: () => 1 };
    const [first, second] = rows([0, 1]).map((outcome, index) =>
      placedRecord({ value: encodeOutcome(outcome), headers: [], timestamp: 1 }, index * 3),
    );
    if (first === undefined || second === undefined) throw new Error('there are two');
    standAt({});
    const middle: RecordBatch = { ...at, first: 0, next: 4, records: [first, second] };
    expect(standing.take(middle, taking)).toEqual({ kind: 'torn', index: 1, low: 3 });
    standAt({});
    const end: RecordBatch = { ...at, first: 0, next: 3, records: [first] };
    expect(standing.take(end, taking)).toEqual({ kind: 'torn', index: 1, low: 3 });
    standAt({});
    expect(standing.take({ ...middle, missing: 'none' }, taking)).toBeUndefined();
    expect(standing.sink).toBe(4);
  });
});

describe('a repeat that was read in a later epoch than the position', () => {
  beforeEach(() => {
    standAt({ epoch: 4 });
    take(rows([0, 1, 2]), { headers: outcomeHeaders(4) });
  });

  it('D2, D3: is of other events: the source has lost those that were taken', () => {
    const other = { headers: outcomeHeaders(5) };
    expect(take(rows([1]), other)).toEqual({ kind: 'cut', index: 0, cut: 1 });
    expect(take([{ kind: 'filtered', from: 0, to: 2, mappingVersion: 1 }], other)).toMatchObject({ kind: 'cut' });
  });

  it('D2, D3: is of other events, too, where it ends behind the position, as a run of filtered ones may', () => {
    const run = { kind: 'filtered', from: 1, to: 4, mappingVersion: 1 } as const;
    expect(take([run], { headers: outcomeHeaders(5) })).toEqual({ kind: 'cut', index: 0, cut: 2 });
    expect(take([{ ...run, from: 2 }], { headers: outcomeHeaders(5) }), 'the next one').toBeUndefined();
  });

  it('says nothing when there is no event, and when it is known', () => {
    const other = { headers: outcomeHeaders(5) };
    expect(take([{ kind: 'none', from: 0, to: 2, mappingVersion: 1 }], other)).toBeUndefined();
    expect(take(rows([1]))).toBeUndefined();
    standAt({ epoch: 4, source: 2, cut: 1 });
    expect(take(rows([1]), other)).toBeUndefined();
  });
});

describe('the epoch of a reader', () => {
  it('D2: is that of the last outcome it has taken, which a repeat is not', () => {
    standAt({ epoch: 3 });
    expect(standing.epoch).toBe(3);
    take(rows([0]), { headers: outcomeHeaders(4) });
    take([{ kind: 'filtered', from: 0, to: 2, mappingVersion: 1 }], { headers: outcomeHeaders(5) });
    expect(standing.epoch).toBe(5);
    take(rows([1]), { headers: outcomeHeaders(4) });
    expect(standing.epoch).toBe(5);
    take([{ kind: 'lost', from: 2, to: 3, mappingVersion: 1 }]);
    expect(standing.epoch).toBeUndefined();
  });
});

describe('H8: the traces of a slice', () => {
  const traced = (traceparent: string) => ({ headers: outcomeHeaders(7, traceparent) });

  it('are noted once each, the first ones, with the time at which it took them', () => {
    standAt({ source: -1 }, true);
    for (let offset = 0; offset < limits.tracesPerSlice + 3; offset += 1) take(rows([offset]), traced(`of-${offset}`));
    take(rows([limits.tracesPerSlice + 3]), traced('of-0'));
    expect(slice.followed.map(({ traceparent }) => traceparent)).toEqual(
      Array.from({ length: limits.tracesPerSlice }, (_, offset) => `of-${offset}`),
    );
    expect(slice.rowCount).toBe(limits.tracesPerSlice + 4);
  });

  it('are not those of a repeat, nor of outcomes without one', () => {
    standAt({ source: 4 }, true);
    take(rows([4]), traced('repeat'));
    take(rows([5]), { headers: outcomeHeaders(7) });
    take(rows([6]));
    expect(slice.followed).toEqual([]);
    take(rows([7]), { headers: outcomeHeaders(undefined, 'without-an-epoch') });
    expect(slice.followed).toMatchObject([{ traceparent: 'without-an-epoch' }]);
  });

  it('H6: are not looked for while traces are off', () => {
    standAt({ source: -1 });
    take(rows([0]), traced('somebody'));
    expect(slice.followed).toEqual([]);
  });
});
