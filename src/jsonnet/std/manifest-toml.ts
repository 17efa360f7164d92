import type { Builtin } from './builtin.ts';

/** TOML output. */
export const tomlOutput: readonly Builtin[] = [];
