import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Api } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { Installation, rootToken } from '../../support/installation.ts';
import { ItemApi, itemConfiguration } from '../../support/item-api.ts';
import { seededRandom } from '../random.ts';
import { requireItems } from './verify-jobs.ts';

export interface JobsRunOptions {
  readonly seed: number;
  readonly items: number;
  /** Of one page. */
  readonly limit: number;
  readonly kills: number;
  readonly say: (line: string) => void;
}

export interface JobsReport {
  readonly seed: number;
  /** Of the process while nothing is done, and at most while a job runs that nobody disturbs. */
  readonly idleBytes: number;
  readonly mostBytes: number;
  /** How long that job took. */
  readonly seconds: number;
  readonly kills: number;
  readonly succeeded: number;
  /** Their process ended three times. */
  readonly givenUp: number;
}

interface Job {
  readonly id: string;
  readonly isFinished: boolean;
  readonly status: string;
  readonly attempt: number;
  readonly result: { readonly message: string };
}

const tableId = 'in.c-many.items';
const endsWithinMs = 900_000;
const mostAttempts = 3;

/**
 * J10: one job after the other takes all items of an API into one table, and the process is killed again and again while they run. A job
 * whose process dies goes on under the next one, three times in all; then it ends in an error, leaves the table as it was, and is asked for
 * anew. After each success the table has each item once. Throws when anything is otherwise.
 */
export async function jobsRun({ seed, items, limit, kills, say }: JobsRunOptions): Promise<JobsReport> {
  const random = seededRandom(seed);
  await using itemApi = await ItemApi.open(items);
  await using product = await Installation.start({ env: { MILLRACE_EXTRACTOR_ALLOWED_HOSTS: '127.0.0.1' } });
  const api = (): Api => new Api(product.process.admin, rootToken);
  const config = 'many';
  await api().call('POST', '/v2/storage/components/generic-extractor/configs', {
    configurationId: config,
    name: config,
    configuration: itemConfiguration(itemApi.url, { outputBucket: config, limit }),
  });
  const look = (id: string): Promise<Job> => api().call<Job>('GET', `/jobs/${id}`);
  /** What the table has: each job takes one item more. */
  let [loaded, asked] = [0, items - 1];
  const ask = async (): Promise<string> => {
    asked += 1;
    itemApi.items = asked;
    return (await api().call<Job>('POST', '/jobs', { component: 'generic-extractor', config })).id;
  };
  const judge = async ({ id, status, attempt, result }: Job, deaths: number): Promise<boolean> => {
    // A process that dies before it has taken the job is no attempt.
    const isGivenUp = deaths >= mostAttempts && attempt === mostAttempts && result.message.includes('was given up');
    if (status !== 'success' && !isGivenUp)
      throw new Error(`J10: job ${id}, whose process died ${deaths} times, ended as ${status}: ${result.message}`);
    if (status === 'success') loaded = asked;
    await requireItems(api(), { tableId, items: loaded, times: 1 });
    return status === 'success';
  };

  const pid = product.process.child.pid ?? 0;
  const idleBytes = await residentBytes(pid);
  const began = performance.now();
  const first = await watched(pid, () => finished(look, ask));
  const ms = performance.now() - began;
  await judge(first.job, 0);
  say(
    `${items} items in ${(ms / 1000).toFixed(1)} s; the process grew by ${megabytes(first.mostBytes - idleBytes)} MB`,
  );

  let [succeeded, givenUp, killed] = [1, 0, 0];
  while (killed < kills) {
    const id = await ask();
    let deaths = 0;
    while (killed < kills && !(await endsWithin(random() * ms, () => look(id)))) {
      await product.stop('SIGKILL');
      [killed, deaths] = [killed + 1, deaths + 1];
      await product.start();
      say(`kill ${killed} of ${kills}: job ${id} has lost its process ${deaths} times`);
    }
    if (await judge(await finished(look, async () => id), deaths)) succeeded += 1;
    else givenUp += 1;
  }
  if (!(await judge(await finished(look, ask), 0)))
    throw new Error('the last job, which nobody disturbed, was given up');
  return {
    seed,
    idleBytes,
    mostBytes: first.mostBytes,
    seconds: ms / 1000,
    kills: killed,
    succeeded: succeeded + 1,
    givenUp,
  };
}

export function megabytes(bytes: number): number {
  return Math.round(bytes / 1e6);
}

async function finished(look: (id: string) => Promise<Job>, ask: () => Promise<string>): Promise<Job> {
  const id = await ask();
  const ended = async (): Promise<Job> => {
    const job = await look(id);
    if (!job.isFinished) throw new Error(`J10: job ${id} is ${job.status}`);
    return job;
  };
  return eventually(ended, { withinMs: endsWithinMs, everyMs: 50 });
}

/** False when it has not ended within so long. */
async function endsWithin(ms: number, look: () => Promise<Job>): Promise<boolean> {
  const deadline = performance.now() + ms;
  for (;;) {
    const { isFinished } = await look();
    const left = deadline - performance.now();
    if (isFinished || left <= 0) return isFinished;
    await sleep(Math.min(50, left));
  }
}

/** What the process takes of the memory at most while something is done. */
async function watched(
  pid: number,
  work: () => Promise<Job>,
): Promise<{ readonly job: Job; readonly mostBytes: number }> {
  const working = new AbortController();
  let mostBytes = 0;
  const watch = async (): Promise<void> => {
    while (!working.signal.aborted) {
      mostBytes = Math.max(mostBytes, await residentBytes(pid));
      await sleep(50);
    }
  };
  const watching = watch();
  try {
    const job = await work();
    return { job, mostBytes };
  } finally {
    working.abort();
    await watching;
  }
}

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
}
