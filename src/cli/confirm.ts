import { createInterface } from 'node:readline/promises';
import type { Terminal } from './terminal.ts';

/** True when a person can be asked: one who sees the question and types on standard input. */
export function canAsk({ stdin, interactive }: Pick<Terminal, 'stdin' | 'interactive'>): boolean {
  return interactive && 'isTTY' in stdin && stdin.isTTY === true;
}

/** Asks, and takes only `yes` for a yes; the end of the input is a no. Rejects as cancelled on abort. */
export async function confirm(
  { stdin, stderr }: Pick<Terminal, 'stdin' | 'stderr'>,
  question: string,
  signal: AbortSignal,
): Promise<boolean> {
  // The terminal keeps its own line editing, and Ctrl-C its signal.
  const lines = createInterface({ input: stdin, output: stderr, terminal: false });
  const ended = new Promise<undefined>((resolve) => lines.once('close', () => resolve(undefined)));
  try {
    const answer = await Promise.race([lines.question(`${question} Only "yes" does it: `, { signal }), ended]);
    if (answer === undefined) stderr.write('\n');
    return answer?.trim() === 'yes';
  } finally {
    lines.close();
  }
}
