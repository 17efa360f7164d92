import type { MillraceError } from '../core/millrace-error.ts';

/** The exit code of a process that ends by a breakdown; `exitCodes` shows it to the shell. */
export const brokenExitCode = 4;

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

/** Settles like `work`; rejects with the failure as soon as there is one. */
export function unlessBroken<T>(failing: Promise<MillraceError>, work: Promise<T>): Promise<T> {
  const broken = async (): Promise<never> => {
    throw await failing;
  };
  return Promise.race([broken(), work]);
}
