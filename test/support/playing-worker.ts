import type { AdminHarness } from './admin-harness.ts';
import { endJob, type JobEnding } from '../../src/core/jobs/end-job.ts';
import type { Job } from '../../src/core/jobs/job.ts';
import type { JobEventType } from '../../src/core/jobs/job-event.ts';
import { takeJob, type RunningJob } from '../../src/core/jobs/take-job.ts';
import type { FoundSoFar } from '../../src/core/jobs/run-progress.ts';
import { changeDocument, putDocument } from '../../src/documents/change-document.ts';
import { jobDocumentId } from '../../src/documents/document-id.ts';
import { jobProgressDocuments } from '../../src/documents/job-progress-document.ts';
import { jobDocuments } from '../../src/documents/job-document.ts';
import { JobLog } from '../../src/documents/job-log.ts';
import { createEventIds } from '../../src/events/event-id.ts';

const options = { signal: new AbortController().signal };

/** Runs jobs by hand, through the documents that who runs them writes. */
export class PlayingWorker {
  readonly #harness: Pick<AdminHarness, 'dependencies'>;
  readonly #eventId = createEventIds((words) => crypto.getRandomValues(words));

  constructor(harness: Pick<AdminHarness, 'dependencies'>) {
    this.#harness = harness;
  }

  async take(jobId: string, at = new Date().toISOString()): Promise<RunningJob> {
    const job = await this.#change(jobId, (before) => {
      const taking = takeJob(before, { owner: 'a test', at });
      if (taking.kind !== 'taken') throw new Error(`job ${jobId} is ${taking.kind}`);
      return taking.job;
    });
    if (job.phase !== 'running') throw new Error(`job ${jobId} does not run`);
    return job;
  }

  async say(jobId: string, type: JobEventType, ...messages: readonly string[]): Promise<void> {
    const { catalog, clock } = this.#harness.dependencies;
    const job = await this.#change(jobId, () => undefined);
    const log = await JobLog.open({ catalog, clock, eventId: this.#eventId }, job, options);
    for (const message of messages) await log.write(type, message, options);
  }

  /** Writes down how far a run is. */
  async reach({ jobId, run: { attempt, owner } }: RunningJob, found: FoundSoFar, at: string): Promise<void> {
    const value = { attempt, owner, ...found, at };
    const { catalog } = this.#harness.dependencies;
    await putDocument(catalog, { kind: jobProgressDocuments, id: jobDocumentId(jobId), value }, options);
  }

  async end(running: RunningJob, ending: Partial<JobEnding> = {}): Promise<void> {
    const result = { message: 'Component processing finished.', tables: [], variables: [] };
    const whole: JobEnding = { status: 'success', at: new Date().toISOString(), result, ...ending };
    await this.#change(running.jobId, (before) => endJob(before, running.run, whole));
  }

  async #change(jobId: string, change: (before: Job) => Job | undefined): Promise<Job> {
    const made = await changeDocument(
      this.#harness.dependencies.catalog,
      {
        kind: jobDocuments,
        id: jobDocumentId(jobId),
        change: (before) => {
          if (before === undefined) throw new Error(`there is no job ${jobId}`);
          return change(before);
        },
      },
      options,
    );
    if (made === undefined) throw new Error(`there is no job ${jobId}`);
    return made.value;
  }
}
