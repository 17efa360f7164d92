import type { SourceKey } from '../../core/ids.ts';
import type { Sink } from '../../core/sink.ts';
import type { Source, Stamp } from '../../core/source.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import { discardProgress } from './change-progress.ts';
import { hideSink } from './show-sink.ts';
import { deletedWith, deleteSink, type SwitchSinkParts } from './switch-sink.ts';

export interface PlaceOfSource {
  readonly key: SourceKey;
  /** The deleted source that is there. */
  readonly before: Source | undefined;
  readonly stamp: Stamp;
}

/**
 * Sinks that stand under the id of a source that is not there, or deleted, were left by a process that died in the
 * middle of deleting the source, of bringing it back, or of making another one with them. The latter were never seen
 * and go; the others are deleted with the source.
 */
export async function endLeftSinks(
  parts: SwitchSinkParts,
  { key, before, stamp }: PlaceOfSource,
  options: Waiting,
): Promise<void> {
  for (const sink of await parts.definitions.sinks(key, options)) {
    if (before !== undefined && (await hasBeenOf(parts, { sink, source: before }, options))) {
      await deleteSink(parts, { sink, deleted: deletedWith(before, stamp) }, options);
      continue;
    }
    await discardProgress(parts, sink.incarnation, options);
    await hideSink(parts, { sink, before: undefined }, options);
  }
}

/** False for a sink that was made for another existence of the source, and never was one of this. */
async function hasBeenOf(
  { definitions }: Pick<Parts, 'definitions'>,
  { sink, source }: { readonly sink: Sink; readonly source: Source },
  options: Waiting,
): Promise<boolean> {
  // Made in place of one that was deleted with the source: what is left of that comes back.
  if (sink.returnsWith === source.incarnation || sink.version.number > 1) return true;
  const progress = await definitions.progress(sink.incarnation, options);
  return progress === undefined || progress.topics.source === source.topic;
}
