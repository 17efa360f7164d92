import yoctoSpinner from 'yocto-spinner';
import type { Terminal } from './terminal.ts';

/** Waits for work; a person sees that something goes on, and for how long. */
export async function waitFor<Result>(terminal: Terminal, text: string, work: Promise<Result>): Promise<Result> {
  if (!terminal.interactive) return work;
  const spinner = yoctoSpinner({ text, stream: terminal.stderr, handleSignals: false }).start();
  const began = performance.now();
  const timer = setInterval(() => {
    spinner.text = `${text} (${Math.round((performance.now() - began) / 1000)} s)`;
  }, 1000);
  try {
    return await work;
  } finally {
    clearInterval(timer);
    spinner.stop();
  }
}
