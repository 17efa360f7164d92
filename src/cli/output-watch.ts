import type { Writable } from 'node:stream';
import { MillraceError } from '../core/millrace-error.ts';

/** Knows whether what a command printed could be written. */
export interface OutputWatch {
  /**
   * Waits until everything printed so far is written: `client.outputFailed` when that was impossible. A reader that is gone
   * is no failure.
   */
  failure(): Promise<MillraceError | undefined>;
}

/** Watches a stream from now on, so that its errors do not end the process with a stack. */
export function watchOutput(output: Writable): OutputWatch {
  let failure: MillraceError | undefined;
  output.on('error', (error) => {
    if (isBrokenPipe(error)) return;
    const message = `Standard output cannot be written: ${error.message}.`;
    failure ??= new MillraceError('client.outputFailed', message, { cause: error });
  });
  return {
    failure: async () => {
      await new Promise<void>((resolve) => {
        output.write('', () => resolve());
      });
      return failure;
    },
  };
}

/** A reader such as `head` has what it wanted and is gone. */
export function isBrokenPipe(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPIPE';
}
