import type { MillraceError } from '../core/millrace-error.ts';
import type { Telemetry } from './telemetry.ts';

export interface StartedProcess {
  readonly version: string;
  readonly admin?: string;
  readonly ingest?: string;
  readonly otlpGrpc?: string;
  readonly ops?: string;
  readonly dataDir: string;
  /** From the start of the process to ready. */
  readonly seconds: number;
}

/** The process is ready to take events. */
export function processReady({ log, metrics }: Telemetry, started: StartedProcess): void {
  metrics.gauge('millrace_build_info').set({ version: started.version, node: process.version }, 1);
  log.info({ ...started }, 'process ready');
}

export interface AwayServer {
  readonly error: MillraceError;
  readonly attempt: number;
  readonly retryInMs: number;
}

/** A server that the process needs to start does not answer; the start is tried again. */
export function serverAway({ log }: Telemetry, { error, attempt, retryInMs }: AwayServer): void {
  log.warn({ attempt, retryInMs, code: error.code, reason: error.message }, 'process waits for a server');
}

/** New events are refused from now on; what was accepted is brought to a safe place. */
export function processDraining({ log }: Telemetry, { cause }: { readonly cause: string }): void {
  log.info({ cause }, 'process draining');
}

/** Everything is closed. `complete` is false when the drain ran into its deadline; nothing is lost then either. */
export function processStopped({ log }: Telemetry, stopped: { readonly complete: boolean; readonly seconds: number }) {
  if (stopped.complete) log.info({ ...stopped }, 'process stopped');
  else log.warn({ ...stopped }, 'process stopped');
}

/** The process cannot go on: it refuses senders and ends with this exit code. */
export function processBroken(
  { log }: Telemetry,
  broken: { readonly error: MillraceError; readonly exitCode: number },
) {
  const { error, exitCode } = broken;
  log.error({ code: error.code, err: error, exitCode }, 'process ends');
}

export interface FailedService {
  readonly service: string;
  readonly error: MillraceError;
  readonly attempt: number;
  /** Until the service is started again; undefined when it is not. */
  readonly retryInMs: number | undefined;
}

/** A service of the process ended with an error; the supervisor starts it again or gives the process up. */
export function serviceFailed(
  { log, metrics }: Telemetry,
  { service, error, attempt, retryInMs }: FailedService,
): void {
  metrics.counter('millrace_service_failures_total').inc({ service, code: error.code });
  log.error({ service, attempt, retryInMs, code: error.code, err: error }, 'service failed');
}
