import { extname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { MillraceError } from '../../core/millrace-error.ts';
import { noteBuild, requireSameBuild } from '../same-build.ts';
import type { BackupSpec, FromBackup, ToBackup } from './backup-messages.ts';
import type { BackupFile } from './manifest.ts';

/** The module that the thread runs; beside this file, with its ending. */
const entry = noteBuild(new URL(`./backup-entry${extname(import.meta.filename)}`, import.meta.url));

/** How long it may take to let go: it looks behind each megabyte whether it is to stop. */
const endMs = 10_000;

/** The thread that holds snapshots of catalog and logs and writes them, so that nothing else waits for it. */
export class BackupThread implements AsyncDisposable {
  readonly #worker: Worker;
  readonly #stop = new Int32Array(new SharedArrayBuffer(4));
  readonly #signal: AbortSignal;
  readonly #ended = Promise.withResolvers<never>();
  #hear: (message: FromBackup) => void = () => undefined;

  constructor(spec: Omit<BackupSpec, 'stop'>, signal: AbortSignal) {
    signal.throwIfAborted();
    requireSameBuild(entry);
    this.#signal = signal;
    this.#worker = new Worker(entry, {
      workerData: { ...spec, stop: this.#stop } satisfies BackupSpec,
      name: 'backup',
      resourceLimits: { maxYoungGenerationSizeMb: 24 },
    });
    this.#worker.on('message', (message: FromBackup) => this.#hear(message));
    this.#worker.once('error', (error) => this.#ended.reject(MillraceError.fromUnknown(error)));
    this.#worker.once('exit', () =>
      this.#ended.reject(new MillraceError('internal.bug', 'the thread of a backup ended')),
    );
    // Whoever waits hears of it.
    this.#ended.promise.catch(() => undefined);
  }

  /** Resolves when the moment is held; another call holds another one. */
  async hold(): Promise<void> {
    await this.#ask({ kind: 'hold' }, (message) => (message.kind === 'held' ? message : undefined));
  }

  /** Resolves with all files that were written; `onBytes` is told of each piece. */
  async write(
    given: Omit<Extract<ToBackup, { kind: 'write' }>, 'kind'>,
    onBytes: (bytes: number) => void,
  ): Promise<readonly BackupFile[]> {
    const { files } = await this.#ask({ kind: 'write', ...given }, (message) => {
      if (message.kind === 'wrote') onBytes(message.bytes);
      return message.kind === 'done' ? message : undefined;
    });
    return files;
  }

  async #ask<Answer extends FromBackup>(
    message: ToBackup,
    answerIn: (message: FromBackup) => Answer | undefined,
  ): Promise<Answer> {
    const answered = Promise.withResolvers<Answer>();
    this.#hear = (heard) => {
      const answer = answerIn(heard);
      if (answer !== undefined) answered.resolve(answer);
      if (heard.kind === 'failed') answered.reject(new MillraceError(heard.code, heard.message));
    };
    const abort = (): void => {
      Atomics.store(this.#stop, 0, 1);
      answered.reject(this.#signal.reason);
    };
    this.#signal.addEventListener('abort', abort, { once: true });
    try {
      this.#signal.throwIfAborted();
      this.#worker.postMessage(message);
      return await Promise.race([answered.promise, this.#ended.promise]);
    } finally {
      this.#signal.removeEventListener('abort', abort);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    Atomics.store(this.#stop, 0, 1);
    // It lets go of its snapshots first, or LMDB would never use their pages again.
    this.#worker.postMessage({ kind: 'end' } satisfies ToBackup);
    await Promise.race([this.#ended.promise.catch(() => undefined), sleep(endMs, undefined, { ref: false })]);
    await this.#worker.terminate();
  }
}
