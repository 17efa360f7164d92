import type { Telemetry } from './telemetry.ts';

export interface EndedBackup {
  readonly state: string;
  readonly to: string;
  readonly startedAt: string;
  readonly at?: string;
  readonly bytes: number;
  readonly error?: string;
}

/** A backup is done, or failed, or was stopped. */
export function backupEnded({ log }: Telemetry, backup: EndedBackup): void {
  const { state } = backup;
  if (state === 'failed') log.error({ ...backup }, 'backup failed');
  else log.info({ ...backup }, state === 'done' ? 'backup made' : 'backup stopped');
}
