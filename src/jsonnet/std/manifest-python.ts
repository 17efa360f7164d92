import type { Builtin } from './builtin.ts';

/** Python output. */
export const pythonOutput: readonly Builtin[] = [];
