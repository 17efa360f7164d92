import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { errorCatalogue, type ErrorCode } from '../../core/error-catalogue.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Service } from '../../core/service.ts';
import type { MetricsSnapshot } from '../../telemetry/metrics-snapshot.ts';
import type { FromThread, OpenSliceReport, ThreadSpec, ToThread } from './thread-messages.ts';

/** The module that a role thread runs; beside this file, with its ending. */
export const threadEntry = new URL(`./thread-entry${extname(import.meta.filename)}`, import.meta.url);

/** Short-lived objects of a batch are gone before a small young generation is full; a large one only takes memory. */
const resourceLimits = { maxYoungGenerationSizeMb: 24 };

/** An error of the product comes out of a thread as a plain one with the same properties. */
function errorOfThread(thrown: unknown): MillraceError {
  const code = thrown instanceof Error && 'code' in thrown && isErrorCode(thrown.code) ? thrown.code : undefined;
  return MillraceError.fromUnknown(thrown, code);
}

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(errorCatalogue, code);
}

type Answer = Extract<FromThread, { readonly id: number }>;

/** A role in a thread of its own, seen from the main thread. */
export class ThreadService implements Service {
  readonly id: string;
  readonly #spec: ThreadSpec;
  readonly #entry: URL;
  readonly #ready = Promise.withResolvers<void>();
  readonly #questions = new Map<number, (answer: Answer) => void>();
  #worker: Worker | undefined;
  #asked = 0;

  constructor(spec: ThreadSpec, entry: URL) {
    this.id = spec.instance;
    this.#spec = spec;
    this.#entry = entry;
    this.#ready.promise.catch(() => undefined);
  }

  /** Resolves when the role runs; rejects, with the reason, when the thread ended before. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  async run(signal: AbortSignal): Promise<void> {
    const worker = new Worker(this.#entry, { workerData: this.#spec, name: this.#spec.instance, resourceLimits });
    this.#worker = worker;
    const ended = Promise.withResolvers<void>();
    const abort = (): void => void worker.terminate();
    signal.addEventListener('abort', abort, { once: true });
    worker.on('message', (message: FromThread) => this.#hear(message));
    worker.on('error', (error) => ended.reject(errorOfThread(error)));
    worker.on('exit', (code) => {
      if (code === 0 || signal.aborted) ended.resolve();
      else ended.reject(new MillraceError('internal.bug', `thread "${this.id}" ended with code ${code}`));
    });
    try {
      await ended.promise;
      this.#ready.reject(new MillraceError('internal.bug', `thread "${this.id}" ended before it was ready`));
    } catch (thrown) {
      this.#ready.reject(thrown);
      throw thrown;
    } finally {
      signal.removeEventListener('abort', abort);
      this.#worker = undefined;
    }
  }

  #hear(message: FromThread): void {
    if (message.kind === 'ready') this.#ready.resolve();
    else if ('id' in message) {
      this.#questions.get(message.id)?.(message);
      this.#questions.delete(message.id);
    }
  }

  /** The thread's metrics as they are now; undefined when it does not answer in time. */
  async metrics(signal: AbortSignal): Promise<MetricsSnapshot | undefined> {
    const answer = await this.#ask('metrics', signal);
    return answer?.kind === 'metrics' ? answer.snapshot : undefined;
  }

  /** What the stage has open. */
  async openSlices(signal: AbortSignal): Promise<readonly OpenSliceReport[]> {
    const answer = await this.#ask('openSlices', signal);
    return answer?.kind === 'openSlices' ? answer.slices : [];
  }

  #ask(kind: 'metrics' | 'openSlices', signal: AbortSignal): Promise<Answer | undefined> {
    if (this.#worker === undefined) return Promise.resolve(undefined);
    this.#asked += 1;
    const id = this.#asked;
    const answered = Promise.withResolvers<Answer | undefined>();
    this.#questions.set(id, answered.resolve);
    const giveUp = (): void => {
      this.#questions.delete(id);
      answered.resolve(undefined);
    };
    signal.addEventListener('abort', giveUp, { once: true });
    this.#tell({ kind, id });
    return answered.promise;
  }

  #tell(message: ToThread): void {
    this.#worker?.postMessage(message);
  }

  async drain(): Promise<void> {
    this.#tell({ kind: 'drain' });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker?.terminate();
  }
}
