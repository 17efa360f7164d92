import type { SourceKey } from '../../core/ids.ts';
import type { MillraceError } from '../../core/millrace-error.ts';

/** What ingest tells about itself; every method is called on the hot path and must be cheap and not throw. */
export interface IngestMetrics {
  /** Events of a request are in the log. `bytes` are those of the bodies, `ms` the time since the request's headers. */
  stored(source: SourceKey, request: { readonly events: number; readonly bytes: number; readonly ms: number }): void;
  /** Events were answered with 202 before they are in the log; `stored` or `lost` follows. */
  accepted(source: SourceKey, events: number): void;
  /** The log refused events. `lost`: their sender had been told 202. */
  appendFailed(source: SourceKey, error: MillraceError, lost: number): void;
  /** A request was answered with an error; `error` is its name, for example `stream.in.bodyTooLarge`. */
  refused(status: number, error: string): void;
  /** A connection was cut or a request left off without an answer. */
  cut(reason: 'clientClosed' | 'protocol' | 'connectionLimit'): void;
  /** A defect: the request was answered with 500. */
  failed(error: MillraceError): void;
}

/** Counts nothing. */
export const silentIngestMetrics: IngestMetrics = {
  stored: () => undefined,
  accepted: () => undefined,
  appendFailed: () => undefined,
  refused: () => undefined,
  cut: () => undefined,
  failed: () => undefined,
};
