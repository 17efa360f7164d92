import { once } from 'node:events';
import type { MessagePort, Worker } from 'node:worker_threads';
import { MillraceError } from '../../core/millrace-error.ts';
import type { FromThread, ToThread } from './thread-messages.ts';
import { within } from './within.ts';

/** A thread whose event loop turns hears within a round of its role, which lasts on a machine with much else to do. */
const listenMs = 3000;
const leave: ToThread = { kind: 'leave' };

/**
 * Ends a thread at once, whatever it does. It is told to end itself first: a thread that is cut off inside the code of the embedded
 * log takes the whole process with it, about once in 300 times under load (docs/upstream/lmdb-thread-cut-off.md). One that does
 * not listen is cut off.
 */
export async function endThread(worker: Worker): Promise<void> {
  // It has ended already.
  if (worker.threadId < 0) return;
  const exit = once(worker, 'exit');
  worker.postMessage(leave);
  if (!(await within(listenMs, async () => void (await exit)))) await worker.terminate();
}

/** In the thread: ends it when it is told to, between two turns of its event loop. */
export function leaveWhenTold(port: MessagePort): void {
  port.on('message', ({ kind }: { readonly kind?: unknown }) => {
    if (kind === leave.kind) process.exit(1);
  });
}

/**
 * In the thread: tells an error that nobody caught, and waits for `leave`. Node would end the thread in the middle of a turn, and what the
 * embedded log does in the rest of that turn takes the process with it, once in some five times under load.
 */
export function leaveWhenFailed(port: MessagePort): void {
  process.on('uncaughtException', (thrown: unknown) => {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    const code = error instanceof MillraceError ? error.code : undefined;
    port.postMessage({ kind: 'failed', error, code } satisfies FromThread);
  });
}
