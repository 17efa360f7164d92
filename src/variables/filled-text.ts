import { invalidConfiguration } from './variable-error.ts';

/** A configuration has at most 4 MB; what values make of it must not grow without end. */
const longestText = 16 * 1024 * 1024;

/** Where the value of a variable stands in a text. */
export interface Insertion {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** It is the value as it came, and its escape would be another text. */
  readonly raw: boolean;
}

/** A text that is put together of pieces of a template and of values; refuses to become longer than 16 MB. */
export class FilledText {
  readonly insertions: Insertion[] = [];
  readonly #parts: string[] = [];
  #length = 0;

  keep(text: string): void {
    this.#length += text.length;
    if (this.#length > longestText) throw invalidConfiguration(`it would be longer than ${longestText} characters`);
    this.#parts.push(text);
  }

  /** Puts in the value of a variable: escaped for a JSON string, or as it is. */
  insert(name: string, value: string, escaped: boolean): void {
    const from = this.#length;
    const escape = JSON.stringify(value).slice(1, -1);
    this.keep(escaped ? escape : value);
    this.insertions.push({ name, from, to: this.#length, raw: !escaped && escape !== value });
  }

  toString(): string {
    return this.#parts.join('');
  }
}
