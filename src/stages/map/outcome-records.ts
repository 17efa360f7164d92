import type { Offset } from '../../core/offset.ts';
import { OutcomeEncoder, hasLines, outcomeHeaders, type Outcome } from '../../core/outcome.ts';
import type { NewRecord } from '../../ports/event-log.ts';

export interface OutcomeOrigin {
  /** Of the append, milliseconds since the epoch. */
  readonly timestamp: number;
  readonly epoch: number | undefined;
  /** The span in which a record was mapped; absent: none has one. */
  readonly traceparentOf?: ((to: Offset) => string | undefined) | undefined;
}

/**
 * Outcomes as they stand in the topic of a sink. Their time is that of the append: the retention of a sink's topic
 * counts from there, however old the events are. Outcomes of what retention has taken have no epoch: nobody read it.
 */
export function outcomeRecords(
  outcomes: readonly Outcome[],
  { timestamp, epoch, traceparentOf }: OutcomeOrigin,
): readonly NewRecord[] {
  const headers = outcomeHeaders(epoch);
  const encoder = new OutcomeEncoder(outcomes);
  return outcomes.map((outcome) => {
    const traceparent = hasLines(outcome.kind) ? traceparentOf?.(outcome.to) : undefined;
    const traced = traceparent === undefined ? headers : outcomeHeaders(epoch, traceparent);
    return { value: encoder.encode(outcome), headers: outcome.kind === 'lost' ? [] : traced, timestamp };
  });
}
