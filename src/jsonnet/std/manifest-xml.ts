import type { Builtin } from './builtin.ts';

/** XML output. */
export const xmlOutput: readonly Builtin[] = [];
