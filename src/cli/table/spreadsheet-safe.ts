import { Transform } from 'node:stream';

const quote = 0x22;
/** With these a spreadsheet takes a cell for a formula; with a tab or a carriage return before them, too. */
const formulas: ReadonlySet<number> = new Set(Buffer.from('=+-@\t\r'));

/**
 * CSV whose cells are all quoted, made safe to be opened by a spreadsheet: a cell that begins as a formula does gets a `'`
 * before it, which makes it a text there. Whoever reads the file otherwise sees the `'`.
 */
export function spreadsheetSafe(): Transform {
  /** An odd number of quotes has been seen: within a cell, a quote inside of which is two. */
  let isInCell = false;
  let isAtBegin = false;
  let previous: number | undefined;
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      const parts: Buffer[] = [];
      let from = 0;
      for (const [at, found] of chunk.entries()) {
        if (isAtBegin && formulas.has(found)) {
          parts.push(chunk.subarray(from, at), Buffer.from("'"));
          from = at;
        }
        if (found === quote) isInCell = !isInCell;
        isAtBegin = found === quote && isInCell && previous !== quote;
        previous = found;
      }
      parts.push(chunk.subarray(from));
      done(undefined, Buffer.concat(parts));
    },
  });
}
