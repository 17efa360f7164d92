import type { SourceKey } from '../core/ids.ts';
import type { MillraceError } from '../core/millrace-error.ts';
import { sourceLabels } from './labels.ts';
import type { Tally } from './tally-counter.ts';
import type { Telemetry } from './telemetry.ts';

/** What ingest tells about itself; every method is called on the hot path and must be cheap and not throw. */
export interface IngestObserver {
  /** Events of a request are in the log. `bytes` are those of the bodies, `ms` the time since the request's headers. */
  stored(source: SourceKey, request: { readonly events: number; readonly bytes: number; readonly ms: number }): void;
  /** Events were answered with 202 before they are in the log; `stored` or `lost` follows. */
  accepted(source: SourceKey, events: number): void;
  /** The log refused events. `lost`: their sender had been told 202. */
  appendFailed(source: SourceKey, error: MillraceError, lost: number): void;
  /** A request was answered with an error; `error` is its name, for example `stream.in.bodyTooLarge`. */
  refused(status: number, error: string): void;
  /** A connection was cut or a request left off without an answer. */
  cut(reason: 'clientClosed' | 'protocol' | 'connectionLimit' | 'addressLimit' | 'firstByte' | 'unreadAnswers'): void;
  /** Connections are refused because there are so many, of all senders or of one; told now and then. */
  crowded(reason: keyof typeof limitsOfConnections, most: number, address?: string): void;
  /** A defect: the request was answered with 500. */
  failed(error: MillraceError): void;
}

/** Who has as many connections as may be, and what changes how many. */
const limitsOfConnections = {
  connectionLimit: { counted: 'all senders together', advice: 'MILLRACE_MAX_CONNECTIONS changes that' },
  addressLimit: {
    counted: 'senders of one address',
    advice:
      'MILLRACE_MAX_CONNECTIONS_PER_ADDRESS changes that, or for a proxy or load balancer, which may have all, MILLRACE_TRUSTED_PROXIES',
  },
} as const;

/** A request that ingest refused. `reason` is the error's name without `stream.in.`; only the product's own names. */
interface RefusedRequest {
  readonly reason: string;
  readonly status: number;
  readonly message: string;
}

/** Counts what sources accept, and no log line for it: a line per request would be slower than the request. */
export function observeIngest({ log, metrics }: Telemetry): IngestObserver {
  const countersOf = sourceCounters(metrics);
  const duration = metrics.histogram('millrace_ingest_duration_seconds').labels({});
  /** Debug only: a client that sends nonsense must not fill the log; the counter tells how much of it there is. */
  const requestRefused = ({ reason, status, message }: RefusedRequest): void => {
    metrics.counter('millrace_ingest_refused_total').inc({ reason });
    log.debug({ reason, status, detail: message }, 'request refused');
  };
  return {
    stored: (source, { events, bytes, ms }) => {
      const counters = countersOf(source);
      counters.events.inc(events);
      counters.bytes.inc(bytes);
      duration.observe(ms / 1000);
      if (events > 1) counters.batches.inc();
    },
    accepted: () => undefined,
    appendFailed: (source, error, lost) =>
      log.error({ ...source, lost, code: error.code, err: error }, 'append failed'),
    refused: (status, error) => requestRefused({ reason: error.replace(/^stream\.in\./, ''), status, message: error }),
    cut: (reason) => requestRefused({ reason, status: 0, message: 'connection cut' }),
    crowded: (reason, most, address) => {
      const { counted, advice } = limitsOfConnections[reason];
      const detail = `${counted} have all ${most} connections that they may: ${advice}`;
      log.warn({ reason, most, ...(address === undefined ? {} : { address }), detail }, 'connections refused');
    },
    failed: (error) => log.error({ code: error.code, err: error }, 'ingest failed'),
  };
}

interface SourceCounters {
  readonly events: Tally;
  readonly bytes: Tally;
  readonly batches: Tally;
}

/** Made once per source and kept: the hot path looks nothing up. */
function sourceCounters(metrics: Telemetry['metrics']): (key: SourceKey) => SourceCounters {
  const known = new WeakMap<SourceKey, SourceCounters>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const labels = sourceLabels(metrics, key);
    const counters = {
      events: metrics.counter('millrace_ingest_events_total').tally(labels),
      bytes: metrics.counter('millrace_ingest_bytes_total').tally(labels),
      batches: metrics.counter('millrace_ingest_batches_total').tally(labels),
    };
    known.set(key, counters);
    return counters;
  };
}
