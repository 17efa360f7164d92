import type { Builtin } from './builtin.ts';

/** Sorting, comparing and searching arrays. */
export const ordering: readonly Builtin[] = [];
