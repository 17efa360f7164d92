import type { Clock } from '../../core/clock.ts';
import type { JobRun } from '../../core/jobs/job.ts';
import type { FoundSoFar, RunProgress } from '../../core/jobs/run-progress.ts';
import { changeDocument } from '../../documents/change-document.ts';
import { jobDocumentId } from '../../documents/document-id.ts';
import { jobProgressDocuments } from '../../documents/job-progress-document.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';

export interface ProgressWriterOptions {
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly jobId: string;
  readonly run: Pick<JobRun, 'attempt' | 'owner'>;
  /** At most one write in so many milliseconds, whatever happens in between. */
  readonly everyMs: number;
}

const writeMs = 10_000;

/**
 * Writes down how far a run is: behind the run, the newest state alone, and at a bounded rate. It never holds the run up and never fails
 * it. A catalog that is away loses a state, and the next one says as much.
 */
export class ProgressWriter {
  readonly #options: ProgressWriterOptions;
  readonly #closing = new AbortController();
  #waiting: RunProgress | undefined;
  #writing: Promise<void> | undefined;

  constructor(options: ProgressWriterOptions) {
    this.#options = options;
  }

  tell({ pages, rows, bytes }: FoundSoFar): void {
    const { clock, run } = this.#options;
    const { attempt, owner } = run;
    this.#waiting = { attempt, owner, pages, rows, bytes, at: new Date(clock.now()).toISOString() };
    this.#writing ??= this.#writeInTurns().finally(() => {
      this.#writing = undefined;
    });
  }

  /** Resolves when the last state is written, or when the catalog did not take it within so long. Nothing is written after that. */
  async close(ms: number, { signal }: Waiting): Promise<void> {
    this.#closing.abort();
    await this.#writing;
    await this.#write(AbortSignal.any([signal, AbortSignal.timeout(ms)]));
  }

  /** Until nothing waits or it is closed. Never rejects. */
  async #writeInTurns(): Promise<void> {
    const { clock, everyMs } = this.#options;
    const { signal } = this.#closing;
    while (this.#waiting !== undefined && !signal.aborted) {
      await clock.sleep(everyMs, { signal }).catch(() => undefined);
      if (!signal.aborted) await this.#write(AbortSignal.any([signal, AbortSignal.timeout(writeMs)]));
    }
  }

  /** The newest state; a run that is a later one has its own. Never rejects. */
  async #write(signal: AbortSignal): Promise<void> {
    const { catalog, jobId } = this.#options;
    const value = this.#waiting;
    if (value === undefined) return;
    const change = (before: RunProgress | undefined): RunProgress | undefined =>
      before !== undefined && before.attempt > value.attempt ? undefined : value;
    const place = { kind: jobProgressDocuments, id: jobDocumentId(jobId), change };
    const isWritten = await changeDocument<RunProgress>(catalog, place, { signal }).then(
      () => true,
      () => false,
    );
    if (isWritten && this.#waiting === value) this.#waiting = undefined;
  }
}
