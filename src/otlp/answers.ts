import { PbfWriter } from 'pbf';
import type { Signal } from '../core/event.ts';
import {
  writeExportLogsServiceResponse,
  writeExportMetricsServiceResponse,
  writeExportTraceServiceResponse,
  writeRetryInfo,
  writeRpcStatus,
} from './wire/messages.ts';

/** Of a request that was taken: what of it was not. */
export interface Partial {
  readonly signal: Signal;
  /** Records; with 0 there is no `partial_success`. */
  readonly rejected: number;
  readonly message: string;
}

/** A `google.rpc.Status`. */
export interface RpcStatus {
  readonly code: number;
  readonly message: string;
}

/** An Export…ServiceResponse in protobuf. */
export function responseBytes({ signal, rejected, message: error_message }: Partial): Uint8Array {
  if (rejected === 0) return new Uint8Array();
  const writer = new PbfWriter();
  switch (signal) {
    case 'logs':
      writeExportLogsServiceResponse({ partial_success: { rejected_log_records: rejected, error_message } }, writer);
      break;
    case 'metrics':
      writeExportMetricsServiceResponse({ partial_success: { rejected_data_points: rejected, error_message } }, writer);
      break;
    case 'traces':
      writeExportTraceServiceResponse({ partial_success: { rejected_spans: rejected, error_message } }, writer);
      break;
    default:
      return signal satisfies never;
  }
  return writer.finish();
}

const counters = {
  logs: 'rejectedLogRecords',
  metrics: 'rejectedDataPoints',
  traces: 'rejectedSpans',
} as const satisfies Readonly<Record<Signal, string>>;

/** The same as JSON; 64-bit integers are texts there. */
export function responseText({ signal, rejected, message: errorMessage }: Partial): string {
  if (rejected === 0) return '{}';
  return JSON.stringify({ partialSuccess: { [counters[signal]]: String(rejected), errorMessage } });
}

/** A status in protobuf; with a time to wait it has a `google.rpc.RetryInfo`. */
export function statusBytes({ code, message }: RpcStatus, retryAfterSeconds?: number): Uint8Array {
  const details = retryAfterSeconds === undefined ? [] : [retryInfo(retryAfterSeconds)];
  const writer = new PbfWriter();
  writeRpcStatus({ code, message, details }, writer);
  return writer.finish();
}

export function statusText({ code, message }: RpcStatus): string {
  return JSON.stringify({ code, message });
}

function retryInfo(seconds: number): { readonly type_url: string; readonly value: Uint8Array } {
  const writer = new PbfWriter();
  writeRetryInfo({ retry_delay: { seconds, nanos: 0 } }, writer);
  return { type_url: 'type.googleapis.com/google.rpc.RetryInfo', value: writer.finish() };
}
