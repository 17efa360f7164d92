import type { Partition } from '../../core/offset.ts';
import type { SinkProgress, StagedSlice } from '../../core/progress/sink-progress.ts';
import type { TableId } from '../../core/table-id.ts';
import type { TriggerCause } from '../../core/trigger.ts';

/** What the import stage tells about its work; every method is quick and never throws. */
export interface ImportObserver {
  importStarted(
    progress: SinkProgress,
    event: { readonly number: number; readonly cause: TriggerCause; readonly slices: number },
  ): void;
  importFinished(
    progress: SinkProgress,
    event: {
      readonly number: number;
      readonly tableId: TableId;
      readonly slices: readonly StagedSlice[];
      readonly durationMs: number;
    },
  ): void;
  importAbandoned(progress: SinkProgress, event: { readonly number: number; readonly reason: string }): void;
  slicesParked(progress: SinkProgress, event: { readonly mappingVersion: number; readonly reason: string }): void;
  /** A slice could not be imported even alone, and is parked. */
  sliceDamaged(progress: SinkProgress, event: { readonly slice: StagedSlice; readonly reason: string }): void;
  sliceGivenUp(progress: SinkProgress, slice: StagedSlice): void;
  /** A deleted incarnation has lost a topic: what it still wanted of the partition is never delivered. */
  holesFound(progress: SinkProgress, event: { readonly partition: Partition; readonly count: number }): void;
  incarnationPurged(progress: SinkProgress): void;
  objectsCollected(count: number): void;
}
