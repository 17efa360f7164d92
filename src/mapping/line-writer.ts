import { Buffer } from 'node:buffer';
import { limits } from '../core/limits.ts';

const quote = 0x22;

/** A buffer that grew beyond this is not kept. */
const maxKeptBytes = 16 * 1024 ** 2;

/** Room for the quotes around a cell and the comma before it. */
const cellFrame = 3;

/**
 * Writes CSV lines one behind the other into a buffer that is kept and grows: every cell in double quotes, inner quotes
 * doubled, `,` between cells, `\n` at the end. What it hands out are views that `clear` makes invalid. It does not
 * judge whether a cell is valid text.
 *
 * A cell that would make the line longer than its limit is not written, and the call answers false.
 */
export class LineWriter {
  readonly #initialBytes: number;
  #bytes: Buffer;
  #length = 0;
  #lineStart = 0;
  #lineEnd = 0;

  constructor(initialBytes = 64 * 1024) {
    this.#initialBytes = initialBytes;
    this.#bytes = Buffer.alloc(initialBytes);
  }

  /** Bytes written since the last `clear`, all lines together. */
  get length(): number {
    return this.#length;
  }

  /** Starts a line at the end of what is written; `maxBytes` counts its line end. */
  begin(maxBytes: number = limits.rowBytes): void {
    this.#lineStart = this.#length;
    this.#lineEnd = this.#length + maxBytes - 1;
  }

  /** Ends the line. */
  end(): void {
    this.#ensure(1);
    this.#bytes[this.#length++] = 0x0a;
  }

  /** Bytes of `line`, for whoever needs no view of it. */
  get lineLength(): number {
    return this.#length - this.#lineStart;
  }

  /** What is written of the line since `begin`, as a view. */
  line(): Buffer {
    return this.#bytes.subarray(this.#lineStart, this.#length);
  }

  /** Takes back what was written since `begin`. */
  rollback(): void {
    this.#length = this.#lineStart;
  }

  /** Forgets everything; views handed out before are overwritten by what comes. */
  clear(): void {
    if (this.#bytes.length > maxKeptBytes) this.#bytes = Buffer.alloc(this.#initialBytes);
    this.#length = 0;
    this.#lineStart = 0;
  }

  /** Writes the bytes [start, end) of `source` as a cell. */
  writeBytes(source: Uint8Array, start: number, end: number): boolean {
    if (this.#length + end - start + 2 > this.#lineEnd) return false;
    this.#ensure((end - start) * 2 + cellFrame);
    const target = this.#bytes;
    let at = this.#open(target);
    for (let from = start; from < end; from++) {
      const byte = source[from] as number;
      target[at] = byte;
      at++;
      if (byte === quote) {
        target[at] = quote;
        at++;
      }
    }
    return this.#close(target, at);
  }

  /** Writes a text as a cell; a lone surrogate becomes U+FFFD. */
  writeText(text: string): boolean {
    if (this.#length + text.length + 2 > this.#lineEnd) return false;
    this.#ensure(text.length * 2 + cellFrame);
    const target = this.#bytes;
    let at = this.#open(target);
    for (let from = 0; from < text.length; from++) {
      const code = text.charCodeAt(from);
      if (code >= 0x80) return this.#writeEncoded(text);
      target[at++] = code;
      if (code === quote) target[at++] = quote;
    }
    return this.#close(target, at);
  }

  /** Writes a text of ASCII without quotes, such as base64, as a cell. */
  writePlain(text: string): boolean {
    if (this.#length + text.length + 2 > this.#lineEnd) return false;
    this.#ensure(text.length + cellFrame);
    const at = this.#open(this.#bytes);
    return this.#close(this.#bytes, at + this.#bytes.write(text, at, 'latin1'));
  }

  #writeEncoded(text: string): boolean {
    const encoded = Buffer.from(text);
    return this.writeBytes(encoded, 0, encoded.length);
  }

  /** Puts down the comma and the opening quote without moving the end of what is written. */
  #open(target: Buffer): number {
    let at = this.#length;
    if (at > this.#lineStart) target[at++] = 0x2c;
    target[at++] = quote;
    return at;
  }

  #close(target: Buffer, at: number): boolean {
    if (at >= this.#lineEnd) return false;
    target[at] = quote;
    this.#length = at + 1;
    return true;
  }

  #ensure(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#bytes.length) return;
    const grown = Buffer.alloc(2 ** Math.ceil(Math.log2(needed)));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}
