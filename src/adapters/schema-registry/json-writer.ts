import { limits } from '../../core/limits.ts';
import { Undecodable } from './undecodable.ts';

/** JSON text under the limits of one record; what goes past them is `Undecodable`. */
export class JsonWriter {
  #text = '';
  #values = 0;
  #depth = 0;

  /** Counts a value that is about to be written. */
  value(): void {
    this.#values += 1;
    if (this.#values > limits.decodedValues) throw new Undecodable(`it holds more than ${limits.decodedValues} values`);
  }

  /** Text that is JSON already. */
  raw(json: string): void {
    this.#text += json;
    if (this.#text.length > limits.eventBytes) throw tooLong();
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
    if (bytes.length > limits.eventBytes) throw tooLong();
    return bytes;
  }
}

function tooLong(): Undecodable {
  return new Undecodable(`its JSON text is over ${limits.eventBytes} bytes`);
}
