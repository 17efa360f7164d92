import type { Telemetry } from './telemetry.ts';

/** Ingest takes fewer connections than it is configured for, or than most need: the process may not have so many files open. */
export function tellFewConnections(
  { log }: Telemetry,
  limits: { readonly configured: number | undefined; readonly files: number; readonly connections: number },
): void {
  const { configured, files, connections } = limits;
  const wanted = configured === undefined ? '' : `MILLRACE_MAX_CONNECTIONS is ${configured}, but `;
  const detail = `${wanted}this process may have ${files} files open (ulimit -n): ingest takes ${connections} connections at a time`;
  log.warn({ ...limits, detail }, 'few connections, because few files may be open');
}
