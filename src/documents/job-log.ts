import type { Clock } from '../core/clock.ts';
import type { Job } from '../core/jobs/job.ts';
import type { JobEvent, JobEventType } from '../core/jobs/job-event.ts';
import { limits } from '../core/limits.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { Waiting } from '../ports/waiting.ts';
import { createDocument } from './change-document.ts';
import { jobEventDocumentId, jobEventPrefix } from './document-id.ts';
import { jobEventDocuments } from './job-event-document.ts';
import { listDocuments } from './list-documents.ts';

export interface JobLogParts {
  readonly catalog: Catalog;
  readonly clock: Pick<Clock, 'now'>;
  /** Makes a UUID of version 7 for this millisecond, which is greater than those before. */
  readonly eventId: (ms: number) => string;
}

/**
 * The log of a job, as its lines are written: one document each, in order. A job that is taken over goes on with the log that it has.
 * It is bounded (D8): a line that is too long is cut, and the line after which no more are kept says so.
 */
export class JobLog {
  readonly #parts: JobLogParts;
  readonly #job: Pick<Job, 'jobId' | 'runId' | 'request'>;
  #lines: number;
  #bytes: number;
  /** The time of the last id: the clock of another process may be behind it. */
  #lastMs: number;
  #isFull: boolean;
  #before: Promise<unknown> = Promise.resolve();

  private constructor(parts: JobLogParts, job: Pick<Job, 'jobId' | 'runId' | 'request'>, written: readonly JobEvent[]) {
    this.#parts = parts;
    this.#job = job;
    this.#lines = written.length;
    this.#bytes = written.reduce((sum, { message }) => sum + Buffer.byteLength(message), 0);
    const last = written.at(-1);
    this.#lastMs = last === undefined ? -1 : msOfEventId(last.eventId);
    this.#isFull = last?.message === lastLine;
  }

  static async open(
    parts: JobLogParts,
    job: Pick<Job, 'jobId' | 'runId' | 'request'>,
    options: Waiting,
  ): Promise<JobLog> {
    const prefix = jobEventPrefix(job.jobId);
    return new JobLog(parts, job, await listDocuments(parts.catalog, { kind: jobEventDocuments, prefix }, options));
  }

  /**
   * Adds a line; does nothing once the log is full. Lines come one after the other in the order of the calls, even where these do not wait:
   * who follows the log asks for what came after the last line, and must not miss one that was late.
   */
  async write(type: JobEventType, message: string, options: Waiting): Promise<void> {
    if (this.#isFull) return;
    const text = cut(message);
    this.#lines += 1;
    this.#bytes += Buffer.byteLength(text);
    this.#isFull = this.#lines >= limits.jobEvents || this.#bytes > limits.jobLogBytes;
    const value = this.#isFull ? this.#event('warn', lastLine) : this.#event(type, text);
    const id = jobEventDocumentId(this.#job.jobId, value.eventId);
    const { catalog } = this.#parts;
    const written = this.#before.then(() => createDocument(catalog, { kind: jobEventDocuments, id, value }, options));
    this.#before = written.catch(() => undefined);
    await written;
  }

  #event(type: JobEventType, message: string): JobEvent {
    const { clock, eventId } = this.#parts;
    const { jobId, runId, request } = this.#job;
    const { branchId, componentId, configurationId } = request;
    const now = clock.now();
    this.#lastMs = Math.max(now, this.#lastMs + 1);
    return {
      eventId: eventId(this.#lastMs),
      jobId,
      runId,
      branchId,
      componentId,
      ...(configurationId === undefined ? {} : { configurationId }),
      type,
      message,
      created: new Date(now).toISOString(),
    };
  }
}

const lastLine = `The log of a job has at most ${limits.jobEvents} lines and ${limits.jobLogBytes / 1024 ** 2} MiB; what follows is not kept.`;

const ellipsis = '…';

/** At the beginning of a character. */
function cut(message: string): string {
  if (Buffer.byteLength(message) <= limits.jobEventBytes) return message;
  const bytes = Buffer.from(message);
  let end = limits.jobEventBytes - Buffer.byteLength(ellipsis);
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return `${bytes.toString('utf8', 0, end)}${ellipsis}`;
}

/** The time in a UUID of version 7, milliseconds. */
export function msOfEventId(eventId: string): number {
  return Number.parseInt(eventId.replaceAll('-', '').slice(0, 12), 16);
}
