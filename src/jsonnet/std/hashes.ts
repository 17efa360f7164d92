import type { Builtin } from './builtin.ts';

/** Hashes of text. */
export const hashes: readonly Builtin[] = [];
