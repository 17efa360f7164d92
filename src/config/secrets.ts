import { inspect } from 'node:util';

const hidden = '[redacted]';

/** A text that appears in no log, error, JSON or inspection; only `reveal` gives it. */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The text itself: for a comparison or a request header, never for a message. */
  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return hidden;
  }

  toJSON(): string {
    return hidden;
  }

  [inspect.custom](): string {
    return hidden;
  }
}
