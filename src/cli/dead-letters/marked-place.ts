/** Lines of a template around a place, with their numbers, and a mark under the place; none for a place that it does not have. */
export function markedPlace(template: string, place: string): readonly string[] {
  const found = parsePlace(place);
  // A tab is as wide as any other character here, so that the mark stands under the place.
  const lines = template.replaceAll('\t', ' ').split('\n');
  const line = found === undefined ? undefined : lines[found.line - 1];
  if (found === undefined || line === undefined) return [];
  const first = Math.max(0, found.line - 1 - linesBefore);
  const width = String(found.line).length;
  const numbered = lines
    .slice(first, found.line)
    .map((text, at) => `  ${String(first + at + 1).padStart(width)} | ${text}`);
  const from = Math.min(found.column - 1, line.length);
  const to = found.endLine === found.line ? found.endColumn - 1 : line.length;
  return [...numbered, `  ${' '.repeat(width)} | ${' '.repeat(from)}${'^'.repeat(Math.max(1, to - from))}`];
}

const linesBefore = 2;

/** As `placeText` writes it; the end column is one past the last. */
function parsePlace(text: string) {
  const within = /^(\d+):(\d+)-(\d+)$/.exec(text);
  const over = /^\((\d+):(\d+)\)-\((\d+):(\d+)\)$/.exec(text);
  const [line, column, endLine, endColumn] =
    within !== null
      ? [within[1], within[2], within[1], within[3]].map(Number)
      : over !== null
        ? over.slice(1).map(Number)
        : [];
  if (line === undefined || column === undefined || endLine === undefined || endColumn === undefined) return undefined;
  return { line, column, endLine, endColumn };
}
