import { builtin, type Builtin } from './builtin.ts';

/** For the writer of a template. */
export const debugging: readonly Builtin[] = [
  /** Prints nothing: a template has nowhere to print to. The text is computed, so a mistake in it is found. */
  builtin('trace', ['str: string', 'rest: any'], ([, rest]) => rest),
];
