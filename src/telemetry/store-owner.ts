import type { MillraceError } from '../core/millrace-error.ts';
import type { Telemetry } from './telemetry.ts';

interface JudgedStore {
  readonly store: string;
  readonly error: MillraceError;
}

/** A store has the mark of another installation, or has lost the one of this; nothing of it is removed. */
export function storeNotOurs({ log, metrics }: Telemetry, { store, error }: JudgedStore): void {
  metrics.gauge('millrace_foreign_store_alarms').set({ store }, 1);
  log.error({ store, code: error.code, reason: error.message }, 'store is not of this installation');
}

/** It is known to be of this installation again. */
export function storeOurs({ log, metrics }: Telemetry, { store }: Pick<JudgedStore, 'store'>): void {
  metrics.gauge('millrace_foreign_store_alarms').set({ store }, 0);
  log.info({ store }, 'store is of this installation');
}

/** The mark of a store cannot be read; nothing of it is removed meanwhile. */
export function ownerUnknown({ log }: Telemetry, { store, error }: JudgedStore): void {
  log.warn({ store, code: error.code, reason: error.message }, 'owner of a store is unknown');
}
