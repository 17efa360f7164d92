import type { Incarnation } from '../../core/ids.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { localLevel, meets, type Level } from '../../core/accounts/levels.ts';
import type { SinkProgress } from '../../core/progress/sink-progress.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import { openSlices } from './open-slices.ts';
import { readKnownEnds } from '../ends/read-ends.ts';

type SinkLevelsParts = Pick<Parts, 'definitions' | 'openSlices' | 'sourceLog' | 'telemetry'>;

/** Where a sink's events are: staging and target stand in the document. */
export interface SinkLevels {
  readonly progress: SinkProgress;
  readonly local: Level;
}

/**
 * How often a stage that seals one slice after another is asked until its answer and the document are of one moment.
 */
const looks = 3;

/** Reads the levels of a sink: what was taken first, then the document, then the ends, so that every event is counted once. */
export async function readLevels(
  parts: SinkLevelsParts,
  incarnation: Incarnation,
  options: Waiting,
): Promise<SinkLevels> {
  for (let look = 1; ; look += 1) {
    const taken = (await openSlices(parts)).filter((slice) => slice.incarnation === incarnation);
    const progress = await parts.definitions.progress(incarnation, options);
    if (progress === undefined)
      throw new MillraceError('catalog.invalidDocument', `incarnation ${incarnation} has no progress document`);
    if (look < looks && !meets(progress, taken)) continue;
    const { durable } = await readKnownEnds(parts.sourceLog, progress.topics, options);
    return { progress, local: localLevel(progress, durable, taken) };
  }
}
