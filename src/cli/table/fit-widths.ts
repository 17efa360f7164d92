/**
 * Widths of columns that fit into `available` together: a column gets what it needs as long as it needs no more than its
 * fair share; the wide ones share the rest. None gets less than `least`.
 */
export function fitWidths(needed: readonly number[], available: number, least = 8): readonly number[] {
  const widths = new Map<number, number>();
  const ascending = needed.map((width, column) => ({ width, column })).toSorted((a, b) => a.width - b.width);
  let rest = available;
  for (const [index, { width, column }] of ascending.entries()) {
    const share = Math.floor(rest / (ascending.length - index));
    const given = Math.min(width, Math.max(least, share));
    widths.set(column, given);
    rest -= given;
  }
  return needed.map((_, column) => widths.get(column) ?? least);
}
