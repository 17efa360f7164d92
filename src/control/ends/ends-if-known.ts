import { MillraceError } from '../../core/millrace-error.ts';
import type { SinkTopics } from '../../core/progress/sink-progress.ts';
import type { SourceEnds } from '../../core/progress/source-ends.ts';
import type { EventLog } from '../../ports/event-log.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { readKnownEnds } from './read-ends.ts';

/** A person waits for the answer: a log that takes longer counts as away. */
const patienceMs = 1500;

/**
 * Ends of the source topic of a progress document, or why they are not known: the log is away, or slow. If the log
 * answers that the topic is gone, or is another one, this rejects.
 */
export async function endsIfKnown(
  log: EventLog,
  topics: SinkTopics,
  { signal }: Waiting,
): Promise<SourceEnds | { readonly unknown: string }> {
  const late = AbortSignal.timeout(patienceMs);
  try {
    return await readKnownEnds(log, topics, { signal: AbortSignal.any([signal, late]) });
  } catch (thrown) {
    signal.throwIfAborted();
    if (late.aborted) return { unknown: `The log has not answered within ${patienceMs / 1000} seconds.` };
    if (thrown instanceof MillraceError && thrown.code === 'log.unavailable') return { unknown: thrown.message };
    throw thrown;
  }
}
