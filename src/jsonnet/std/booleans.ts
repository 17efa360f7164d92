import { builtin, type Builtin } from './builtin.ts';

/** What the operators of booleans do not say. */
export const booleans: readonly Builtin[] = [
  builtin('xor', ['x: boolean', 'y: boolean'], ([one, other]) => one !== other),
  builtin('xnor', ['x: boolean', 'y: boolean'], ([one, other]) => one === other),
];
