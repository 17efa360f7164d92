import yoctoSpinner from 'yocto-spinner';
import type { Terminal } from './terminal.ts';

const redrawMs = 200;

/**
 * Waits for work; a person sees that it goes on, and for how long. A text that changes is given as a function, which is
 * called again and again.
 */
export async function waitFor<Result>(
  terminal: Terminal,
  text: string | (() => string),
  work: Promise<Result>,
): Promise<Result> {
  if (!terminal.interactive) return work;
  const began = performance.now();
  const shown = (): string => {
    const seconds = Math.floor((performance.now() - began) / 1000);
    return `${typeof text === 'string' ? text : text()}${seconds === 0 ? '' : ` (${seconds} s)`}`;
  };
  const spinner = yoctoSpinner({ text: shown(), stream: terminal.stderr, handleSignals: false }).start();
  const timer = setInterval(() => {
    spinner.text = shown();
  }, redrawMs);
  try {
    return await work;
  } finally {
    clearInterval(timer);
    spinner.stop();
  }
}
