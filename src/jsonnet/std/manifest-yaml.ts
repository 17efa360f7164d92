import type { Builtin } from './builtin.ts';

/** YAML output. */
export const yamlOutput: readonly Builtin[] = [];
