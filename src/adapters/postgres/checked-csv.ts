import { MillraceError } from '../../core/millrace-error.ts';

const quote = 0x22;
const comma = 0x2c;
const lineEnd = 0x0a;

/**
 * Watches the CSV of one object go by and refuses what staging never writes. `COPY` takes more than that: cells without
 * quotes, text behind a quote, and a last line without an end, to which it would join the next object.
 */
export class CheckedCsv {
  readonly #name: string;
  #state: 'line' | 'cell' | 'inside' | 'quoted' = 'line';
  #line = 1;
  /** Bytes before the chunk under way, and before the line under way. */
  #seen = 0;
  #lineStart = 0;
  #longestLine = 0;

  constructor(name: string) {
    this.#name = name;
  }

  /** `table.invalidContent` at the first byte that breaks a rule; the message shows no cell. */
  chunk(bytes: Uint8Array): void {
    let state = this.#state;
    const { length } = bytes;
    if (bytes.includes(0)) {
      const rule = 'it holds the character U+0000, which no text of PostgreSQL can hold';
      throw new MillraceError('table.invalidContent', `"${this.#name}" cannot be loaded: ${rule}`);
    }
    for (let at = 0; at < length; at += 1) {
      if (state === 'inside') {
        // The inner loop is what makes this cheap beside the load itself.
        while (at < length && bytes[at] !== quote) at += 1;
        if (at < length) state = 'quoted';
        continue;
      }
      const byte = bytes[at];
      if (byte === quote) state = 'inside';
      else if (state !== 'quoted') this.#refuse('a cell is not quoted');
      else if (byte === comma) state = 'cell';
      else if (byte === lineEnd) {
        state = 'line';
        this.#line += 1;
        const end = this.#seen + at + 1;
        this.#longestLine = Math.max(this.#longestLine, end - this.#lineStart);
        this.#lineStart = end;
      } else this.#refuse('there is text after the quote that ends a cell');
    }
    this.#state = state;
    this.#seen += length;
  }

  /** Lines that have ended. */
  get rows(): number {
    return this.#line - 1;
  }

  /** Of the lines that have ended, with their line ends. */
  get longestLineBytes(): number {
    return this.#longestLine;
  }

  /** `table.invalidContent` when the last line has no end. */
  end(): void {
    if (this.#state === 'line') return;
    this.#refuse(this.#state === 'inside' ? 'the last cell has no end' : 'the last line has no end');
  }

  #refuse(rule: string): never {
    throw new MillraceError('table.invalidContent', `line ${this.#line} of "${this.#name}" is not as staged: ${rule}`);
  }
}
