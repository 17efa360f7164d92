import { describe, expect, it } from 'vitest';
import { progressOf } from '../../../test/support/progress-of.ts';
import { movedProgress } from './moved-progress.ts';
import { resumePosition } from './resume.ts';
import { entryOf, type SinkProgress } from './sink-progress.ts';

const moved = { source: { identity: 'A' }, sink: { identity: 'B', firsts: [100, 7] } };

/** Stands at these offsets of its own topic. */
function standing(...sinks: readonly number[]): SinkProgress {
  const progress = progressOf(...sinks.map((sink) => 1000 + sink));
  const entries = Object.fromEntries(
    sinks.map((sink, partition) => [partition, { ...entryOf(progress, partition), sink, epoch: 3 }]),
  );
  return { ...progress, entries };
}

describe('a progress document whose topics were copied', () => {
  it('M2: reads on in its own topic at the record where it stood, and keeps all that it says of the source', () => {
    const before = standing(130, 7);
    const after = movedProgress(before, moved);
    expect(after).toEqual({
      ...before,
      topics: { ...before.topics, sourceIdentity: 'A', sinkIdentity: 'B' },
      entries: {
        0: { ...before.entries[0], sink: 30 },
        1: { ...before.entries[1], sink: 0 },
      },
    });
    for (const partition of [0, 1]) {
      const tail = { lastTo: 5000, firstOffset: moved.sink.firsts[partition] ?? 0 };
      expect(resumePosition(entryOf(after, partition), { ...tail, firstOffset: 0 })).toBe(
        resumePosition(entryOf(before, partition), tail),
      );
    }
  });

  it('M2: still knows what it has lost, as far as that can be read', () => {
    const [entry] = Object.values(standing(130).entries);
    const at = (low: number): SinkProgress => ({
      ...standing(130),
      entries: { 0: { ...entry!, torn: { low, end: 2000, lost: 1500 } } },
    });
    expect(movedProgress(at(120), moved).entries[0]?.torn).toEqual({ low: 20, end: 2000, lost: 1500 });
    expect(movedProgress(at(0), moved).entries[0]?.torn).toEqual({ low: 0, end: 2000, lost: 1500 });
  });

  it('M2: of another existence of a topic says what it said: the sink stands still on the cluster, too', () => {
    const before = standing(130);
    expect(movedProgress(before, {})).toEqual(before);
  });
});
