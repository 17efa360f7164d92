/** Above every text that `sortableId` makes, in whatever order a database compares. */
const aboveAll = '\u{10ffff}';

/**
 * An id as text whose order by code points, by UTF-8 bytes and by code units is the code unit order of the id, and whose
 * prefixes are those of the id: for databases that compare UTF-8 (an astral character would come after U+FFFF there,
 * not before U+E000) or refuse NUL and lone surrogates. An id of ordinary characters stays as it is.
 */
export function sortableId(id: string): string {
  // oxlint-disable-next-line no-control-regex -- these two make room for NUL
  return id.replaceAll(/[\u0000\u0001\ud7ff-\uffff]/g, (unit) => {
    const code = unit.charCodeAt(0);
    return code <= 1 ? `\u0001${code}` : `\ud7ff${code.toString(16)}`;
  });
}

/** The id of a text that `sortableId` made. */
export function idOfSortable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- as above
  return text.replaceAll(/\u0001(.)|\ud7ff(.{4})/g, (_, low: string | undefined, high: string | undefined) =>
    String.fromCharCode(low === undefined ? Number.parseInt(high ?? '', 16) : Number(low)),
  );
}

/** The sortable ids of all ids that begin with `prefix`: from `start` to `end`, which is exclusive. */
export function sortableRange(prefix: string): { readonly start: string; readonly end: string } {
  const start = sortableId(prefix);
  return { start, end: start + aboveAll };
}
