import type { Builtin } from './builtin.ts';

/** `trace`, `assertEqual` and what else is for the writer of a template. */
export const debugging: readonly Builtin[] = [];
