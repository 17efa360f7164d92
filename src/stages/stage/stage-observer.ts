import type { SinkProgress, StagedSlice } from '../../core/progress/sink-progress.ts';
import type { TriggerCause } from '../../core/trigger.ts';
import type { Partition } from '../../core/offset.ts';

/** What the stage tells about its work; every method is quick and never throws. */
export interface StageObserver {
  sliceSealed(progress: SinkProgress, event: { readonly slice: StagedSlice; readonly cause: TriggerCause }): void;
  /** The sink topic lost records before they were staged; what is missing is mapped again. */
  topicTorn(progress: SinkProgress, event: { readonly partition: Partition; readonly low: number }): void;
  holesFound(progress: SinkProgress, event: { readonly partition: Partition; readonly count: number }): void;
}
