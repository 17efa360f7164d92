/** A range of the template's text: lines and columns count from 1, in UTF-16 units; the end column is the last one in it. */
export interface Place {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** `line:column-column`, `(line:column)-(line:column)` over several lines; as text the end is one past the last column. */
export function placeText({ line, column, endLine, endColumn }: Place): string {
  if (line !== endLine) return `(${line}:${column})-(${endLine}:${endColumn + 1})`;
  return `${line}:${column}-${endColumn + 1}`;
}
