import type { Api } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';

export interface JobsVerdict {
  readonly jobs: number;
  readonly succeeded: number;
  /** Of those that succeeded, how many were run more than once. */
  readonly takenOver: number;
  /** Their process ended too often, or before it could write down why it gave them up. */
  readonly givenUp: number;
  readonly rows: number;
}

export interface JobsWanted {
  readonly configurations: readonly string[];
  /** So many rows each job adds, numbered from 0 in the column `id`. */
  readonly items: number;
  readonly tableOf: (configuration: string) => string;
}

export interface Job {
  readonly id: string;
  readonly config: string;
  readonly status: string;
  readonly phase: string;
  readonly isFinished: boolean;
  readonly attempt: number;
  readonly result: { readonly message: string };
}

const pageSize = 100;
const endedWithinMs = 120_000;
/** What a job says whose process ended too often. */
export const givenUp = /was given up: its process ended|an earlier run gave it up, and its process ended/;

/**
 * J10, D2, D3: every job has ended; a table has each item as often as jobs of its configuration succeeded, and what such a job leaves for
 * the next is at its configuration. Throws when anything is lost, double or invented, when a job does not end, and when one ends otherwise
 * than in success without that its process died too often. The product must be well.
 */
export async function verifyJobs(api: Api, { configurations, items, tableOf }: JobsWanted): Promise<JobsVerdict> {
  const jobs = await eventually(() => allEnded(api), { withinMs: endedWithinMs, everyMs: 200 });
  const broken = jobs.find(({ status, result }) => status !== 'success' && !givenUp.test(result.message));
  if (broken !== undefined) throw new Error(`job ${broken.id} ended as ${broken.status}: ${broken.result.message}`);
  const succeeded = jobs.filter(({ status }) => status === 'success');
  let rows = 0;
  for (const name of configurations) {
    const times = succeeded.filter(({ config }) => config === name).length;
    if (times === 0) throw new Error(`no job of configuration "${name}" succeeded`);
    await requireItems(api, { tableId: tableOf(name), items, times });
    await requireState(api, name);
    rows += items * times;
  }
  return {
    jobs: jobs.length,
    succeeded: succeeded.length,
    takenOver: succeeded.filter(({ attempt }) => attempt > 1).length,
    givenUp: jobs.length - succeeded.length,
    rows,
  };
}

/** All jobs that there are. Throws while one of them has not ended. */
export async function allEnded(api: Api): Promise<readonly Job[]> {
  const jobs: Job[] = [];
  for (let page: readonly Job[] = []; jobs.length === 0 || page.length === pageSize; jobs.push(...page)) {
    page = await api.call<Job[]>('GET', `/search/jobs?limit=${pageSize}&offset=${jobs.length}&sortOrder=asc`);
    if (page.length === 0) break;
  }
  const open = jobs.find(({ isFinished }) => !isFinished);
  if (open !== undefined) throw new Error(`J10: job ${open.id} is ${open.status}: ${JSON.stringify(open)}`);
  return jobs;
}

export interface Items {
  readonly tableId: string;
  readonly items: number;
  readonly times: number;
}

/** Throws unless the table has each of so many items so many times, and no other. */
export async function requireItems(api: Api, { tableId, items, times }: Items): Promise<void> {
  const found = new Map<string, number>();
  for await (const { id = '' } of api.eachRow(tableId)) found.set(id, (found.get(id) ?? 0) + 1);
  for (let number = 0; number < items; number += 1) {
    const count = found.get(String(number)) ?? 0;
    found.delete(String(number));
    if (count < times)
      throw new Error(`D2: item ${number} is ${count} times in ${tableId}, and was loaded ${times} times`);
    if (count > times)
      throw new Error(`D3: item ${number} is ${count} times in ${tableId}, and was loaded ${times} times`);
  }
  const [invented] = found.keys();
  if (invented !== undefined) throw new Error(`item "${invented}" of ${tableId} was never there`);
}

async function requireState(api: Api, name: string): Promise<void> {
  const path = `/v2/storage/components/generic-extractor/configs/${name}`;
  const { state } = await api.call<{ state: { time?: { previousStart?: number } } }>('GET', path);
  if (state.time?.previousStart === undefined)
    throw new Error(`configuration "${name}" has no state of its last job: ${JSON.stringify(state)}`);
}
