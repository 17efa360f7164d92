import type { Limits } from './limits.ts';
import { placeText, type Place } from './place.ts';

/** static: the text cannot be right; runtime: this evaluation failed; limit: this evaluation wanted too much. */
export type JsonnetErrorKind = 'static' | 'runtime' | 'limit';

/** A message may hold any value of the template (`error value`), so it is cut. */
const longestMessage = 4096;

/** The only error that compiling and evaluating throw. `message` is without the place; `text` has both. */
export class JsonnetError extends Error {
  readonly kind: JsonnetErrorKind;
  /** The limit that was hit, when `kind` is `limit`. */
  readonly limit: keyof Limits | undefined;
  #place: Place | undefined;

  constructor(kind: JsonnetErrorKind, message: string, at: { place?: Place; limit?: keyof Limits } = {}) {
    super(message.length > longestMessage ? `${message.slice(0, longestMessage)}…` : message);
    this.name = 'JsonnetError';
    this.kind = kind;
    this.limit = at.limit;
    this.#place = at.place;
  }

  /** Where in the template: of a runtime error the innermost expression that is known. */
  get place(): Place | undefined {
    return this.#place;
  }

  /** The message after its place, `3:5-9 message`. */
  get text(): string {
    return this.#place === undefined ? this.message : `${placeText(this.#place)} ${this.message}`;
  }

  /** Gives a place to an error that has none yet; the first one, the innermost, stays. */
  locate(place: Place): this {
    this.#place ??= place;
    return this;
  }
}
