import { describe, expect, it } from 'vitest';
import type { BranchId, Incarnation, SinkId, SourceId } from '../../core/ids.ts';
import { requestFlush } from '../../core/progress/flush.ts';
import { beginProgress, type SinkProgress, type StagedSlice } from '../../core/progress/sink-progress.ts';
import { dueImport } from './due-import.ts';

const conditions = { count: 10, sizeBytes: 1000, intervalMs: 60_000, slices: 3 };

function progress(staged: readonly Partial<StagedSlice>[]): SinkProgress {
  const began = beginProgress({
    key: { branchId: 1 as BranchId, sourceId: 's' as SourceId, sinkId: 'k' as SinkId },
    incarnation: 1 as Incarnation,
    topics: { source: 'a', sourceIdentity: 'a', sink: 'b', sinkIdentity: 'b' },
    mappingVersion: 1,
    starts: new Map([[0, 0]]),
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
    expect(dueImport(progress([]), conditions, 1e9)).toBeUndefined();
  });

  it('starts by count, size, interval or slices, whichever is met first', () => {
    expect(dueImport(progress([{}]), conditions, 0)).toBeUndefined();
    expect(dueImport(progress([{}, {}]), conditions, 0)).toBe('count');
    expect(dueImport(progress([{ rowsObject: { name: 'a', bytes: 1000 } }]), conditions, 0)).toBe('size');
    expect(dueImport(progress([{}]), conditions, 60_000)).toBe('interval');
    expect(dueImport(progress([{ rows: 1 }, { rows: 1 }, { rows: 1 }]), conditions, 0)).toBe('slices');
  });

  it('starts at once for what a flush asks for', () => {
    expect(dueImport(requestFlush(progress([{}]), new Map([[0, 5]])), conditions, 0)).toBe('flush');
    expect(dueImport(requestFlush(progress([{ from: 4, to: 9 }]), new Map([[0, 5]])), conditions, 0)).toBeUndefined();
  });
});
