import { defaultBranch, parseIncarnation, parseSinkId, parseSourceId } from '../../src/core/ids.ts';
import {
  beginProgress,
  isRefused,
  type Refused,
  type SinkProgress,
  type StagedSlice,
} from '../../src/core/progress/sink-progress.ts';
import type { SourceEnds } from '../../src/core/progress/source-ends.ts';

/** When documents of tests are made. */
export const madeAt = 50;

/** A document whose partitions start at these offsets. */
export function progressOf(...starts: readonly number[]): SinkProgress {
  return beginProgress({
    key: { branchId: defaultBranch, sourceId: parseSourceId('shop'), sinkId: parseSinkId('orders') },
    incarnation: parseIncarnation(1),
    topics: { source: 'source.1.shop', sourceIdentity: 'a', sink: 'sink.1.shop.orders.1', sinkIdentity: 'b' },
    mappingVersion: 1,
    starts: new Map(starts.map((start, partition) => [partition, start])),
    at: madeAt,
  });
}

/** Ends of partitions without an open transaction. */
export function endsAt(...values: readonly number[]): SourceEnds {
  const ends = new Map(values.entries());
  return { stable: ends, durable: ends };
}

/** A slice of rows over (from, to], one row an offset unless said otherwise. */
export function sliceOf(slice: Partial<StagedSlice> & Pick<StagedSlice, 'id' | 'from' | 'to'>): StagedSlice {
  const rows = slice.rows ?? slice.to - slice.from;
  return {
    partition: 0,
    mappingVersion: 1,
    rows,
    dead: 0,
    ...(rows === 0 ? {} : { rowsObject: { name: `${slice.id}.rows`, bytes: 10 * rows } }),
    firstArrival: 0,
    lastArrival: 0,
    stagedAt: 0,
    ...slice,
  };
}

/** The document after a transition that must be allowed. */
export function allowed(result: SinkProgress | Refused): SinkProgress {
  if (isRefused(result)) throw new Error(`refused: ${result.reason}`);
  return result;
}
