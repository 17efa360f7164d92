import { JsonnetError } from '../jsonnet-error.ts';
import type { Place } from '../place.ts';

/** The text of a template and where its lines begin. Offsets are UTF-16 units. */
export class SourceText {
  readonly text: string;
  readonly #lineStarts: readonly number[];

  constructor(text: string) {
    this.text = text;
    const starts = [0];
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    this.#lineStarts = starts;
  }

  /** The place from offset `start` to before offset `end`; an empty range is widened to one character. */
  place(start: number, end: number): Place {
    const first = this.#line(start);
    const last = this.#line(Math.max(start, end - 1));
    return {
      line: first + 1,
      column: start - this.#start(first) + 1,
      endLine: last + 1,
      endColumn: Math.max(start, end - 1) - this.#start(last) + 1,
    };
  }

  /** A static error at offsets `start` to `end`. */
  refuse(message: string, start: number, end: number = start + 1): JsonnetError {
    return new JsonnetError('static', message, { place: this.place(start, end) });
  }

  #start(line: number): number {
    return this.#lineStarts[line] ?? 0;
  }

  #line(offset: number): number {
    let low = 0;
    let high = this.#lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#start(middle) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
