import type { MillraceError } from '../core/millrace-error.ts';

/** What ends the process: the first failure that nothing in it can mend. */
export class Breakdown {
  readonly #first = Promise.withResolvers<MillraceError>();
  #error: MillraceError | undefined;

  get error(): MillraceError | undefined {
    return this.#error;
  }

  /** Resolves with the first failure that is reported. */
  get happened(): Promise<MillraceError> {
    return this.#first.promise;
  }

  readonly report = (error: MillraceError): void => {
    this.#error ??= error;
    this.#first.resolve(error);
  };
}
