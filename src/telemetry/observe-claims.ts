import type { MillraceError } from '../core/millrace-error.ts';
import type { Telemetry } from './telemetry.ts';

/** What is told of the stores of an installation, by name; every method is quick and never throws. */
export interface ClaimsObserver {
  /** The store has the mark of another installation, or has lost the one of this, since just now; nothing of it is removed. */
  storeNotOurs(store: string, error: MillraceError): void;
  /** It is known to be of this installation again. */
  storeOurs(store: string): void;
  /** Nobody can tell now whose it is; nothing of it is removed meanwhile, and it is looked at again. */
  ownerUnknown(store: string, error: MillraceError): void;
}

/** Logs and counts stores that are not this installation's. */
export function observeClaims({ log, metrics }: Telemetry): ClaimsObserver {
  const gauge = metrics.gauge('millrace_foreign_store_alarms');
  return {
    storeNotOurs: (store, { code, message }) => {
      gauge.set({ store }, 1);
      log.error({ store, code, reason: message }, 'store is not of this installation');
    },
    storeOurs: (store) => {
      gauge.set({ store }, 0);
      log.info({ store }, 'store is of this installation');
    },
    ownerUnknown: (store, { code, message }) =>
      log.warn({ store, code, reason: message }, 'owner of a store is unknown'),
  };
}
