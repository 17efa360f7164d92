import { reservedHeaders } from './event.ts';
import { traceparentHeader, tracestateHeader } from './span-context.ts';

/** What a record of a source's topic says of the trace that it belongs to, as it stands there. */
export interface CarriedContext {
  readonly traceparent: string;
  readonly tracestate: string | undefined;
  /** It is the span of a request, which ingest has admitted. */
  readonly isAdmitted: boolean;
}

/**
 * Where the trace of a record goes on: with the span of the request that brought it, or, for a record that ingest did not write, with that
 * of its producer. What the client of a request said is in the span of the request: a request without one stays without.
 */
export function carriedContext(headers: readonly string[]): CarriedContext | undefined {
  return headers[0] === reservedHeaders.id
    ? found(headers, reservedHeaders.traceparent, reservedHeaders.tracestate)
    : found(headers, traceparentHeader, tracestateHeader);
}

function found(headers: readonly string[], name: string, stateName: string): CarriedContext | undefined {
  const isOurs = name !== traceparentHeader;
  let traceparent: string | undefined;
  let tracestate: string | undefined;
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const header = headers[at];
    // Ingest writes its own in front of the client's.
    if (isOurs && header?.startsWith(reservedHeaders.prefix) !== true) break;
    if (header === name) traceparent ??= headers[at + 1];
    else if (header === stateName) tracestate ??= headers[at + 1];
  }
  return traceparent === undefined ? undefined : { traceparent, tracestate, isAdmitted: isOurs };
}
