import type { ErrorCode } from '../core/error-catalogue.ts';
import { MillraceError } from '../core/millrace-error.ts';

/** The end of what an adapter has open: it is closed once, and nothing is asked of it afterwards. */
export class Closing {
  readonly #what: string;
  readonly #code: ErrorCode;
  #closed: Promise<void> | undefined;

  /** `what` was used too late, says the error. */
  constructor(what: string, code: ErrorCode = 'internal.bug') {
    this.#what = what;
    this.#code = code;
  }

  get hasBegun(): boolean {
    return this.#closed !== undefined;
  }

  /** Throws the reason of a caller who has left, else the error once it is being closed. */
  check(signal: AbortSignal): void {
    signal.throwIfAborted();
    if (this.hasBegun) throw new MillraceError(this.#code, `${this.#what} was used after it was closed`);
  }

  /** Closes by `close`, the first time; resolves when that is done. */
  async once(close: () => Promise<void>): Promise<void> {
    this.#closed ??= close();
    await this.#closed;
  }
}
