import { refusal, type Refusal } from '../../../events/refusal.ts';
import { batchModeOf, type BatchMode } from '../../../events/split-events.ts';

/** What the query of a request asks for. */
export interface Query {
  readonly kind: 'query';
  /** Only the exact text `true` asks for the long answer. */
  readonly verbose: boolean;
  readonly batch: BatchMode | undefined;
}

export const emptyQuery: Query = { kind: 'query', verbose: false, batch: undefined };

/** Reads a query without its question mark; parameters that it does not know are left alone. */
export function parseQuery(text: string): Query | Refusal {
  const parameters = new URLSearchParams(text);
  const given = parameters.get('batch');
  const batch = given === null ? undefined : batchModeOf(given);
  if (given !== null && batch === undefined) return invalidBatch(given);
  return { kind: 'query', verbose: parameters.get('verbose') === 'true', batch };
}

function invalidBatch(text: string): Refusal {
  const rule = 'must be one of "off", "lines", "array", "auto"';
  return refusal('invalid', 'badRequest', `Invalid query parameter "batch" value "${text.slice(0, 50)}": ${rule}.`);
}
