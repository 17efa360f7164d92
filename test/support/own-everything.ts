import { MillraceError } from '../../src/core/millrace-error.ts';
import type { ClaimedStore, Ownership } from '../../src/ports/claimable.ts';

/** As it is where nobody else is: every store has the mark of the installation. */
export const ownEverything: Ownership = ownAllBut(new Set());

/** Of some stores another installation has the mark, for as long as they are in the set. */
export function ownAllBut(foreign: ReadonlySet<ClaimedStore>): Ownership {
  return {
    isOurs: (store) => Promise.resolve(!foreign.has(store)),
    assertOurs: (store) => {
      if (!foreign.has(store)) return Promise.resolve();
      return Promise.reject(new MillraceError('installation.foreign', `the store "${store}" is another's`));
    },
  };
}
