import { extname } from 'node:path';
import type { EventLoopUtilization } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { MessageChannel, Worker, type ResourceLimits } from 'node:worker_threads';
import type { SourceKey } from '../../core/ids.ts';
import type { OpenSliceState } from '../../core/accounts/open-slice-state.ts';
import { errorCatalogue, type ErrorCode } from '../../core/error-catalogue.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Service } from '../../core/service.ts';
import type { TableLoads } from '../../ports/table-loads.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { MetricsSnapshot } from '../../telemetry/metrics-snapshot.ts';
import type { KnownDefinitions } from '../../stages/replica/definitions.ts';
import { answerLoads } from '../loads/answer-loads.ts';
import { noteBuild, requireSameBuild } from '../same-build.ts';
import { endThread } from './end-thread.ts';
import { beatMs } from './heart.ts';
import { Pulse, type PulseLimits } from './pulse.ts';
import type { SourceHindrances } from './source-hindrances.ts';
import type { EventPlaces, FromThread, Question, ThreadData, ThreadSpec, ToThread } from './thread-messages.ts';
import { within } from './within.ts';

/** The module that a role thread runs; beside this file, with its ending. */
export const threadEntry = noteBuild(new URL(`./thread-entry${extname(import.meta.filename)}`, import.meta.url));

/** A thread that runs JavaScript, in whatever loop, ends at once; one that waits for a driver, as soon as that answers. */
const endingMs = 5000;

/**
 * The short-lived objects of a batch die before a small young generation is full; a larger one would only take memory. Who takes
 * events makes the most of them, one request at a time, and would collect twice as often for a half of the memory.
 *
 * A job makes garbage page by page. Where its heap may have gigabytes, V8 lets it grow to four times what is alive before it collects;
 * below two of them to less than twice, in this thread alone. It is room for the largest pages of several jobs.
 */
const limitsOf: Readonly<Record<ThreadSpec['role'], ResourceLimits>> = {
  ingest: { maxYoungGenerationSizeMb: 24 },
  map: { maxYoungGenerationSizeMb: 12 },
  stage: { maxYoungGenerationSizeMb: 12 },
  work: { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 1536 },
};

/** An error of the product comes out of a thread as a plain one with the same properties. */
function errorOfThread(thrown: unknown): MillraceError {
  const code = thrown instanceof Error && 'code' in thrown && isErrorCode(thrown.code) ? thrown.code : undefined;
  return MillraceError.fromUnknown(thrown, code);
}

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(errorCatalogue, code);
}

export interface ThreadOptions {
  /** Module that the thread runs. */
  readonly entry: URL;
  /** Told what nothing in the process can mend. */
  readonly onBroken: (error: MillraceError) => void;
  /** How long the thread may be silent before another one takes its place. */
  readonly pulse: PulseLimits;
  /** Why sources take no events now; of the role ingest. */
  readonly hindrances?: (() => SourceHindrances) | undefined;
  /** What the process knows of sources and sinks now, for a thread that starts; of the role ingest. Absent: it asks the catalog first. */
  readonly known?: (() => KnownDefinitions) | undefined;
  /** Told when the thread has ended, before another one takes its place. */
  readonly onEnded?: (() => void) | undefined;
  /** Of this thread: what the other one may ask for. */
  readonly loads?: TableLoads | undefined;
  /** The thread starts when this resolves, and the service is ready before; absent: at once. */
  readonly until?: ((waiting: Waiting) => Promise<void>) | undefined;
}

type Answer = Extract<FromThread, { readonly id: number }>;

/** A role in a thread of its own, seen from the main thread. */
export class ThreadService implements Service {
  readonly id: string;
  readonly #spec: ThreadSpec;
  readonly #options: ThreadOptions;
  readonly #ready = Promise.withResolvers<void>();
  readonly #questions = new Map<number, (answer: Answer | undefined) => void>();
  #worker: Worker | undefined;
  #asked = 0;
  #places: EventPlaces | undefined;
  #used: EventLoopUtilization | undefined;
  #failures: readonly string[] = [];
  #isDraining = false;
  readonly #draining = new AbortController();
  #isGivenUp = false;
  #pulse: Pulse | undefined;

  constructor(spec: ThreadSpec, options: ThreadOptions) {
    this.id = spec.instance;
    this.#spec = spec;
    this.#options = options;
    noteBuild(options.entry);
    this.#ready.promise.catch(() => undefined);
  }

  /** Resolves when the role runs; rejects, with the reason, when the thread ended before. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** What fails inside the thread and starts again there; empty when nothing does. */
  get failures(): readonly string[] {
    return this.#failures;
  }

  /** Where it listens once it is ready; of the role ingest. */
  get places(): EventPlaces | undefined {
    return this.#places;
  }

  async run(signal: AbortSignal): Promise<void> {
    if (!(await this.#isNeeded(signal))) return;
    const worker = this.#startOrRefuse();
    this.#worker = worker;
    const ended = Promise.withResolvers<void>();
    const looking = this.#watch(worker, ended.reject);
    const abort = (): void => void endThread(worker);
    signal.addEventListener('abort', abort, { once: true });
    worker.on('message', (message: FromThread) => {
      if (message.kind === 'failed')
        void this.#end(worker, MillraceError.fromUnknown(message.error, message.code)).then(ended.reject);
      else this.#hear(message);
    });
    worker.on('error', (error) => ended.reject(errorOfThread(error)));
    worker.on('exit', (code) => {
      if (this.#isGivenUp) return;
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
      clearInterval(looking);
      signal.removeEventListener('abort', abort);
      this.#worker = undefined;
      this.#failures = [];
      this.#options.onEnded?.();
      for (const giveUp of this.#questions.values()) giveUp(undefined);
    }
  }

  /** False when it must end before there was anything to do. */
  async #isNeeded(signal: AbortSignal): Promise<boolean> {
    const { until } = this.#options;
    if (until === undefined) return true;
    this.#ready.resolve();
    try {
      await until({ signal: AbortSignal.any([signal, this.#draining.signal]) });
    } catch (thrown) {
      if (!this.#isDraining) throw thrown;
    }
    return !this.#isDraining;
  }

  /** Who waits for it to be ready hears why it does not start. */
  #startOrRefuse(): Worker {
    try {
      return this.#start();
    } catch (thrown) {
      this.#ready.reject(thrown);
      throw thrown;
    }
  }

  #start(): Worker {
    const { entry, loads, hindrances, known } = this.#options;
    requireSameBuild(entry);
    const started = { name: this.#spec.instance, resourceLimits: limitsOf[this.#spec.role] };
    // The process is started with this option for the heap of the main thread, which has it by now; it would go before the limits here.
    setFlagsFromString('--max-semi-space-size=0');
    const data: ThreadData = {
      ...this.#spec,
      ...(hindrances === undefined ? {} : { hindrances: hindrances() }),
      ...(known === undefined ? {} : { known: known() }),
    };
    if (loads === undefined) return new Worker(entry, { ...started, workerData: data });
    const { port1, port2 } = new MessageChannel();
    answerLoads(port1, loads);
    const workerData: ThreadData = { ...data, loads: port2 };
    return new Worker(entry, { ...started, workerData, transferList: [port2] });
  }

  /** Looks after the thread until it is silent for too long; it is ended then, and `giveUp` gets the reason. */
  #watch(worker: Worker, giveUp: (error: MillraceError) => void): NodeJS.Timeout {
    const pulse = new Pulse(this.#options.pulse, beatMs);
    this.#pulse = pulse;
    const looking = setInterval(() => {
      const reason = this.#isDraining ? undefined : pulse.look();
      if (reason === undefined) return;
      clearInterval(looking);
      void this.#replace(worker, reason).then(giveUp);
    }, beatMs);
    return looking;
  }

  /** Ends the thread, so that its successor has its place for itself; one that cannot be ended is the end of the process. */
  async #replace(worker: Worker, reason: string): Promise<MillraceError> {
    return this.#end(worker, new MillraceError('thread.silent', `thread "${this.id}" is replaced: ${reason}`), reason);
  }

  async #end(worker: Worker, told: MillraceError, reason = 'it failed'): Promise<MillraceError> {
    this.#failures = [told.message];
    this.#isGivenUp = true;
    const isEnded = await within(endingMs, () => endThread(worker));
    if (!isEnded)
      this.#options.onBroken(
        new MillraceError('thread.hung', `thread "${this.id}" cannot be ended, and ${reason}; it hangs in a driver`),
      );
    return told;
  }

  #hear(message: Exclude<FromThread, { readonly kind: 'failed' }>): void {
    switch (message.kind) {
      case 'ready':
        this.#places = message.places;
        this.#ready.resolve();
        return;
      case 'beat':
        // A thread that is given up knows nothing of it until it hears that it is to leave.
        if (!this.#isGivenUp) this.#failures = message.failures;
        this.#pulse?.heard(message);
        return;
      case 'broken':
        this.#options.onBroken(new MillraceError(message.code, message.message));
        return;
      default:
        this.#questions.get(message.id)?.(message);
        this.#questions.delete(message.id);
    }
  }

  /** The thread's metrics as they are now; undefined when it does not answer in time. */
  async metrics(signal: AbortSignal): Promise<MetricsSnapshot | undefined> {
    const answer = await this.#ask({ kind: 'metrics' }, signal);
    return answer?.kind === 'metrics' ? answer.snapshot : undefined;
  }

  /** What the stage has open. */
  async openSlices(signal: AbortSignal): Promise<readonly OpenSliceState[]> {
    const answer = await this.#ask({ kind: 'openSlices' }, signal);
    return answer?.kind === 'openSlices' ? answer.slices : [];
  }

  /** Resolves when it takes no event of the source any more; one that has ended takes none. */
  async sendersRefused(key: SourceKey, signal: AbortSignal): Promise<void> {
    await this.#ask({ kind: 'sendersRefused', key }, signal);
    signal.throwIfAborted();
  }

  /** Resolves when it takes events by the definitions of now, or the signal is aborted. */
  async sendersServed(signal: AbortSignal): Promise<void> {
    await this.#ask({ kind: 'sendersServed' }, signal);
  }

  /** Why sources take no events has changed. */
  hinder(): void {
    const { hindrances } = this.#options;
    if (hindrances !== undefined) this.#tell({ kind: 'hinder', hindrances: hindrances() });
  }

  /** Another thread has begun to listen at the same places. */
  renew(): void {
    this.#tell({ kind: 'renew' });
  }

  /** How busy it was since this was last asked, from 0 to 1; undefined while it does not listen. One that hangs is busy. */
  utilization(): number | undefined {
    if (this.#worker === undefined || this.#places === undefined) return undefined;
    const { performance } = this.#worker;
    const before = this.#used;
    this.#used = performance.eventLoopUtilization();
    return performance.eventLoopUtilization(this.#used, before).utilization;
  }

  #ask(question: Question, signal: AbortSignal): Promise<Answer | undefined> {
    if (this.#worker === undefined || signal.aborted) return Promise.resolve(undefined);
    this.#asked += 1;
    const id = this.#asked;
    const answered = Promise.withResolvers<Answer | undefined>();
    this.#questions.set(id, answered.resolve);
    const giveUp = (): void => {
      this.#questions.delete(id);
      answered.resolve(undefined);
    };
    signal.addEventListener('abort', giveUp, { once: true });
    this.#tell({ ...question, id });
    return answered.promise;
  }

  #tell(message: ToThread): void {
    this.#worker?.postMessage(message);
  }

  async drain(): Promise<void> {
    this.#isDraining = true;
    this.#draining.abort();
    this.#tell({ kind: 'drain' });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#worker !== undefined) await endThread(this.#worker);
  }
}
