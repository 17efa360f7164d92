import type { WireReader } from './wire-reader.ts';
import type { Text } from './wire-text.ts';

/** Where the content of a message is in its body. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** Goes through the fields of one message without decoding them; the reader may be used for others in between. */
export class WireFields {
  readonly #reader: WireReader;
  readonly #end: number;
  #at: number;
  #value = 0;
  #type = 0;

  constructor(reader: WireReader, { start, end }: Range) {
    this.#reader = reader;
    this.#at = start;
    this.#end = end;
  }

  /** Where the field that was met last ends. */
  get end(): number {
    return this.#at;
  }

  /** The number of the next field; 0 behind the last one. */
  next(): number {
    const reader = this.#reader;
    reader.seek(this.#at);
    const field = reader.nextField(this.#end);
    if (field === 0) return 0;
    this.#value = reader.pos;
    this.#type = reader.type;
    reader.skip(reader.type);
    this.#at = reader.pos;
    return field;
  }

  /** The content of the field as a message. */
  message(): Range {
    return { start: this.#return().readMessageStart(), end: this.#at };
  }

  /** The content of the field as a text; `name` is what a fault calls it. */
  text(name: string): Text {
    return this.#return().readText(name);
  }

  integer(): number {
    return this.#return().readInt32();
  }

  #return(): WireReader {
    this.#reader.seek(this.#value);
    this.#reader.type = this.#type;
    return this.#reader;
  }
}
