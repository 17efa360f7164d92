import { limits } from '../limits.ts';
import { MillraceError } from '../millrace-error.ts';
import type { CsvForm } from './storage-job.ts';

type State = 'start' | 'plain' | 'quoted' | 'escaped' | 'closed';

export interface CsvRow {
  /** Where it begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * Takes a CSV apart, piece by piece: texts in, rows out. A row ends with `\n`, `\r` or `\r\n`; inside an enclosure these are part of the
 * cell. What is no CSV is `import.invalid`, with line and column.
 */
export class CsvReader {
  readonly #delimiter: string;
  readonly #enclosure: string;
  readonly #escape: string;
  #state: State = 'start';
  #cell = '';
  #cells: string[] = [];
  #length = 0;
  #line = 1;
  #rowLine = 1;
  #afterReturn = false;

  constructor({ delimiter, enclosure, escapedBy }: Pick<CsvForm, 'delimiter' | 'enclosure' | 'escapedBy'>) {
    this.#delimiter = delimiter;
    this.#enclosure = enclosure;
    this.#escape = escapedBy;
  }

  /** The rows that end in this piece. */
  *push(text: string): Generator<CsvRow> {
    let at = 0;
    if (this.#afterReturn && text.startsWith('\n')) at = 1;
    if (text !== '') this.#afterReturn = false;
    while (at < text.length) {
      const run = this.#run(text, at);
      if (run > at) {
        this.#take(text.slice(at, run));
        at = run;
        continue;
      }
      const char = text.charAt(at);
      at += 1;
      if (!this.#step(char)) continue;
      if (char === '\r') {
        if (text.charAt(at) === '\n') at += 1;
        else this.#afterReturn = at === text.length;
      }
      yield this.#row();
    }
  }

  /** The last row, when no line end follows it. */
  *end(): Generator<CsvRow> {
    if (this.#state === 'quoted' || this.#state === 'escaped')
      throw this.#fault('the cell that begins here is not closed before the end of the file', this.#rowLine);
    if (this.#state !== 'start' || this.#cells.length > 0) yield this.#row();
  }

  /** Where the characters end that only belong to the cell. */
  #run(text: string, from: number): number {
    let at = from;
    if (this.#state === 'plain') {
      for (; at < text.length; at += 1) {
        const char = text.charAt(at);
        if (
          char === this.#delimiter ||
          char === '\n' ||
          char === '\r' ||
          char === this.#enclosure ||
          char === this.#escape
        )
          break;
      }
    } else if (this.#state === 'quoted') {
      for (; at < text.length; at += 1) {
        const char = text.charAt(at);
        if (char === this.#enclosure || char === this.#escape) break;
        if (char === '\n') this.#line += 1;
      }
    }
    return at;
  }

  /** True when the character ends the row. */
  #step(char: string): boolean {
    switch (this.#state) {
      case 'escaped':
        this.#take(char);
        if (char === '\n') this.#line += 1;
        this.#state = 'quoted';
        return false;
      case 'quoted':
        this.#state = char === this.#escape && char !== this.#enclosure ? 'escaped' : 'closed';
        return false;
      case 'closed':
        if (char === this.#enclosure) {
          this.#take(char);
          this.#state = 'quoted';
          return false;
        }
        return this.#between(char, 'a closed cell is followed by');
      case 'start':
        if (char === this.#enclosure) {
          this.#state = 'quoted';
          return false;
        }
        return this.#between(char);
      case 'plain':
        if (char === this.#enclosure)
          throw this.#fault(
            `${JSON.stringify(char)} stands inside a cell that is not enclosed; enclose the cell and double it`,
          );
        return this.#between(char);
      default:
        return this.#state satisfies never;
    }
  }

  #between(char: string, refused?: string): boolean {
    if (char === this.#delimiter) {
      this.#endCell();
      // A cell follows, even if the line ends.
      this.#state = 'start';
      return false;
    }
    if (char === '\n' || char === '\r') return true;
    if (refused !== undefined)
      throw this.#fault(`${refused} ${JSON.stringify(char)}, and not by a delimiter or a line end`);
    this.#take(char);
    this.#state = 'plain';
    return false;
  }

  #take(text: string): void {
    if (text.includes('\0')) throw this.#fault('a cell cannot hold the character U+0000');
    this.#cell += text;
    this.#length += text.length;
    if (this.#length > limits.rowBytes) throw this.#fault(`a row has at most ${limits.rowBytes} bytes`);
  }

  #endCell(): void {
    this.#cells.push(this.#cell);
    this.#cell = '';
    if (this.#cells.length > limits.columnsPerCreatedTable)
      throw this.#fault(`a row has at most ${limits.columnsPerCreatedTable} cells`);
  }

  #row(): CsvRow {
    this.#endCell();
    const row = { line: this.#rowLine, cells: this.#cells };
    this.#cells = [];
    this.#length = 0;
    this.#state = 'start';
    this.#line += 1;
    this.#rowLine = this.#line;
    return row;
  }

  #fault(what: string, line = this.#line): MillraceError {
    return new MillraceError('import.invalid', `Line ${line}, column ${this.#cells.length + 1}: ${what}.`);
  }
}
