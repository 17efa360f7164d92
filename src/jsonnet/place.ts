/** A range of the template's text: lines and columns count from 1, in UTF-16 units; the end column is the last one in it. */
export interface Place {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** `line:column-column`, `line:column` for one character, `(line:column)-(line:column)` over several lines. */
export function placeText(place: Place): string {
  const { line, column, endLine, endColumn } = place;
  if (line !== endLine) return `(${line}:${column})-(${endLine}:${endColumn})`;
  return column === endColumn ? `${line}:${column}` : `${line}:${column}-${endColumn}`;
}
