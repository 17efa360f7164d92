import { closest, distance } from 'fastest-levenshtein';

/** Asks for the known name that is nearest to one that is not known; undefined when none is near. */
export function didYouMean(
  name: string,
  known: readonly string[],
  { prefix = '' }: { readonly prefix?: string } = {},
): string | undefined {
  const nearest = nearestOf(name, known, { prefix });
  return nearest === undefined ? undefined : `did you mean ${nearest}?`;
}

/** The known name that is nearest to one that is not known; undefined when none is near. What all begin with does not count. */
export function nearestOf(
  name: string,
  known: readonly string[],
  { prefix = '' }: { readonly prefix?: string } = {},
): string | undefined {
  if (known.length === 0) return undefined;
  const nearest = closest(name, known);
  return distance(name, nearest) <= Math.max(1, (name.length - prefix.length) / 3) ? nearest : undefined;
}

/** Says of a field of a file that it is not known, and what is. */
export function unknownField(name: string, known: readonly string[]): string {
  if (known.length === 0) return 'there is no such field';
  return `there is no such field; ${didYouMean(name, known) ?? `there are ${known.join(', ')}`}`;
}
