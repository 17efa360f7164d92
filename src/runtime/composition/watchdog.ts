import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { WatchdogData } from './watchdog-entry.ts';

const entry = new URL(`./watchdog-entry${extname(import.meta.filename)}`, import.meta.url);

/** How long the main thread may be silent; nothing that it does takes a part of that. */
export const mainSilentMs = 60_000;

const lookMs = 1000;

/**
 * A thread that does nothing but look whether the event loop of the main thread turns. When it has not for too long, nothing in the
 * process can help it, and nobody who asks for its health gets an answer: the watchdog kills the process, which loses nothing.
 */
export class Watchdog implements AsyncDisposable {
  readonly #worker: Worker;
  readonly #timer: NodeJS.Timeout;

  /** `onEnd`: the watchdog ended by itself, and nobody watches any more. */
  constructor(silentMs: number, onEnd: (error: unknown) => void) {
    const turns = new Int32Array(new SharedArrayBuffer(4));
    const data: WatchdogData = { turns, lookMs: Math.min(lookMs, silentMs / 4), silentMs };
    this.#timer = setInterval(() => void Atomics.add(turns, 0, 1), data.lookMs / 2).unref();
    this.#worker = new Worker(entry, {
      workerData: data,
      name: 'watchdog',
    });
    this.#worker.on('error', onEnd);
    this.#worker.unref();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#worker.terminate();
  }
}
