import type { Telemetry } from './telemetry.ts';

/** Others on the machine may look into the data folder, which the process does not change by itself. */
export function dataFolderOpen({ log }: Telemetry, path: string): void {
  log.warn({ path }, 'others on this machine may look into the data folder; close it: chmod o-rwx');
}
