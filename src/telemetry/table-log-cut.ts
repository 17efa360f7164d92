import type { Telemetry } from './telemetry.ts';

/** The end of a log of the tables was cut off, as a loss of power had torn it: so many bytes of which nobody had an answer. */
export function tableLogCut({ log }: Telemetry, cut: { readonly path: string; readonly bytes: number }): void {
  log.warn({ ...cut }, 'torn end of a table log cut');
}
