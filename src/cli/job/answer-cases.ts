import { once } from 'node:events';
import type { CommandContext } from '../command-context.ts';
import { splitLines } from '../send/split-lines.ts';
import { answerCase } from './answer-case.ts';

/** Runs the cases of standard input, so many at a time; each is answered by a line as soon as it has ended. */
export async function answerCases(context: CommandContext, concurrency: number): Promise<void> {
  const { terminal, product, signal } = context;
  const { stdin, stdout } = terminal;
  const config = context.config();
  // A reader that waits for input would keep the process.
  signal.addEventListener('abort', () => stdin.destroy(), { once: true });
  const running = new Set<Promise<void>>();
  const run = async (line: string): Promise<void> => {
    const answer = await answerCase(line, { product, config, signal });
    if (!stdout.write(`${answer}\n`)) await once(stdout, 'drain', { signal });
  };
  try {
    for await (const { body } of splitLines('stdin', stdin as AsyncIterable<Uint8Array>)) {
      while (running.size >= concurrency) await Promise.race(running);
      const one = run(new TextDecoder().decode(body)).finally(() => running.delete(one));
      running.add(one);
    }
  } finally {
    await Promise.all(running);
    signal.throwIfAborted();
  }
}
