import type { Refusal } from '../../../events/refusal.ts';
import { batchRequestOf, type BatchRequest } from '../../../events/split-events.ts';

/** What the query of a request asks for. */
export interface Query {
  readonly kind: 'query';
  /** Only the exact text `true` asks for the long answer. */
  readonly verbose: boolean;
  readonly batch: BatchRequest | undefined;
}

export const emptyQuery: Query = { kind: 'query', verbose: false, batch: undefined };

/** Reads a query without its question mark; parameters that it does not know are left alone. */
export function parseQuery(text: string): Query | Refusal {
  const parameters = new URLSearchParams(text);
  const given = parameters.get('batch');
  const batch = given === null ? undefined : batchRequestOf(given);
  if (typeof batch === 'object' && 'kind' in batch) return batch;
  return { kind: 'query', verbose: parameters.get('verbose') === 'true', batch };
}
