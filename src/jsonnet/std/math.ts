import { finite } from '../operators/add.ts';
import { builtin, type Builtin } from './builtin.ts';

/** Numbers. */
export const math: readonly Builtin[] = [
  builtin('abs', ['n: number'], ([value]) => Math.abs(value)),
  builtin('exp', ['x: number'], ([value], evaluation) => finite(Math.exp(value), evaluation)),
];
