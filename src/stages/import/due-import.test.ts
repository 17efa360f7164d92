import { describe, expect, it } from 'vitest';
import type { BranchId, Incarnation, SinkId, SourceId } from '../../core/ids.ts';
import { requestFlush } from '../../core/progress/flush.ts';
import { beginProgress, type SinkProgress, type StagedSlice } from '../../core/progress/sink-progress.ts';
import { Trigger } from '../../core/trigger.ts';
import { dueImport } from './due-import.ts';

const trigger = new Trigger({ count: 10, sizeBytes: 1000, intervalMs: 60_000, slices: 3 });

function due(of: SinkProgress, ageMs: number) {
  return dueImport(of, trigger, { since: 0, now: ageMs });
}

function progress(staged: readonly Partial<StagedSlice>[]): SinkProgress {
  const began = beginProgress({
    key: { branchId: 1 as BranchId, sourceId: 's' as SourceId, sinkId: 'k' as SinkId },
    incarnation: 1 as Incarnation,
    topics: { source: 'a', sourceIdentity: 'a', sink: 'b', sinkIdentity: 'b' },
    mappingVersion: 1,
    starts: new Map([[0, 0]]),
    at: 0,
  });
  const slice = {
    id: 'x',
    partition: 0,
    mappingVersion: 1,
    from: -1,
    to: 4,
    rows: 5,
    dead: 0,
    firstArrival: 0,
    lastArrival: 0,
    stagedAt: 0,
  };
  return { ...began, staged: staged.map((over) => ({ ...slice, ...over })) };
}

describe('step 2', () => {
  it('does not start while nothing is staged, however old', () => {
    expect(due(progress([]), 1e9)).toBeUndefined();
  });

  it('starts by count, size, interval or slices, whichever is met first', () => {
    expect(due(progress([{}]), 0)).toBeUndefined();
    expect(due(progress([{}, {}]), 0)).toBe('count');
    expect(due(progress([{ rowsObject: { name: 'a', bytes: 1000 } }]), 0)).toBe('size');
    expect(due(progress([{}]), 60_000)).toBe('interval');
    expect(due(progress([{ rows: 1 }, { rows: 1 }, { rows: 1 }]), 0)).toBe('slices');
  });

  it('starts at once for what a flush asks for', () => {
    expect(due(requestFlush(progress([{}]), new Map([[0, 5]])), 0)).toBe('flush');
    expect(due(requestFlush(progress([{ from: 4, to: 9 }]), new Map([[0, 5]])), 0)).toBeUndefined();
  });
});
