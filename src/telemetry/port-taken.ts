import type { Telemetry } from './telemetry.ts';

/** OTLP over gRPC is not served: its usual port is taken, and nobody asked for it. */
export function tellPortTaken(
  { log }: Telemetry,
  { host, port }: { readonly host: string; readonly port: number },
): void {
  const detail = `OTLP over gRPC is not served: ${host}:${port} cannot be had. Set MILLRACE_OTLP_GRPC_PORT to another port, 0 takes a free one`;
  log.warn({ host, port, detail }, 'a listener is left out');
}
