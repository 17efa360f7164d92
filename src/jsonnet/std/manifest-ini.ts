import type { Builtin } from './builtin.ts';

/** INI output. */
export const iniOutput: readonly Builtin[] = [];
