import { ok } from 'node:assert/strict';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hourly } from '../../../test/support/any-schedule.ts';
import { FakeClock } from '../../../test/support/fake-clock.ts';
import { Fuse, type Fault } from '../../../test/support/fuse.ts';
import { WorkHarness } from '../../../test/support/work-harness.ts';
import { ToldOfSchedules } from '../../../test/support/told-of-schedules.ts';
import type { Job } from '../../core/jobs/job.ts';
import { CronTimes } from '../../core/schedules/cron-times.ts';
import type { Schedule } from '../../core/schedules/schedule.ts';
import { changeDocument, putDocument } from '../../documents/change-document.ts';
import { configurationDocumentId, jobDocumentId } from '../../documents/document-id.ts';
import { eachJob } from '../../documents/each-job.ts';
import { jobDocuments } from '../../documents/job-document.ts';
import { readDocument } from '../../documents/read-document.ts';
import { scheduleDocuments } from '../../documents/schedule-document.ts';
import { keepSchedule } from './keep-schedule.ts';

const never = { signal: new AbortController().signal };
const minuteMs = 60_000;
const start = Date.parse('2026-01-01T00:00:00.000Z');

let harness: WorkHarness;
beforeAll(async () => {
  harness = await WorkHarness.open();
});
afterAll(async () => {
  await harness[Symbol.asyncDispose]();
});

/** What a process that looks after the schedule meets at its writes. */
interface Visit {
  readonly fault: Fault | 'none';
  readonly writes: number;
}

type Command =
  | { readonly kind: 'keep'; readonly visits: readonly Visit[] }
  | { readonly kind: 'pass' | 'back'; readonly minutes: number }
  | { readonly kind: 'end' };

const visit: fc.Arbitrary<Visit> = fc.record({
  fault: fc.constantFrom('none', 'none', 'silence', 'outage', 'lostAnswer', 'pause'),
  writes: fc.nat({ max: 7 }),
});

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('keep' as const),
      visits: fc.array(visit, { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('pass' as const), minutes: fc.integer({ min: 1, max: 40 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('back' as const), minutes: fc.integer({ min: 1, max: 90 }) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('end' as const) }) },
);

let worlds = 0;

/** One schedule on the stores of the harness, and the processes that look after it. */
class World {
  readonly key: Schedule;
  readonly clock = new FakeClock(start);
  readonly paused: { readonly fuse: Fuse; readonly done: Promise<unknown> }[] = [];
  #first = 1;
  #numbers = 0;

  constructor() {
    worlds += 1;
    this.key = hourly({ configurationId: `c${worlds}`, cron: '*/10 * * * *' });
  }

  async begin(): Promise<void> {
    const { configurationId } = this.key;
    await harness.configure(configurationId, {});
    const id = configurationDocumentId(this.key);
    await putDocument(harness.catalog, { kind: scheduleDocuments, id, value: this.key }, never);
    for await (const { jobId } of eachJob(harness.catalog, {}, never)) this.#first = Number(jobId) + 1;
  }

  async do(next: Command): Promise<void> {
    switch (next.kind) {
      case 'keep':
        await Promise.all(next.visits.map((one) => this.visit(one)));
        break;
      case 'pass':
        this.clock.advance(next.minutes * minuteMs);
        break;
      case 'back':
        this.clock.jump(-next.minutes * minuteMs);
        break;
      default:
        await this.endJobs();
    }
    const open = (await this.jobs()).filter(({ phase }) => phase !== 'ended');
    ok(open.length <= 1, 'no two at once');
  }

  /** As a process does, which may end, lose answers, or stand still at one of its writes. */
  async visit({ fault, writes }: Visit): Promise<void> {
    const fuse = new Fuse();
    if (fault !== 'none') fuse.burnAfter(writes, fault);
    const process = new AbortController();
    this.#numbers += 1;
    const parts = {
      catalog: fuse.guard(harness.catalog),
      loads: fuse.guard(harness.tables),
      clock: this.clock,
      unique: () => `${this.key.configurationId}-${this.#numbers}`,
      observer: new ToldOfSchedules(),
      openJobs: () => 0,
    };
    const id = configurationDocumentId(this.key);
    const done = keepSchedule(parts, id, { signal: process.signal }).catch(() => undefined);
    let isDone = false;
    void done.then(() => (isDone = true));
    const isBurnt = await fuse.burntOrQuiet(done, () => Promise.resolve(isDone));
    if (isBurnt && fault === 'silence') process.abort();
    if (isBurnt && fault === 'pause') this.paused.push({ fuse, done });
    else await done;
  }

  async endJobs(): Promise<void> {
    for (const { jobId } of await this.jobs()) {
      const change = (before: Job | undefined): Job | undefined =>
        before === undefined || before.phase === 'ended'
          ? undefined
          : {
              ...before,
              phase: 'ended',
              status: 'success',
              endedAt: new Date(this.clock.now()).toISOString(),
              result: { message: '', tables: [], variables: [] },
            };
      await changeDocument<Job>(harness.catalog, { kind: jobDocuments, id: jobDocumentId(jobId), change }, never);
    }
  }

  /** Those that stood still go on, and whoever is left does the rest. */
  async settle(): Promise<void> {
    for (const { fuse, done } of this.paused) {
      fuse.release();
      await done;
    }
    this.clock.advance(200 * minuteMs);
    for (let round = 0; round < 3; round += 1) {
      await this.endJobs();
      await this.visit({ fault: 'none', writes: 0 });
    }
  }

  async jobs(): Promise<readonly Job[]> {
    const found: Job[] = [];
    for await (const job of eachJob(harness.catalog, { from: this.#first }, never))
      if (job.request.configurationId === this.key.configurationId) found.push(job);
    return found;
  }

  async schedule(): Promise<Schedule> {
    const place = { kind: scheduleDocuments, id: configurationDocumentId(this.key) };
    const found = await readDocument(harness.catalog, place, never);
    if (found === undefined) throw new Error('the schedule is gone');
    return found.value;
  }
}

function plannedUntil(schedule: Schedule): readonly string[] {
  const times = CronTimes.of(schedule);
  const all: string[] = [];
  const until = Date.parse(schedule.decidedUntil);
  for (let next = times.after(start); next !== undefined && next <= until; next = times.after(next))
    all.push(new Date(next).toISOString());
  return all;
}

test('S3, S4, S5: a planned time has one job, or is told as one that has none, whoever ends where', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 25 }), async (commands) => {
      const world = new World();
      await world.begin();
      for (const next of commands) await world.do(next);
      await world.settle();
      const schedule = await world.schedule();
      const planned = plannedUntil(schedule);
      const run = (await world.jobs()).map(({ request }) => request.scheduledFor ?? '');
      expect(new Set(run).size, 'never twice').toBe(run.length);
      expect(run.filter((time) => !planned.includes(time))).toEqual([]);
      expect(run.length + schedule.missed, 'never lost').toBe(planned.length);
      // None was decided on where the clock ended before the first.
      expect(schedule.lastRun?.isMade ?? planned.length === 0).toBe(true);
    }),
    { numRuns: 40 },
  );
});
