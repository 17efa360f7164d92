import type { Logger } from '../../telemetry/logger.ts';
import type { Waiting } from '../../ports/waiting.ts';

/** So many imports of a process run at a time. */
const atOnce = 2;

/** Imports that wait for their turn, in the order in which they came. */
export class ImportQueue {
  readonly #log: Logger;
  readonly #waiting = new Set<string>();
  #wake: (() => void) | undefined;

  constructor({ log }: { readonly log: Logger }) {
    this.#log = log;
  }

  add(jobId: string): void {
    this.#waiting.add(jobId);
    this.#wake?.();
  }

  /** Forgets all; who has the seat next finds them again. */
  clear(): void {
    this.#waiting.clear();
  }

  /** Runs what comes until the signal is aborted. A job that cannot be run to its end is left to whoever comes next. */
  async run(work: (jobId: string) => Promise<void>, { signal }: Waiting): Promise<void> {
    const lane = async (): Promise<void> => {
      while (!signal.aborted) {
        const [jobId] = this.#waiting;
        if (jobId === undefined) {
          await this.#somethingToDo(signal);
          continue;
        }
        this.#waiting.delete(jobId);
        try {
          await work(jobId);
        } catch (thrown) {
          if (!signal.aborted)
            this.#log.error({ storageJobId: jobId, err: thrown }, 'an import was not run to its end');
        }
      }
    };
    await Promise.all(Array.from({ length: atOnce }, lane));
  }

  async #somethingToDo(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = this.#wake;
    this.#wake = () => {
      before?.();
      resolve();
    };
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (signal.aborted) resolve();
    await promise;
    this.#wake = undefined;
  }
}
