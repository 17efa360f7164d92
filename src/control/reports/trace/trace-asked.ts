import type { SinkId, SourceKey } from '../../../core/ids.ts';
import type { Offset, Partition } from '../../../core/offset.ts';
import type { SearchPosition, TimeWindow } from './log-ranges.ts';

/** Which events of a source are meant. */
export type EventsMeant =
  | { readonly by: 'id'; readonly id: string }
  | { readonly by: 'place'; readonly partition: Partition; readonly offset: Offset }
  | { readonly by: 'time' }
  | { readonly by: 'column'; readonly sinkId: SinkId; readonly column: string; readonly value: string };

export interface TraceAsked {
  readonly key: SourceKey;
  readonly meant: EventsMeant;
  readonly window: TimeWindow;
  /** How many events are enough, up to `limits.tracedEvents`. */
  readonly limit: number;
  /** Of an earlier answer; one of an earlier existence of the source is `input.invalid`. */
  readonly position?: SearchPosition;
}
