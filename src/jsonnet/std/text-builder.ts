import type { Evaluation } from '../evaluation.ts';

/** A string that grows by parts; the limit is checked before it is passed. */
export class TextBuilder {
  #text = '';
  readonly #evaluation: Evaluation;

  constructor(evaluation: Evaluation) {
    this.#evaluation = evaluation;
  }

  append(part: string): this {
    const length = this.#text.length + part.length;
    if (length > this.#evaluation.limits.textLength) this.#evaluation.text(length);
    this.#text += part;
    return this;
  }

  /** The string, once: this charges the work. */
  finish(): string {
    this.#evaluation.text(this.#text.length);
    return this.#text;
  }
}
