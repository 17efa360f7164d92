import { limits } from '../../core/limits.ts';
import { Undecodable } from './undecodable.ts';

/**
 * JSON text under the limits of one record; what goes past them is `Undecodable`. A few bytes of a schema that was made for it
 * could become any amount of JSON, which would hold up a whole batch of such records: short values have lower limits.
 */
export class JsonWriter {
  readonly #maxValues: number;
  readonly #maxLength: number;
  #text = '';
  #values = 0;
  #depth = 0;

  /** `payloadBytes` are what it is made of. */
  constructor(payloadBytes: number) {
    this.#maxValues = Math.min(limits.decodedValues, 5000 + 32 * payloadBytes);
    this.#maxLength = Math.min(limits.eventBytes, 512 * 1024 + 1024 * payloadBytes);
  }

  /** Counts a value that is about to be written. */
  value(): void {
    this.#values += 1;
    if (this.#values > this.#maxValues)
      throw new Undecodable(`it holds more than ${this.#maxValues} values, too many for its size`);
  }

  /** Text that is JSON already. */
  raw(json: string): void {
    this.#text += json;
    if (this.#text.length > this.#maxLength) throw this.#tooLong();
  }

  string(text: string): void {
    this.raw(JSON.stringify(text));
  }

  /** Base64. */
  bytes(bytes: Uint8Array): void {
    this.raw(`"${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')}"`);
  }

  /** What JSON has no number for is a text: `"NaN"`, `"Infinity"`, `"-Infinity"`. */
  number(value: number): void {
    this.raw(Number.isFinite(value) ? JSON.stringify(value) : `"${value}"`);
  }

  open(bracket: '{' | '['): void {
    this.#depth += 1;
    if (this.#depth > limits.jsonNesting)
      throw new Undecodable(`it is nested deeper than ${limits.jsonNesting} levels`);
    this.raw(bracket);
  }

  close(bracket: '}' | ']'): void {
    this.#depth -= 1;
    this.raw(bracket);
  }

  end(): Uint8Array {
    const bytes = Buffer.from(this.#text);
    if (bytes.length > limits.eventBytes) throw this.#tooLong();
    return bytes;
  }

  #tooLong(): Undecodable {
    return new Undecodable(`its JSON text is over ${this.#maxLength} bytes, too long for its size`);
  }
}
