/** What one transaction does, as far as it takes pages. */
export interface WriteSize {
  /** Bytes of each value that is put. */
  readonly values: readonly number[];
  readonly removed: number;
}

/** The path to a leaf, a split of it, and its share of the branches that are copied. */
const pagesPerPut = 4;
/** A leaf, one beside it, and their share. A value of several pages is freed without a copy. */
const pagesPerRemoval = 3;
/** The roots of the databases, and the list of free pages. */
const pagesPerWrite = 64;
/** What LMDB puts beside a value: a version, and the head of its pages. */
const bytesBesideValue = 32;

/** A generous number of pages that the write takes into use at most, if none that is free is used again. */
export function pagesOf({ values, removed }: WriteSize, pageSize: number): number {
  let pages = pagesPerWrite + values.length * pagesPerPut + removed * pagesPerRemoval;
  for (const bytes of values) pages += Math.ceil((bytes + bytesBesideValue) / pageSize);
  return pages;
}
