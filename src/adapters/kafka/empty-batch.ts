import type { RecordBatch } from '../../ports/event-log.ts';
import type { Position } from './fetch-request.ts';

/** What is to be told of a position at which there is no record. */
export function emptyBatch(
  { topic, identity, partition }: Position,
  told: Pick<RecordBatch, 'first' | 'next' | 'failure'>,
): RecordBatch {
  return { topic, identity, partition, records: [], missing: 'none', ...told };
}
