import type { Offset, Partition } from '../offset.ts';
import { entryOf, type SinkProgress } from './sink-progress.ts';
import type { Ends, SourceEnds } from './switch.ts';

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
  const partitions = Object.keys(progress.entries).map(Number);
  return new Map<Partition, Offset>(
    partitions.map((partition) => [partition, entryOf(progress, partition).source + 1]),
  );
}
