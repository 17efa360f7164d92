import type { Telemetry } from './telemetry.ts';

/** A request that ingest refused. `reason` is the error's name without `stream.in.`; only the product's own names. */
export interface RefusedRequest {
  readonly reason: string;
  readonly status: number;
  readonly message: string;
}

/** Debug only: a client that sends nonsense must not fill the log; the counter tells how much of it there is. */
export function requestRefused({ log, metrics }: Telemetry, { reason, status, message }: RefusedRequest): void {
  metrics.counter('millrace_ingest_refused_total').inc({ reason });
  log.debug({ reason, status, detail: message }, 'request refused');
}
