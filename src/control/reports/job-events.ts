import type { ComponentId } from '../../core/component.ts';
import type { Job } from '../../core/jobs/job.ts';
import type { JobEvent } from '../../core/jobs/job-event.ts';
import { limits } from '../../core/limits.ts';
import type { By } from '../../core/source.ts';
import { jobEventDocumentId, jobEventPrefix } from '../../documents/document-id.ts';
import { eachJob } from '../../documents/each-job.ts';
import { jobEventDocuments } from '../../documents/job-event-document.ts';
import { msOfEventId } from '../../documents/job-log.ts';
import { readDocument } from '../../documents/read-document.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';

export interface JobEventsRequest {
  /** Of this run and those that it has started. */
  readonly runId?: string | undefined;
  /** Of jobs of these components alone. */
  readonly componentIds: readonly ComponentId[];
  readonly configurationId?: string | undefined;
  /** Only later ones than the event of this id. */
  readonly sinceId?: string | undefined;
  /** Only earlier ones. */
  readonly maxId?: string | undefined;
  /** Those with this text in the message, in letters of either case. */
  readonly text?: string | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** A line of a log, and who made the job. */
export interface FoundEvent {
  readonly event: JobEvent;
  readonly by: By;
}

/** Lines come in a little later than the job says that it ended, where clocks differ. */
const slackMs = 60_000;
const pageSize = 500;

interface Logged {
  readonly jobId: string;
  readonly by: By;
  /** No line of its log is much later than this. */
  readonly lastMs: number;
}

interface Found {
  readonly eventId: string;
  readonly job: Logged;
}

/** Lines of the logs of jobs that fit, the newest first. Fewer than asked for, one at least, where they are too much for one answer. */
export async function readJobEvents(
  { catalog }: Pick<Parts, 'catalog'>,
  request: JobEventsRequest,
  options: Waiting,
): Promise<readonly FoundEvent[]> {
  const events: FoundEvent[] = [];
  let bytes = 0;
  for (const { eventId, job } of await newestOf(catalog, request, options)) {
    const id = jobEventDocumentId(job.jobId, eventId);
    const event = (await readDocument(catalog, { kind: jobEventDocuments, id }, options))?.value;
    if (event === undefined) continue;
    bytes += event.message.length;
    if (bytes > limits.shownJobEventsBytes && events.length > 0) break;
    events.push({ event, by: job.by });
  }
  return events;
}

/** Where the events of the page are. Logs are looked at from the one that was written to last, as long as they may have some. */
async function newestOf(catalog: Catalog, request: JobEventsRequest, options: Waiting): Promise<readonly Found[]> {
  const end = request.offset + request.limit;
  const since = request.sinceId === undefined ? -Infinity : msOfEventId(request.sinceId);
  let found: readonly Found[] = [];
  for (const job of await logsOf(catalog, request, options)) {
    const last = found.at(end - 1);
    const oldest = Math.max(since, last === undefined ? -Infinity : msOfEventId(last.eventId));
    if (job.lastMs + slackMs < oldest) break;
    const own: Found[] = [];
    for await (const eventId of eventIdsOf(catalog, { job, request }, options)) own.push({ eventId, job });
    found = [...found, ...own].toSorted(newestFirst).slice(0, end);
  }
  return found.slice(request.offset);
}

function newestFirst(one: Found, other: Found): number {
  return one.eventId < other.eventId ? 1 : -1;
}

/** Jobs that fit, the one whose log goes on longest first. */
async function logsOf(catalog: Catalog, request: JobEventsRequest, options: Waiting): Promise<readonly Logged[]> {
  const { runId, componentIds, configurationId } = request;
  if (componentIds.length === 0) return [];
  const logs: Logged[] = [];
  for await (const job of eachJob(catalog, { from: firstOf(runId) }, options)) {
    if (runId !== undefined && job.runId !== runId && !job.runId.startsWith(`${runId}.`)) continue;
    if (!componentIds.includes(job.request.componentId)) continue;
    if (configurationId !== undefined && job.request.configurationId !== configurationId) continue;
    logs.push({ jobId: job.jobId, by: job.created.by, lastMs: lastMsOf(job) });
  }
  return logs.toSorted((one, other) => (one.lastMs === other.lastMs ? 0 : other.lastMs - one.lastMs));
}

/** A run ends with the number of its job, and those that it has started have greater ones. */
function firstOf(runId: string | undefined): number {
  const number = Number(runId?.split('.').at(-1));
  return Number.isSafeInteger(number) && number > 0 && number < 10 ** 15 ? number : 1;
}

function lastMsOf(job: Job): number {
  return job.phase === 'ended' ? Date.parse(job.endedAt) : Infinity;
}

async function* eventIdsOf(
  catalog: Catalog,
  { job: { jobId }, request }: { readonly job: Logged; readonly request: JobEventsRequest },
  options: Waiting,
): AsyncGenerator<string> {
  const { sinceId, maxId } = request;
  const text = request.text?.toLowerCase();
  const prefix = jobEventPrefix(jobId);
  let after = `${prefix}${sinceId ?? ''}`;
  for (;;) {
    const page = await catalog.list({ collection: 'job-event', prefix, after, limit: pageSize }, options);
    for (const { value } of page) {
      const event = jobEventDocuments.tryParse(value);
      if (event === undefined) continue;
      if (maxId !== undefined && event.eventId >= maxId) return;
      if (text === undefined || event.message.toLowerCase().includes(text)) yield event.eventId;
    }
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return;
    after = last.id;
  }
}
