import type { SinkProgress } from '../../core/progress/sink-progress.ts';

export interface MappedCounts {
  readonly rows: number;
  readonly dead: number;
  /** Offsets, not outcomes. */
  readonly filtered: number;
  readonly lost: number;
  readonly none: number;
}

/** What the map stage tells about its work; every method is quick and never throws. */
export interface MapObserver {
  /** Outcomes were appended to the sink's topic. */
  outcomesAppended(progress: SinkProgress, counts: MappedCounts): void;
}
