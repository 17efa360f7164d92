/**
 * Lines of CSV whose cells are all quoted, with their cells at other places: of each cell of a line that comes, the place that it has
 * in a line that is given; -1 is an empty cell.
 */
export async function* relaidRows(
  pieces: AsyncIterable<Uint8Array>,
  places: readonly number[],
): AsyncIterable<Uint8Array> {
  const decoder = new TextDecoder();
  let text = '';
  /** Of the text, without a whole line in it: it is looked at again when it has twice as much. */
  let waiting = 0;
  for await (const piece of pieces) {
    text += decoder.decode(piece, { stream: true });
    if (text.length < waiting * 2) continue;
    const { lines, rest } = relaid(text, places);
    if (lines !== '') yield Buffer.from(lines);
    text = rest;
    waiting = rest.length;
  }
  const { lines } = relaid(text, places);
  if (lines !== '') yield Buffer.from(lines);
}

function relaid(text: string, places: readonly number[]): { readonly lines: string; readonly rest: string } {
  let lines = '';
  let start = 0;
  for (let line = lineFrom(text, start); line !== undefined; line = lineFrom(text, start)) {
    const { cells, end } = line;
    lines += `"${places.map((place) => cells[place] ?? '').join('","')}"\n`;
    start = end;
  }
  return { lines, rest: text.slice(start) };
}

/** The line that begins there, its cells without their quotes; undefined: it does not end in this text. */
function lineFrom(
  text: string,
  start: number,
): { readonly cells: readonly string[]; readonly end: number } | undefined {
  const cells: string[] = [];
  for (let at = start; at < text.length;) {
    const end = endOfCell(text, at + 1);
    // What stands behind a quote says whether it ends the cell.
    if (end < 0 || end + 1 >= text.length) return undefined;
    cells.push(text.slice(at + 1, end));
    if (text[end + 1] === '\n') return { cells, end: end + 2 };
    at = end + 2;
  }
  return undefined;
}

/** The place of the quote that ends the cell; -1: it is not in this text. */
function endOfCell(text: string, from: number): number {
  let end = text.indexOf('"', from);
  while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
  return end;
}
