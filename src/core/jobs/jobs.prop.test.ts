import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createdJob } from '../../../test/support/any-job.ts';
import { limits } from '../limits.ts';
import { endJob, isRunOf, killJob } from './end-job.ts';
import { phaseOf, statusOf, type Job, type JobRun } from './job.ts';
import { jobKey } from './job-key.ts';
import { takeTurns } from './job-turns.ts';
import { takeJob, waitJob } from './take-job.ts';

type Command =
  | { readonly kind: 'create'; readonly key: number; readonly delay: number }
  | { readonly kind: 'finish' | 'lateEnd' | 'kill'; readonly which: number }
  | { readonly kind: 'crash'; readonly isZombie: boolean }
  | { readonly kind: 'turn' | 'pass' };

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('create' as const), key: fc.nat({ max: 3 }), delay: fc.nat({ max: 5 }) }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('turn' as const) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('finish' as const), which: fc.nat({ max: 7 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('crash' as const), isZombie: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('lateEnd' as const), which: fc.nat({ max: 7 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('kill' as const), which: fc.nat({ max: 20 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pass' as const) }) },
);

const atOnce = 2;

/** Documents, and the one life that has the jobs; runs of lives before it may still come to an end, late. */
class World {
  readonly jobs = new Map<string, Job>();
  readonly runs = new Map<string, JobRun>();
  readonly lost: { readonly jobId: string; readonly run: JobRun }[] = [];
  readonly seen = new Set<string>();
  queue: readonly string[] = [];
  life = 1;
  now = 0;

  do(next: Command): void {
    switch (next.kind) {
      case 'create':
        return this.#create(next);
      case 'turn':
        return this.#turn();
      case 'finish':
        return this.#finish([...this.runs][next.which % Math.max(1, this.runs.size)]);
      case 'lateEnd':
        return this.#lateEnd(this.lost[next.which % Math.max(1, this.lost.length)]);
      case 'kill':
        return this.#kill([...this.jobs.values()][next.which % Math.max(1, this.jobs.size)]);
      case 'crash':
        return this.#crash(next.isZombie);
      default:
        this.now += 1000;
    }
  }

  /** Turns and endings until nothing is left. */
  settle(): number {
    let rounds = 0;
    for (; [...this.jobs.values()].some(({ phase }) => phase !== 'ended'); rounds += 1) {
      if (rounds > 1000) throw new Error('a job never ends');
      this.now += 1000;
      this.#turn();
      for (const run of this.runs) this.#finish(run);
    }
    return rounds;
  }

  #write(job: Job): void {
    const before = this.jobs.get(job.jobId);
    if (before !== undefined) check(before, job);
    this.jobs.set(job.jobId, job);
    const running = [...this.jobs.values()].filter(({ phase }) => phase === 'running').map(jobKey);
    strictEqual(new Set(running).size, running.length, 'one running job a configuration');
  }

  #create({ key, delay }: { readonly key: number; readonly delay: number }): void {
    const notBefore = delay === 0 ? {} : { notBefore: new Date(this.now + delay * 1000).toISOString() };
    const configuration = key === 0 ? { configurationData: '{}' } : { configurationId: `c${key}` };
    this.#write(createdJob(String(this.jobs.size + 1), { ...configuration, ...notBefore }));
  }

  #turn(): void {
    const jobs = [...this.jobs.values()].filter(({ phase }) => phase !== 'ended');
    const busy = [...this.runs.keys()].flatMap((jobId) => this.jobs.get(jobId) ?? []);
    const turns = takeTurns(this.queue, { jobs: jobs.toReversed(), busy, atOnce, now: this.now });
    this.queue = turns.queue;
    ok(turns.start.length + busy.length <= Math.max(atOnce, busy.length), 'no more at once than allowed');
    for (const job of turns.wait) this.#write(waitJob(job));
    for (const job of turns.start) this.#begin(job);
    if (turns.wait.length > 0) this.seen.add('wait');
  }

  #begin(job: Job): void {
    const at = new Date(this.now).toISOString();
    ok(job.phase === 'running' || Date.parse(job.request.notBefore ?? at) <= this.now, 'not before it is due');
    const taking = takeJob(job, { owner: `life ${this.life}`, at });
    if (taking.kind === 'ended') throw new Error('an ended job was taken');
    if (job.phase === 'running') this.seen.add('taken over');
    if (taking.kind === 'taken') {
      this.#write(taking.job);
      this.runs.set(job.jobId, taking.job.run);
      return;
    }
    this.seen.add('spent');
    const ended = endJob(job, taking.job.run, {
      status: 'error',
      at,
      result: { message: '', tables: [], variables: [] },
    });
    ok(ended !== undefined, 'a job that is spent is ended by the run that it has');
    this.#write(ended);
  }

  #finish(entry: readonly [string, JobRun] | undefined): void {
    if (entry === undefined) return;
    this.runs.delete(entry[0]);
    this.#end(entry[0], entry[1]);
  }

  #lateEnd(lost: { readonly jobId: string; readonly run: JobRun } | undefined): void {
    if (lost === undefined) return;
    this.#end(lost.jobId, lost.run);
  }

  #end(jobId: string, run: JobRun): void {
    const job = this.jobs.get(jobId);
    if (job === undefined) return;
    const status = job.phase === 'running' && job.isEnding ? 'terminated' : 'success';
    const at = new Date(this.now).toISOString();
    const ended = endJob(job, run, { status, at, result: { message: '', tables: [], variables: [] } });
    strictEqual(ended === undefined, !isRunOf(job, run));
    if (ended === undefined) this.seen.add('late end refused');
    else this.#write(ended);
  }

  #kill(job: Job | undefined): void {
    if (job === undefined) return;
    const killed = killJob(job, { at: new Date(this.now).toISOString() });
    strictEqual(killed === undefined, job.phase === 'ended');
    if (killed === undefined) return;
    this.seen.add(killed.phase === 'ended' ? 'cancelled' : 'asked to end');
    this.#write(killed);
  }

  #crash(isZombie: boolean): void {
    if (isZombie) this.lost.push(...[...this.runs].map(([jobId, run]) => ({ jobId, run })));
    this.runs.clear();
    this.queue = [];
    this.life += 1;
  }
}

const order = ['created', 'waiting', 'running', 'ended'];

function check(before: Job, after: Job): void {
  if (before.phase === 'ended') deepStrictEqual(after, before, 'ended is final');
  ok(order.indexOf(after.phase) >= order.indexOf(before.phase), 'a job never goes back');
  ok(attemptOf(after) >= attemptOf(before), 'attempts only grow');
  ok(attemptOf(after) <= limits.jobAttempts, 'attempts have a bound');
  const isKept =
    !['terminating', 'ended'].includes(phaseOf(before)) || ['terminating', 'ended'].includes(phaseOf(after));
  ok(isKept, 'a kill is not forgotten');
  deepStrictEqual(after.request, before.request);
  const neverRan = after.phase === 'ended' && after.run === undefined;
  strictEqual(statusOf(after) === 'cancelled', neverRan, 'what never ran is cancelled, and nothing else');
}

function attemptOf(job: Job): number {
  return 'run' in job ? (job.run?.attempt ?? 0) : 0;
}

describe('jobs under random commands', () => {
  test('ended is final, attempts only grow, a configuration has one running job, and every job comes to its end', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(fc.array(command, { maxLength: 120, size: 'max' }), (commands) => {
        const world = new World();
        for (const next of commands) world.do(next);
        world.settle();
        world.seen.forEach((what) => seen.add(what));
      }),
      { numRuns: 500 },
    );
    const wanted = ['wait', 'taken over', 'spent', 'late end refused', 'cancelled', 'asked to end'];
    expect([...seen].toSorted()).toEqual(wanted.toSorted());
  });
});
