import { nearestOf } from '../core/nearest-of.ts';

/** Asks for the known name that is nearest to one that is not known; undefined when none is near. */
export function didYouMean(
  name: string,
  known: readonly string[],
  { prefix = '' }: { readonly prefix?: string } = {},
): string | undefined {
  const nearest = nearestOf(name, known, { prefix });
  return nearest === undefined ? undefined : `did you mean ${nearest}?`;
}

/** Says of a field of a file that it is not known, and what is. */
export function unknownField(name: string, known: readonly string[]): string {
  if (known.length === 0) return 'there is no such field';
  return `there is no such field; ${didYouMean(name, known) ?? `there are ${known.join(', ')}`}`;
}
