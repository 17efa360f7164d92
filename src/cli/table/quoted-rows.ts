/** Cells by the names of their columns, each whole. */
export type TableRow = Readonly<Record<string, string>>;

/** What comes next: a cell, with what ends it. */
const cell = /"((?:[^"]|"")*)"(,|\n)/y;

/** The rows of a CSV as the API writes it: a header line, every cell quoted, lines ended by `\n`. Undefined for another text. */
export function quotedRows(csv: string): readonly TableRow[] | undefined {
  const lines: string[][] = [];
  let line: string[] = [];
  cell.lastIndex = 0;
  for (let end = 0; end < csv.length; end = cell.lastIndex) {
    const found = cell.exec(csv);
    if (found === null) return undefined;
    const [, text = '', ending] = found;
    line.push(text.replaceAll('""', '"'));
    if (ending === ',') continue;
    lines.push(line);
    line = [];
  }
  const [names, ...rows] = lines;
  if (names === undefined || line.length > 0) return undefined;
  return rows.map((cells) => Object.fromEntries(names.map((name, at) => [name, cells[at] ?? ''])));
}
