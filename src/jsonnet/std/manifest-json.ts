import type { Builtin } from './builtin.ts';

/** JSON output. */
export const jsonOutput: readonly Builtin[] = [];
