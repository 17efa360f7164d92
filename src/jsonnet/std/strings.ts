import { builtin, type Builtin } from './builtin.ts';

/** Strings: parts, search, case and replacement; all indexes count code points. */
export const strings: readonly Builtin[] = [
  builtin('toString', ['a: any'], ([value], evaluation) => evaluation.toText(value)),
];
