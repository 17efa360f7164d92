import type { Clock } from '../core/clock.ts';
import { reservedHeaders } from '../core/event.ts';
import type { SourceKey } from '../core/ids.ts';
import { formatTraceparent } from '../core/span-context.ts';
import { sourceAttributes } from './span-attributes.ts';
import type { SpanAttributes, Spans } from './spans.ts';

/** A request that brings events, as its headers tell. */
export interface SpannedRequest {
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
  /** At least one. */
  readonly sources: readonly { readonly key: SourceKey }[];
  /** What it came over. */
  readonly over: 'http' | 'grpc';
}

/** The span of one request. */
export interface RequestSpan {
  /** Headers of its records, a flat list, by which the stages after this one go on with the trace. */
  readonly marks: readonly string[];
  /** It was answered with a status of its protocol, or left off without one; what comes after the first call is not told. */
  end(answered: {
    readonly status: number | undefined;
    readonly failure: string | undefined;
    readonly events: number;
  }): void;
}

export interface RequestSpans {
  /** Undefined for a request that gets no span. */
  begin(request: SpannedRequest): RequestSpan | undefined;
}

/** The spans `accept` of ingest: from the headers of a request to its answer. */
export function requestSpans(spans: Spans, clock: Clock): RequestSpans {
  return {
    begin: ({ traceparent, tracestate, sources, over }) => {
      const entered = spans.enter(traceparent, tracestate);
      if (entered === undefined) return undefined;
      const [first] = sources;
      const key = first === undefined ? {} : sourceAttributes(first.key);
      const span = spans.begin({
        name: sources.length === 1 && first !== undefined ? `accept ${first.key.sourceId}` : 'accept',
        kind: 'server',
        startedAt: clock.now(),
        parent: entered.parent,
        attributes: { ...key, ...overAttributes[over], 'millrace.sources': sources.length },
      });
      const { state } = span.context;
      const marks = [reservedHeaders.traceparent, formatTraceparent(span.context)];
      let hasEnded = false;
      return {
        marks: state === '' ? marks : [...marks, reservedHeaders.tracestate, state],
        end: ({ status, failure, events }) => {
          if (hasEnded) return;
          hasEnded = true;
          const told = status === undefined ? {} : { [statusAttribute[over]]: status };
          const why = failure === undefined ? {} : { 'error.type': failure };
          span.end({
            at: clock.now(),
            failure: isOurs(over, status) ? failure : undefined,
            attributes: { ...told, ...why, 'messaging.batch.message_count': events },
          });
        },
      };
    },
  };
}

const overAttributes: Readonly<Record<SpannedRequest['over'], SpanAttributes>> = {
  http: { 'http.request.method': 'POST' },
  grpc: { 'rpc.system': 'grpc' },
};

/** Statuses of gRPC that its conventions call errors of a server. */
const serverStatuses: ReadonlySet<number> = new Set([2, 4, 12, 13, 14, 15]);

/** What is wrong with a request is no error of the server's span, as the conventions have it. */
function isOurs(over: SpannedRequest['over'], status: number | undefined): boolean {
  if (status === undefined) return true;
  return over === 'http' ? status >= 500 : serverStatuses.has(status);
}

const statusAttribute = { http: 'http.response.status_code', grpc: 'rpc.grpc.status_code' } as const;
