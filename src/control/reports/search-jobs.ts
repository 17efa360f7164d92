import { phaseOf, statusOf, type Job } from '../../core/jobs/job.ts';
import type { JobOrder } from '../../core/jobs/job-order.ts';
import { limits } from '../../core/limits.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { eachJob, eachJobBackwards } from '../../documents/each-job.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import { findJob } from '../store/find-job.ts';
import { jobTimes, type JobTimes } from './job-times.ts';

/** Fields that jobs are found by: a job fits when it has one of the values of each that is given. */
export interface JobFilter {
  readonly id?: readonly string[] | undefined;
  readonly runId?: readonly string[] | undefined;
  readonly parentRunId?: readonly string[] | undefined;
  readonly branchId?: readonly string[] | undefined;
  readonly tokenId?: readonly string[] | undefined;
  readonly component?: readonly string[] | undefined;
  readonly config?: readonly string[] | undefined;
  readonly configRowIds?: readonly string[] | undefined;
  readonly mode?: readonly string[] | undefined;
  /** Of the interface of jobs, or phases. */
  readonly status?: readonly string[] | undefined;
  /** Whether the schedule of its configuration asked for it. */
  readonly isScheduled?: boolean | undefined;
  readonly between?: Readonly<Partial<Record<JobTime, Between>>>;
}

export type JobTime = 'createdTime' | 'startTime' | 'endTime' | 'durationSeconds';

/** Both ends are inside; times in milliseconds. A job without the time does not fit. */
export interface Between {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export interface JobSearch {
  readonly filter: JobFilter;
  readonly offset: number;
  readonly limit: number;
  readonly sortBy: JobOrder;
  readonly sortOrder: 'asc' | 'desc';
}

type SearchParts = Pick<Parts, 'catalog' | 'clock'>;

/** The jobs that fit, in order. `input.invalid` when they are too much for one answer. */
export async function searchJobs(parts: SearchParts, search: JobSearch, options: Waiting): Promise<readonly Job[]> {
  const found: Job[] = [];
  let bytes = 0;
  for (const jobId of await idsOf(parts, search, options)) {
    const job = await findJob(parts, jobId, options);
    if (job === undefined) continue;
    bytes += JSON.stringify(job).length;
    if (bytes > limits.shownJobsBytes) {
      const message = `the ${search.limit} jobs of this page are more than ${limits.shownJobsBytes / 1024 ** 2} MiB; ask for fewer with "limit"`;
      throw new MillraceError('input.invalid', message);
    }
    found.push(job);
  }
  return found;
}

/** Of the page. A job may have a whole configuration, so that no more than what orders them is kept of all. */
async function idsOf(parts: SearchParts, search: JobSearch, options: Waiting): Promise<readonly string[]> {
  const { filter, offset, limit, sortBy, sortOrder } = search;
  const now = parts.clock.now();
  const end = offset + limit;
  const matching: { readonly jobId: string; readonly key: number | string }[] = [];
  const isInOrder = sortBy === 'id';
  const jobs =
    isInOrder && sortOrder === 'desc' ? eachJobBackwards(parts.catalog, options) : eachJob(parts.catalog, {}, options);
  for await (const job of jobs) {
    if (isInOrder && matching.length >= end) break;
    if (!fits(job, filter, now)) continue;
    matching.push({ jobId: job.jobId, key: keyOf(job, sortBy, now) });
  }
  const ordered = isInOrder ? matching : matching.toSorted((one, other) => compare(one, other, sortOrder));
  return ordered.slice(offset, end).map(({ jobId }) => jobId);
}

interface Keyed {
  readonly jobId: string;
  readonly key: number | string;
}

/** Those with the same key by number, in the same order. */
function compare(one: Keyed, other: Keyed, order: 'asc' | 'desc'): number {
  const sign = order === 'asc' ? 1 : -1;
  if (one.key !== other.key) return one.key < other.key ? -sign : sign;
  return sign * (Number(one.jobId) - Number(other.jobId));
}

function keyOf(job: Job, sortBy: JobOrder, now: number): number | string {
  const times = jobTimes(job, now);
  switch (sortBy) {
    case 'id':
      return Number(job.jobId);
    case 'runId':
      return job.runId;
    case 'status':
      return statusOf(job);
    case 'component':
      return job.request.componentId;
    case 'config':
      return job.request.configurationId ?? '';
    case 'createdTime':
    case 'startTime':
    case 'endTime':
    case 'durationSeconds':
      return valueOf(times, sortBy) ?? -1;
    default:
      return sortBy satisfies never;
  }
}

function fits(job: Job, { between = {}, isScheduled, ...texts }: JobFilter, now: number): boolean {
  if (isScheduled !== undefined && isScheduled !== (job.request.scheduledFor !== undefined)) return false;
  const has = textsOf(job);
  const times = jobTimes(job, now);
  const isText = Object.entries(texts).every(
    ([name, wanted]: [string, readonly string[] | undefined]) =>
      wanted === undefined || wanted.some((one) => has.get(name)?.includes(one) === true),
  );
  return isText && timeNames.every((name) => isWithin(valueOf(times, name), between[name]));
}

const timeNames: readonly JobTime[] = ['createdTime', 'startTime', 'endTime', 'durationSeconds'];

function valueOf({ createdMs, startMs, endMs, durationSeconds }: JobTimes, name: JobTime): number | undefined {
  switch (name) {
    case 'createdTime':
      return createdMs;
    case 'startTime':
      return startMs;
    case 'endTime':
      return endMs;
    case 'durationSeconds':
      return durationSeconds;
    default:
      return name satisfies never;
  }
}

function isWithin(value: number | undefined, between: Between | undefined): boolean {
  if (between?.from === undefined && between?.to === undefined) return true;
  return value !== undefined && value >= (between.from ?? -Infinity) && value <= (between.to ?? Infinity);
}

function textsOf(job: Job): ReadonlyMap<string, readonly string[]> {
  const { branchId, componentId, configurationId, rowIds, mode, parentRunId } = job.request;
  return new Map<string, readonly string[]>([
    ['id', [job.jobId]],
    ['runId', [job.runId]],
    ['parentRunId', [parentRunId ?? '']],
    ['branchId', [String(branchId)]],
    ['tokenId', job.created.by.tokenId === undefined ? [] : [job.created.by.tokenId]],
    ['component', [componentId]],
    ['config', configurationId === undefined ? [] : [configurationId]],
    ['configRowIds', rowIds],
    ['mode', [mode]],
    ['status', [statusOf(job), phaseOf(job)]],
  ]);
}
