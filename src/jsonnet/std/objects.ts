import type { Builtin } from './builtin.ts';

/** Objects. */
export const objects: readonly Builtin[] = [];
