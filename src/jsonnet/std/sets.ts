import type { Builtin } from './builtin.ts';

/** Sets: sorted arrays without duplicates. */
export const sets: readonly Builtin[] = [];
