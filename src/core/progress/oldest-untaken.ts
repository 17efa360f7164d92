import type { Ends } from './source-ends.ts';
import { hasPassed } from './flush.ts';
import { entryOf, type SinkProgress } from './sink-progress.ts';

/**
 * The oldest mapping version that events below these ends may be of which are not taken yet; undefined when all are taken. 0: nobody has
 * noted what the last one of their partition was of.
 */
export function oldestUntaken(progress: SinkProgress, ends: Ends): number | undefined {
  const versions = [...ends]
    .filter(([partition, end]) => !hasPassed(entryOf(progress, partition), end))
    .map(([partition]) => progress.mappedWith?.[partition] ?? 0);
  return versions.length === 0 ? undefined : Math.min(...versions);
}
