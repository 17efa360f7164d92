import type { Evaluation } from '../evaluation.ts';

/** Charges what putting names in order reads of them: long names that begin alike cost more than their number says. */
export function chargeSorting(names: readonly string[], evaluation: Evaluation): void {
  let length = 0;
  for (const name of names) length += name.length;
  evaluation.steps(names.length + ((length * (32 - Math.clz32(names.length))) >> 5));
}
