import type { ClaimsObserver } from '../../stages/claims/store-claims.ts';
import { ownerUnknown, storeNotOurs, storeOurs } from '../../telemetry/store-owner.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';

/** Logs and counts stores that are not this installation's. */
export function observeClaims(telemetry: Telemetry): ClaimsObserver {
  return {
    storeNotOurs: (store, error) => storeNotOurs(telemetry, { store, error }),
    storeOurs: (store) => storeOurs(telemetry, { store }),
    ownerUnknown: (store, error) => ownerUnknown(telemetry, { store, error }),
  };
}
