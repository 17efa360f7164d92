import { encodeOutcome, outcomeHeaders, type Outcome } from '../../core/outcome.ts';
import type { NewRecord } from '../../ports/event-log.ts';

/**
 * Outcomes as they stand in the topic of a sink. Their time is that of the append: the retention of a sink's topic
 * counts from there, however old the events are. Outcomes of what retention has taken have no epoch: nobody read it.
 */
export function outcomeRecords(
  outcomes: readonly Outcome[],
  { timestamp, epoch }: { readonly timestamp: number; readonly epoch: number | undefined },
): readonly NewRecord[] {
  const headers = outcomeHeaders(epoch);
  return outcomes.map((outcome) => ({
    value: encodeOutcome(outcome),
    headers: outcome.kind === 'lost' ? [] : headers,
    timestamp,
  }));
}
