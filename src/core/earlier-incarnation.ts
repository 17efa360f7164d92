import type { Incarnation, SinkKey } from './ids.ts';
import type { ImportedStatistics } from './progress/sink-progress.ts';

/**
 * An incarnation of a sink that was deleted: it is found by this when the sink has come back, and what it has imported counts when its
 * progress is gone. Collection `earlier-incarnation`; for people, nothing is decided by it.
 */
export interface EarlierIncarnation {
  readonly key: SinkKey;
  readonly incarnation: Incarnation;
  /** As it was last written: while there is a progress document, that says it. */
  readonly imported: ImportedStatistics;
}
