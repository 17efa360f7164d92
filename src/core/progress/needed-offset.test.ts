import { describe, expect, it } from 'vitest';
import { allowed, endsAt, progressOf, sliceOf } from '../../../test/support/progress-of.ts';
import { finishImport, startImport } from './import.ts';
import { seal } from './seal.ts';
import { entryOf, type SinkProgress } from './sink-progress.ts';
import { close, open } from './switch.ts';
import { neededOffset } from './needed-offset.ts';

/** Everything up to `to` is staged. */
function staged(progress: SinkProgress, to: number): SinkProgress {
  const base = entryOf(progress, 0);
  const slice = sliceOf({ id: `s${to}`, from: base.source, to });
  const counts = { filtered: 0, holes: 0, none: 0 };
  return allowed(seal(progress, { partition: 0, base, sink: base.sink + 1, source: to, ...counts, slice, stamp: 1 }));
}

function imported(progress: SinkProgress): SinkProgress {
  const running = allowed(startImport(progress, { id: 'x', at: 1 }));
  return allowed(finishImport(running, { number: progress.nextImport, id: 'x' }, 2));
}

describe('what sinks need of a source', () => {
  it('D2: what none of them has staged, before and after imports', () => {
    const begun = progressOf(0);
    expect(neededOffset([begun], 0, 100)).toBe(0);
    expect(neededOffset([staged(begun, 9)], 0, 100)).toBe(10);
    const after = imported(staged(begun, 9));
    expect(neededOffset([after], 0, 100)).toBe(10);
    expect(neededOffset([imported(staged(after, 19))], 0, 100)).toBe(20);
  });

  it('D2: the one that is furthest behind decides', () => {
    const [ahead, behind] = [staged(progressOf(0), 49), staged(progressOf(0), 9)];
    expect(neededOffset([ahead, behind], 0, 100)).toBe(10);
    expect(neededOffset([behind, ahead], 0, 100)).toBe(10);
  });

  it('D2: a disabled sink needs what it accepted, and nothing more', () => {
    const disabled = allowed(close(staged(progressOf(0), 9), endsAt(30), { deleted: false }));
    expect(neededOffset([disabled], 0, 100)).toBe(10);
    expect(neededOffset([staged(disabled, 29)], 0, 100)).toBe(100);
    const enabled = allowed(open(staged(disabled, 29), endsAt(60)));
    expect(neededOffset([enabled], 0, 100)).toBe(60);
  });

  it('D2: a partition that was added while the sink was open is needed from its beginning', () => {
    expect(neededOffset([progressOf(5)], 1, 100)).toBe(0);
  });

  it('nothing when there is no sink', () => {
    expect(neededOffset([], 0, 100)).toBe(100);
  });
});
