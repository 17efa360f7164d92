import { closest, distance } from 'fastest-levenshtein';

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
