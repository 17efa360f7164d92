import type { Partition } from '../../core/offset.ts';
import { cutBelow, noteCut, requireUncut, type EpochEnd, type ReadPlace } from '../../core/progress/cut.ts';
import { entryOf, type SinkProgress } from '../../core/progress/sink-progress.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { transit } from '../replica/progress-document.ts';

export interface Comparison {
  readonly progress: SinkProgress;
  readonly partition: Partition;
  readonly place: ReadPlace;
  /** What the log has of the place's epoch now; undefined when it does not know. */
  readonly found: EpochEnd | undefined;
}

/**
 * Rejects with `progress.logCut` when the source has lost what was read at the place. Before that it is noted in the
 * document, so that it stays known whatever the log later forgets of its epochs.
 */
export async function checkHeld(
  catalog: Catalog,
  { progress, partition, place, found }: Comparison,
  options: Waiting,
): Promise<void> {
  const cut = found && cutBelow(place, found);
  if (cut === undefined) return;
  await transit(catalog, progress.incarnation, {
    transition: (current) => noteCut(current, { partition, cut }),
    ...options,
  });
  requireUncut(progress, partition, { ...entryOf(progress, partition), cut });
}
