import type { Builtin } from './builtin.ts';

/** Numbers, JSON and YAML read from text. */
export const parsing: readonly Builtin[] = [];
