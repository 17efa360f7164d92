import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { setImmediate } from 'node:timers/promises';
import { isLate } from '../../control/errors/told.ts';
import { cellText } from '../../control/trials/run-test.ts';
import type {
  OutcomeTest,
  PayloadTest,
  ShownTest,
  TriedLetter,
  TriedOutcome,
  Trials,
} from '../../control/trials/trials.ts';
import type { DeadLetterCells } from '../../core/dead-letter.ts';
import type { Mapping } from '../../core/mapping.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { compileMapping } from '../../mapping/compile-mapping.ts';
import { createTemplates, type TemplateLimits } from '../../mapping/jsonnet-templates.ts';
import type { RemappedLetters } from '../../mapping/remap-letters.ts';
import type { TemplateCompiler } from '../../mapping/template.ts';
import type { Remapper } from '../../stages/import/letter-replays.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { noteBuild, requireSameBuild } from '../same-build.ts';
import type { FromTrial, TrialAnswer, TrialJob } from './trial-messages.ts';

/** The module that the thread runs; beside this file, with its ending. */
const entry = noteBuild(new URL(`./trial-entry${extname(import.meta.filename)}`, import.meta.url));

export interface TrialLimits {
  /** How long one trial may run. */
  readonly runMs: number;
  /** How many trials may wait for the one that runs. */
  readonly waiting: number;
  /** How long the thread lives with nothing to do. */
  readonly idleMs: number;
}

export const trialLimits: TrialLimits = { runMs: 10_000, waiting: 16, idleMs: 30_000 };

/** A batch of dead letters takes some seconds; the first one of a mapping that is slow may take longer. All sinks take turns. */
export const remapLimits: TrialLimits = { runMs: 60_000, waiting: 1000, idleMs: 30_000 };

/** An evaluation holds less than 128 MB, its answer some tens; it must not take the process with it when that is wrong. */
const resourceLimits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 16 };

/** Templates of so few characters are checked at once, in a few milliseconds. */
const checkedHere = 4096;

interface Running {
  readonly worker: Worker;
  readonly cells: Int32Array;
}

/** Tries mappings in a thread of its own, which starts with the first one that needs it and ends when nobody does. */
export class TrialThread implements Trials, Remapper, AsyncDisposable {
  readonly #templates: TemplateLimits;
  readonly #compiler: TemplateCompiler;
  readonly #limits: TrialLimits;
  #thread: Running | undefined;
  /** Settles when all that came before is over; never rejects. */
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(templates: TemplateLimits = {}, limits: TrialLimits = trialLimits) {
    this.#templates = templates;
    this.#compiler = createTemplates(templates);
    this.#limits = limits;
  }

  async check(mapping: Mapping, options: Waiting): Promise<void> {
    const length = mapping.columns.reduce(
      (sum, column) => sum + (column.type === 'template' ? column.template.content.length : 0),
      0,
    );
    if (length > checkedHere) {
      const tooLong = (): string => 'the templates of the sink take too long to check';
      await this.#run({ kind: 'check', mapping }, { ...options, tooLong });
      return;
    }
    // One of many in a request: the thread does other things in between.
    await setImmediate();
    compileMapping(mapping, { templates: this.#compiler }).release();
  }

  async test(test: PayloadTest, options: Waiting): Promise<ShownTest> {
    const tooLong = (cells: Int32Array): string => {
      const [sink = -1, column = -1, slowestSink = -1, slowestColumn = -1] = cells;
      const cell = slowestSink < 0 ? { sink, column } : { sink: slowestSink, column: slowestColumn };
      return `the sinks take too long for the payload, ${cellText(test, cell)} longest`;
    };
    const { shown } = await this.#run({ kind: 'test', test }, { ...options, tooLong });
    if (shown === undefined) throw new MillraceError('internal.bug', 'a test of a payload has no answer');
    return shown;
  }

  async outcomes(test: OutcomeTest, options: Waiting): Promise<readonly (readonly TriedOutcome[])[]> {
    const tooLong = (): string => 'the mapping takes too long for the events';
    const { outcomes } = await this.#run({ kind: 'outcomes', test }, { ...options, tooLong });
    if (outcomes === undefined) throw new MillraceError('internal.bug', 'a trial of a mapping has no outcomes');
    return outcomes;
  }

  async letters(
    mapping: Mapping,
    letters: readonly DeadLetterCells[],
    options: Waiting,
  ): Promise<readonly TriedLetter[]> {
    const tooLong = (): string => 'the mapping takes too long for the dead letters';
    const { letters: tried } = await this.#run({ kind: 'letters', mapping, letters }, { ...options, tooLong });
    if (tried === undefined) throw new MillraceError('internal.bug', 'letters that were tried have no outcome');
    return tried;
  }

  async remap(mapping: Mapping, letters: readonly DeadLetterCells[], options: Waiting): Promise<RemappedLetters> {
    const tooLong = (): string => 'the mapping takes too long for a dead letter';
    const { remapped } = await this.#run({ kind: 'remap', mapping, letters }, { ...options, tooLong });
    if (remapped === undefined) throw new MillraceError('internal.bug', 'letters that were mapped have no outcome');
    return remapped;
  }

  /** One after the other, each in its turn. */
  async #run(job: TrialJob, options: RunOptions): Promise<TrialAnswer> {
    const { waiting } = this.#limits;
    if (this.#waiting > waiting)
      throw new MillraceError('trial.busy', `${waiting} trials of mappings wait already: ask again in some seconds`);
    const mustWait = this.#waiting > 0;
    this.#waiting += 1;
    const before = this.#last;
    const over = Promise.withResolvers<void>();
    this.#last = over.promise;
    const cameAt = performance.now();
    let waitedMs = 0;
    try {
      await untilAborted(before, options.signal);
      waitedMs = performance.now() - cameAt;
      return await this.#runNow(job, options);
    } catch (thrown) {
      // Whoever had to wait is not told that its own mapping is slow: nobody knows.
      throw mustWait && isLate(thrown) ? tooLongWait(waitedMs === 0 ? performance.now() - cameAt : waitedMs) : thrown;
    } finally {
      this.#waiting -= 1;
      // Who leaves while it waits does not let the next one run before its turn.
      void before.then(() => over.resolve());
    }
  }

  async #runNow(job: TrialJob, { signal, tooLong }: RunOptions): Promise<TrialAnswer> {
    const { worker, cells } = this.#begin();
    const answered = Promise.withResolvers<TrialAnswer>();
    let timer: NodeJS.Timeout | undefined;
    const late = (): void => {
      const message = `${tooLong(cells)}: it was ended after ${this.#limits.runMs / 1000} seconds; let templates do less, or send less at a time`;
      answered.reject(new MillraceError('trial.tooLong', message));
    };
    const hear = (message: FromTrial): void => {
      if (message.kind === 'begun') timer = setTimeout(late, this.#limits.runMs);
      else if (message.kind === 'done') answered.resolve(message.answer);
      else answered.reject(new MillraceError(message.code ?? 'internal.bug', message.message));
    };
    const abort = (): void => answered.reject(signal.reason);
    const fail = (error: unknown): void => answered.reject(MillraceError.fromUnknown(error));
    const end = (): void => answered.reject(new MillraceError('internal.bug', 'the thread of trials ended'));
    worker.on('message', hear).once('error', fail).once('exit', end);
    signal.addEventListener('abort', abort, { once: true });
    let isAnswered = false;
    worker.ref();
    try {
      worker.postMessage(job);
      const answer = await answered.promise;
      isAnswered = true;
      return answer;
    } catch (thrown) {
      isAnswered = thrown instanceof MillraceError && thrown.code.startsWith('input.');
      throw thrown;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      worker.off('message', hear).off('error', fail).off('exit', end);
      if (isAnswered) this.#rest(worker);
      else await this.#end();
    }
  }

  #begin(): Running {
    clearTimeout(this.#idle);
    if (this.#thread !== undefined) return this.#thread;
    requireSameBuild(entry);
    const cells = new Int32Array(new SharedArrayBuffer(16)).fill(-1);
    const workerData = { templates: this.#templates, cells };
    const worker = new Worker(entry, { workerData, name: 'trials', resourceLimits });
    const forget = (): void => {
      if (this.#thread?.worker === worker) this.#thread = undefined;
    };
    // Who waits for an answer hears of it, too.
    worker.on('error', forget).on('exit', forget);
    this.#thread = { worker, cells };
    return this.#thread;
  }

  /** Nothing to do: the thread ends soon, and keeps no process from its end. */
  #rest(worker: Worker): void {
    worker.unref();
    if (this.#waiting > 1) return;
    this.#idle = setTimeout(() => void this.#end(), this.#limits.idleMs).unref();
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idle);
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.worker.terminate();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end();
  }
}

/** Resolves with `before`, unless the signal is aborted by then or sooner: rejects with its reason, at once. */
async function untilAborted(before: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    await Promise.race([before, aborted.promise]);
    signal.throwIfAborted();
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

function tooLongWait(waitedMs: number): MillraceError {
  const seconds = Math.max(1, Math.round(waitedMs / 1000));
  return new MillraceError(
    'trial.busy',
    `the request took too long, because it waited ${seconds} s for trials of other callers, which run one after the other: ask again in some seconds`,
  );
}

interface RunOptions extends Waiting {
  /** What takes too long, in words, by what the thread was at. */
  readonly tooLong: (cells: Int32Array) => string;
}
