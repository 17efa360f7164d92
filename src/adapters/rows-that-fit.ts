/** How many of the first rows, whose sizes are given in order, have no more than `maxBytes` together. */
export function rowsThatFit(sizes: readonly number[], maxBytes: number): number {
  let [rows, bytes] = [0, 0];
  for (const size of sizes) {
    bytes += size;
    if (bytes > maxBytes) break;
    rows += 1;
  }
  return rows;
}
