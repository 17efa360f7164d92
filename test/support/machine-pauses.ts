import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { v4 } from 'uuid';

/**
 * How long this machine stood still: by a loop that sleeps 5 ms and syncs a page to the disk, in the process that measures something else.
 * What somebody waited for longer than that, the product held up.
 */
export class MachinePauses implements AsyncDisposable {
  readonly #stopping = new AbortController();
  readonly #ended = watch(this.#stopping.signal);

  /** The longest of them, ms. */
  stop(): Promise<number> {
    this.#stopping.abort();
    return this.#ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}

async function watch(signal: AbortSignal): Promise<number> {
  await using stack = new AsyncDisposableStack();
  const path = join(tmpdir(), `millrace-pauses-${v4()}`);
  stack.defer(() => rm(path, { force: true }));
  const file = stack.use(await open(path, 'w'));
  let longestMs = 0;
  while (!signal.aborted) {
    const began = performance.now();
    await sleep(5);
    await file.write(Buffer.alloc(4096, 1), 0, 4096, 0);
    await file.datasync();
    longestMs = Math.max(longestMs, performance.now() - began);
  }
  return longestMs;
}
