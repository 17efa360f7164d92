import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

/** What is done with the outcomes of a topic that has its name, or of the sink. */
export type ReadingSide =
  /** Each value is taken and thrown away. */
  | 'scanned'
  /** The same, and lines are written into files and synced. */
  | 'written'
  /** They are made into sealed slices. */
  | 'staged';

export interface Asked {
  readonly side: ReadingSide;
  /** Source offset of the first. */
  readonly first: number;
  readonly count: number;
}

/** How long it took, and the processor time of all threads of this process, microseconds. */
export interface Timed {
  readonly seconds: number;
  readonly microseconds: number;
}

export interface Read extends Timed {
  /** Of its thread alone. */
  readonly ofThread: number;
}

export interface ReadingData {
  /** Of the data. */
  readonly path: string;
  /** Folder for a profile of the thread; absent: none. */
  readonly profile?: string;
}

/** As the product has it, which is started with `--max-semi-space-size=8`: three of them, megabytes. */
const youngMb = 24;

/** Other threads are told of records at most so much later. */
const toldMs = 100;

/** A thread that reads; see `reading-thread.ts`. */
export class Reading implements AsyncDisposable {
  readonly #worker: Worker;

  private constructor(worker: Worker) {
    this.#worker = worker;
  }

  static async start(data: ReadingData): Promise<Reading> {
    const entry = new URL('reading-thread.ts', import.meta.url);
    const resourceLimits = { maxYoungGenerationSizeMb: youngMb };
    const worker = new Worker(entry, { workerData: data, name: 'stage', resourceLimits });
    await once(worker, 'message');
    return new Reading(worker);
  }

  /** What was appended a moment ago. */
  async read(asked: Asked): Promise<Read> {
    await sleep(toldMs);
    const answered = once(this.#worker, 'message');
    this.#worker.postMessage(asked);
    const [read] = (await answered) as Read[];
    if (read === undefined) throw new Error('the thread said nothing');
    return read;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#worker, 'exit');
    this.#worker.postMessage('end');
    await ended;
  }
}
