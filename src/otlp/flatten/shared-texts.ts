import { constant, JsonWriter } from './json-writer.ts';

/** Writes what stands in many records of a request, once. What it has written shares memory. */
export class SharedTexts {
  readonly #out = new JsonWriter();

  text(write: (out: JsonWriter) => void): Uint8Array {
    write(this.#out);
    return this.#out.finish() ?? constant('');
  }
}
