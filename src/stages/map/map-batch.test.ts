import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../core/outcome.ts';
import { countOffsets, inside, type Interval } from '../../core/progress/intervals.ts';
import { mapBatch, outcomeOverheadBytes, runsOnTopBytes, type Mapped, type MapBatch } from './map-batch.ts';

const open: readonly Interval[] = [{ start: 0, end: null }];
const line = new Uint8Array([1]);

function batch(over: Partial<MapBatch>): MapBatch {
  return {
    intervals: open,
    position: -1,
    mappingVersion: 1,
    first: 0,
    offsets: [],
    next: 0,
    missing: 'none',
    mostBytes: 1e9,
    enoughBytes: 1e9,
    map: () => ({ kind: 'row', line, arrivedAt: 0 }),
    ...over,
  };
}

function covers(outcomes: readonly Outcome[]): readonly string[] {
  return outcomes.map(({ kind, from, to }) => `${kind} (${from}, ${to}]`);
}

describe('mapBatch', () => {
  it('makes one outcome a record, each covering from the one before', () => {
    const { outcomes, position } = mapBatch(batch({ offsets: [0, 1, 2], next: 3 }));
    expect(covers(outcomes)).toEqual(['row (-1, 0]', 'row (0, 1]', 'row (1, 2]']);
    expect(position).toBe(2);
  });

  it('D8: stops when the sink had its time, after one record at least, and goes on from there', () => {
    const due = batch({ offsets: [0, 1, 2], next: 4, isDue: () => true });
    const first = mapBatch(due);
    expect([covers(first.outcomes), first.position]).toEqual([['row (-1, 0]'], 0]);
    const second = mapBatch({ ...due, position: first.position });
    expect([covers(second.outcomes), second.position]).toEqual([['row (0, 1]'], 1]);
    const last = mapBatch({ ...due, position: second.position });
    expect([covers(last.outcomes), last.position]).toEqual([['row (1, 2]', 'none (2, 3]'], 3]);
  });

  it('says `none` for offsets without a record, at the end too', () => {
    const { outcomes, position } = mapBatch(batch({ offsets: [1, 4], next: 7 }));
    expect(covers(outcomes)).toEqual(['none (-1, 0]', 'row (0, 1]', 'none (1, 3]', 'row (3, 4]', 'none (4, 6]']);
    expect(position).toBe(6);
  });

  it('says `lost` for what retention took, without waiting for a record', () => {
    const { outcomes, position } = mapBatch(batch({ position: 4, first: 9, offsets: [], next: 9 }));
    expect(covers(outcomes)).toEqual(['lost (4, 8]']);
    expect(position).toBe(8);
  });

  it('joins runs that follow each other', () => {
    const map = (index: number): Mapped => (index < 3 ? { kind: 'filtered' } : { kind: 'row', line, arrivedAt: 0 });
    const { outcomes } = mapBatch(batch({ offsets: [0, 1, 2, 3], next: 4, map }));
    expect(covers(outcomes)).toEqual(['filtered (-1, 2]', 'row (2, 3]']);
  });

  it('maps only what lies in the intervals and starts each with its own predecessor', () => {
    const intervals = [
      { start: 1, end: 3 },
      { start: 5, end: null },
    ];
    const { outcomes, position } = mapBatch(batch({ intervals, position: 0, offsets: [0, 1, 2, 3, 4, 5], next: 6 }));
    expect(covers(outcomes)).toEqual(['row (0, 1]', 'row (1, 2]', 'row (4, 5]']);
    expect(position).toBe(5);
  });

  it('makes nothing of a batch that was mapped already', () => {
    expect(mapBatch(batch({ position: 9, offsets: [3, 4], next: 5 }))).toMatchObject({
      outcomes: [],
      position: 9,
      bytes: 0,
    });
  });

  it('says why each dead letter is one, and nothing of those that are left for the next call', () => {
    const dead = { kind: 'dead', line, arrivedAt: 0, reason: 'invalidJson' } as const;
    const counts = { rows: 0, dead: 2, filtered: 0, rowLines: new Uint8Array(), deadLines: line };
    const packed = { kind: 'packed', arrivedAt: 0, ...counts, reasons: ['rowTooLarge', 'templateLimit'] } as const;
    const map = (index: number): Mapped => (index === 1 ? packed : dead);
    const all = batch({ offsets: [0, 1, 2], next: 3, map });
    const made = mapBatch(all);
    expect(made.reasons).toEqual(['invalidJson', 'rowTooLarge', 'templateLimit', 'invalidJson']);
    expect(made.outcomes[1]).not.toHaveProperty('reasons');
    expect(mapBatch({ ...all, mostBytes: 1 }).reasons).toEqual(['invalidJson']);
  });

  it('D8: stops when it has enough, and never takes more than is allowed but for one outcome alone', () => {
    const line = new Uint8Array(1000);
    const map = (): Mapped => ({ kind: 'row', line, arrivedAt: 0 });
    const offsets = [0, 1, 2, 3, 4];
    const each = 1000 + outcomeOverheadBytes;
    const enough = mapBatch(batch({ offsets, next: 5, map, enoughBytes: each + 1 }));
    expect(covers(enough.outcomes)).toEqual(['row (-1, 0]', 'row (0, 1]']);
    expect(enough).toMatchObject({ position: 1, bytes: 2 * each });
    const most = mapBatch(batch({ offsets, next: 5, map, mostBytes: 2 * each - 1 }));
    expect(covers(most.outcomes)).toEqual(['row (-1, 0]']);
    expect(covers(mapBatch(batch({ offsets, next: 5, map, position: 0, mostBytes: 1 })).outcomes)).toEqual([
      'row (0, 1]',
    ]);
  });

  it('D4: covers every wanted offset of the batch exactly once, whatever is missing', () => {
    const cases = fc.record({
      cuts: fc.uniqueArray(fc.nat(60), { maxLength: 6 }),
      isOpen: fc.boolean(),
      offsets: fc.uniqueArray(fc.nat(60), { maxLength: 40 }),
      first: fc.nat(20),
      kinds: fc.array(fc.boolean(), { minLength: 61, maxLength: 61 }),
      mostBytes: fc.integer({ min: 1000, max: 2000 }),
      enoughBytes: fc.integer({ min: 1, max: 1000 }),
    });
    fc.assert(
      fc.property(cases, ({ cuts, isOpen, offsets, first, kinds, ...bounds }) => {
        const intervals = intervalsOf(cuts, isOpen);
        const sorted = offsets.filter((offset) => offset >= first).toSorted((a, b) => a - b);
        const next = 61;
        const map = (index: number): Mapped =>
          kinds[sorted[index] ?? 0] === true ? { kind: 'filtered' } : { kind: 'row', line, arrivedAt: 0 };
        const outcomes: Outcome[] = [];
        for (let position = -1, isDone = false; !isDone;) {
          const made = mapBatch(batch({ intervals, position, first, offsets: sorted, next, map, ...bounds }));
          expect(made.bytes).toBeLessThanOrEqual(Math.max(bounds.mostBytes, 1 + outcomeOverheadBytes) + runsOnTopBytes);
          isDone = made.outcomes.length === 0;
          outcomes.push(...made.outcomes);
          ({ position } = made);
        }
        expect(countOffsets(outcomes)).toBe(countOffsets(inside(intervals, { from: -1, to: next - 1 })));
        for (const [index, { from, to }] of outcomes.entries()) {
          expect(from).toBeGreaterThanOrEqual(outcomes[index - 1]?.to ?? -1);
          expect(to).toBeGreaterThan(from);
        }
      }),
    );
  });
});

function intervalsOf(cuts: readonly number[], isOpen: boolean): readonly Interval[] {
  const sorted = cuts.toSorted((a, b) => a - b);
  const intervals: Interval[] = [];
  for (let index = 0; index + 1 < sorted.length; index += 2) {
    intervals.push({ start: sorted[index] ?? 0, end: sorted[index + 1] ?? 0 });
  }
  if (isOpen) intervals.push({ start: (sorted.at(-1) ?? 0) + 1, end: null });
  return intervals;
}
