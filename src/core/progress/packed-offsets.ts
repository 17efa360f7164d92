import type { Offset } from '../offset.ts';

/** Offsets of one partition, ascending: the first one, then the distance of each from the one before it. As text it is short. */
export type PackedOffsets = readonly number[];

/** In any order; those that are there twice stay so. */
export function packOffsets(offsets: readonly Offset[]): PackedOffsets {
  const ascending = offsets.toSorted((a, b) => a - b);
  return ascending.map((offset, index) => offset - (ascending[index - 1] ?? 0));
}

export function holdsOffset(packed: PackedOffsets, offset: Offset): boolean {
  let at = 0;
  for (const distance of packed) {
    at += distance;
    if (at >= offset) return at === offset;
  }
  return false;
}
