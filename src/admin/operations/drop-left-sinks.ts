import type { SourceKey } from '../../core/ids.ts';
import type { Source, Stamp } from '../../core/source.ts';
import type { Waiting } from '../../ports/event-log.ts';
import type { AdminContext } from '../admin-context.ts';
import { discardProgress } from './change-progress.ts';
import { hideSink } from './show-sink.ts';
import { deleteSinksOf } from './switch-sink.ts';

export interface PlaceOfSource {
  readonly key: SourceKey;
  /** The deleted source that was there. */
  readonly before: Source | undefined;
  readonly stamp: Stamp;
}

/**
 * Before a source is made: sinks that stand under its id all the same were left by a process that died, after the sweep, in the middle of
 * making the source with them, or of deleting it.
 */
export async function dropLeftSinks(
  context: AdminContext,
  { key, before, stamp }: PlaceOfSource,
  options: Waiting,
): Promise<void> {
  if (before !== undefined) return deleteSinksOf(context, { source: before, stamp }, options);
  for (const sink of await context.definitions.sinks(key, options)) {
    await discardProgress(context, sink.incarnation, options);
    await hideSink(context, { sink, before: undefined }, options);
  }
}
