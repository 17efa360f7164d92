import type { Incarnation } from '../../core/ids.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import {
  emptyLevel,
  levelOfSlices,
  localLevel,
  meets,
  sumLevels,
  targetLevel,
  type Level,
  type Levels,
} from '../../core/accounts/levels.ts';
import { closedEnds } from '../../core/progress/flush.ts';
import { heldSlices, type ImportedStatistics, type SinkProgress } from '../../core/progress/sink-progress.ts';
import { importedStatistics } from '../../core/progress/statistics.ts';
import type { Ends } from '../../core/progress/source-ends.ts';
import type { Sink } from '../../core/sink.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import { openSlices } from './open-slices.ts';
import { readKnownEnds } from '../ends/read-ends.ts';

type SinkLevelsParts = Pick<Parts, 'definitions' | 'openSlices' | 'sourceLog' | 'telemetry'>;

/** Where an incarnation's events are: staging and target stand in the document. */
export interface IncarnationLevels {
  readonly progress: SinkProgress;
  readonly local: Level;
}

/**
 * How often a stage that seals one slice after another is asked until its answer and the document are of one moment.
 */
const looks = 3;

/** Where the events of a sink are, of all its incarnations, those included that were deleted before it came back. */
export async function readSinkLevels(parts: SinkLevelsParts, sink: Sink, options: Waiting): Promise<Levels> {
  const earlier = await parts.definitions.earlierOf(sink, options);
  const all: Levels[] = [];
  for (const { incarnation } of [...earlier, sink]) {
    const found = await readLevels(parts, incarnation, options);
    // Read when the progress is known to be gone: until then it may not say yet what was imported last.
    const left = found ?? (await parts.definitions.earlier(sink, incarnation, options));
    if (left === undefined && incarnation === sink.incarnation && sink.deleted === undefined)
      throw new MillraceError('catalog.invalidDocument', `incarnation ${incarnation} has no progress document`);
    if (left !== undefined) all.push('imported' in left ? levelsOfGone(left) : levelsOf(left.progress, left.local));
  }
  return sumLevels(all);
}

/**
 * Reads the levels of an incarnation: what was taken first, then the document, then the ends, so that every event is counted once.
 * Undefined when it has no document.
 */
export async function readLevels(
  parts: SinkLevelsParts,
  incarnation: Incarnation,
  options: Waiting,
): Promise<IncarnationLevels | undefined> {
  for (let look = 1; ; look += 1) {
    const taken = (await openSlices(parts)).filter((slice) => slice.incarnation === incarnation);
    const progress = await parts.definitions.progress(incarnation, options);
    if (progress === undefined) return undefined;
    if (look < looks && !meets(progress, taken)) continue;
    return { progress, local: localLevel(progress, await endsFor(parts, progress, options), taken) };
  }
}

/** A deleted incarnation wants nothing beyond its own ends, whatever became of the topic. */
async function endsFor(
  { sourceLog }: Pick<Parts, 'sourceLog'>,
  progress: SinkProgress,
  options: Waiting,
): Promise<Ends> {
  if (progress.deleted) return closedEnds(progress);
  return (await readKnownEnds(sourceLog, progress.topics, options)).durable;
}

/** `local` is undefined where it cannot be told. */
export function levelsOf(progress: SinkProgress, local: Level | undefined): Levels {
  return { local, staging: levelOfSlices(heldSlices(progress)), target: targetLevel(importedStatistics(progress)) };
}

/** Of an incarnation without progress. */
export function levelsOfGone({ imported }: { readonly imported: ImportedStatistics }): Levels {
  return { local: emptyLevel, staging: emptyLevel, target: targetLevel(imported) };
}
