import type { Builtin } from './builtin.ts';

/** Formatted text: `std.format` and the operator `%`. */
export const formats: readonly Builtin[] = [];
