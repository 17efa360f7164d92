import type { Ownership } from '../../src/ports/claimable.ts';

/** As it is where nobody else is: every store has the mark of the installation. */
export const ownEverything: Ownership = { isOurs: () => Promise.resolve(true) };
