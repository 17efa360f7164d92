import type { Telemetry } from './telemetry.ts';

/** What becomes of the disk of the data folder; every method is quick and never throws. */
export interface DiskObserver {
  /** Events are refused from now on. */
  diskFull(freeBytes: number): void;
  /** They are taken again. */
  diskHasSpace(freeBytes: number): void;
}

const full = { role: 'ingest', code: 'log.diskFull' };

/** Logs it, and rings while the disk is full. */
export function observeDisk({ log, metrics }: Telemetry): DiskObserver {
  const alarms = metrics.gauge('millrace_open_alarms');
  return {
    diskFull: (freeBytes) => {
      alarms.set(full, 1);
      log.error({ code: full.code, freeBytes }, 'the disk is full: events are refused until there is space');
    },
    diskHasSpace: (freeBytes) => {
      alarms.set(full, 0);
      log.info({ code: full.code, freeBytes }, 'the disk has space again: events are taken');
    },
  };
}
