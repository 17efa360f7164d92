/** The cells of a CSV file whose cells are all quoted. */
export async function csvCells(pieces: AsyncIterable<Uint8Array>): Promise<readonly (readonly string[])[]> {
  const parts: Uint8Array[] = [];
  for await (const piece of pieces) parts.push(piece);
  const text = Buffer.concat(parts).toString();
  const rows: string[][] = [];
  let row: string[] = [];
  let read = 0;
  // A table without columns has lines without anything.
  for (const [token, cell, end] of text.matchAll(/"((?:[^"]|"")*)"([,\n])|\n/gy)) {
    if (cell !== undefined) row.push(cell.replaceAll('""', '"'));
    read += token.length;
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  if (read !== text.length || row.length > 0)
    throw new Error(`no CSV from ${read} on: ${text.slice(read, read + 100)}`);
  return rows;
}
