import type { Offset } from '../offset.ts';
import type { PartitionEntry, SinkProgress } from './sink-progress.ts';

/** A topic as it is called after a move. */
export interface MovedSource {
  readonly identity: string;
}

export interface MovedSink extends MovedSource {
  /** By partition: the offset that the first record of the new topic had, which has offset 0 now. */
  readonly firsts: readonly Offset[];
}

/**
 * The document when its topics were copied into new ones. The source's records have kept their offsets, so nothing that counts or names
 * them changes. The records of the sink's topic begin at 0, and nobody but the entries knows their offsets. Absent: that topic was not
 * copied, because the document speaks of another existence of it, and so it does afterwards.
 */
export function movedProgress(
  progress: SinkProgress,
  { source, sink }: { readonly source?: MovedSource | undefined; readonly sink?: MovedSink | undefined },
): SinkProgress {
  const { topics, entries } = progress;
  return {
    ...progress,
    topics: {
      ...topics,
      ...(source === undefined ? {} : { sourceIdentity: source.identity }),
      ...(sink === undefined ? {} : { sinkIdentity: sink.identity }),
    },
    entries: Object.fromEntries(
      Object.entries(entries).map(([partition, entry]) => [
        partition,
        movedEntry(entry, sink?.firsts[Number(partition)] ?? 0),
      ]),
    ),
  };
}

/** What was lost and is noted lies below the first record, if it is not read any more. */
function movedEntry(entry: PartitionEntry, first: Offset): PartitionEntry {
  return {
    ...entry,
    sink: entry.sink - first,
    torn: { ...entry.torn, low: Math.max(0, entry.torn.low - first) },
  };
}
