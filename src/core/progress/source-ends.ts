import type { Offset, Partition } from '../offset.ts';
import { entryOf, partitionsOf, type SinkProgress } from './sink-progress.ts';

/** One of the ends of all partitions of the source topic, read after the document; the durable ones unless another kind is named. */
export type Ends = ReadonlyMap<Partition, Offset>;

/** Both ends of all partitions of the source topic, read after the document. */
export interface SourceEnds {
  /** What can be read lies below it. An open transaction of a producer holds it back. */
  readonly stable: Ends;
  /** What was acknowledged lies below it; never below `stable`. */
  readonly durable: Ends;
  /** Records that each partition acknowledged, where the log counts them. */
  readonly acknowledged?: ReadonlyMap<Partition, number>;
}

/** What a log says of the end of a partition. */
export interface PartitionEnd {
  readonly stableEnd: Offset;
  readonly durableEnd: Offset;
  readonly acknowledged?: number;
}

/** Where each partition of a topic ends. */
export function endsOf(partitions: readonly PartitionEnd[]): Required<SourceEnds> {
  return {
    stable: new Map(partitions.map(({ stableEnd }, partition) => [partition, stableEnd])),
    durable: new Map(partitions.map(({ durableEnd }, partition) => [partition, durableEnd])),
    acknowledged: new Map(
      partitions.flatMap(({ acknowledged }, partition) =>
        acknowledged === undefined ? [] : [[partition, acknowledged]],
      ),
    ),
  };
}

/** Durable ends of a topic that is gone: nothing lies behind what the document knows. */
export function endsOfGone(progress: SinkProgress): Ends {
  return new Map(partitionsOf(progress).map((partition) => [partition, entryOf(progress, partition).source + 1]));
}
