import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hourly } from '../../../test/support/any-schedule.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { FakeClock } from '../../../test/support/fake-clock.ts';
import { ItemApi, itemConfiguration } from '../../../test/support/item-api.ts';
import { numbers, WorkHarness, type Worker } from '../../../test/support/work-harness.ts';
import { limits } from '../../core/limits.ts';
import { removeDocument } from '../../documents/change-document.ts';
import { auditDocuments } from '../../documents/audit-document.ts';
import { branchPrefix, jobDocumentId } from '../../documents/document-id.ts';
import { jobLoad } from '../../core/jobs/job-load.ts';
import { listDocuments } from '../../documents/list-documents.ts';

const never = { signal: new AbortController().signal };
const [minuteMs, hourMs] = [60_000, 3_600_000];
const begin = Date.parse('2026-01-01T00:30:00.000Z');

let api: ItemApi;
let harness: WorkHarness;
let clock: FakeClock;

beforeEach(async () => {
  [api, harness] = await Promise.all([ItemApi.open(25), WorkHarness.open()]);
  clock = new FakeClock(begin);
  await harness.configure('shop', itemConfiguration(api.url));
});

afterEach(async () => {
  await harness[Symbol.asyncDispose]();
  await api[Symbol.asyncDispose]();
});

/** Once a worker has looked at the clock as it is now, and is done with what it found. */
async function looked({ service }: Worker, rounds = 2): Promise<void> {
  const until = (service.current.rounds ?? 0) + rounds;
  await eventually(() => expect(service.current.rounds).toBeGreaterThanOrEqual(until));
}

/** So many jobs of schedules, all of them ended. */
function jobs(count: number) {
  return eventually(async () => {
    const found = await harness.scheduledJobs();
    expect(found.map(({ phase }) => phase)).toEqual(Array.from({ length: count }, () => 'ended'));
    return found;
  });
}

describe('a schedule', () => {
  test('S3: asks for the job when it is due, and the job says so', async () => {
    await harness.configure('names', { variables: [{ name: 'bucket', type: 'string' }] }, { componentId: 'variables' });
    const configuration = { ...itemConfiguration(api.url, { outputBucket: '{{ bucket }}' }), variables_id: 'names' };
    await harness.configure('shop', configuration);
    await harness.plan(
      hourly({ decidedUntil: new Date(begin).toISOString(), variableValues: [{ name: 'bucket', value: 'mine' }] }),
    );
    const worker = await harness.work({ clock });
    await looked(worker);
    expect(await harness.scheduledJobs()).toEqual([]);
    clock.advance(30 * minuteMs);
    const [job] = await jobs(1);
    const scheduledFor = '2026-01-01T01:00:00.000Z';
    expect(job).toMatchObject({
      status: 'success',
      created: { at: scheduledFor, by: { type: 'system', tokenDesc: 'schedule' } },
      request: { configurationId: 'shop', mode: 'run', scheduledFor },
      result: { tables: [{ tableId: 'in.c-mine.items', rows: 25 }] },
    });
    expect(await harness.cells('in.c-mine.items')).toEqual(numbers(25));
    const jobId = job?.jobId ?? '';
    expect(await harness.lines(jobId)).toContain(
      `info: The schedule of its configuration planned it for ${scheduledFor}.`,
    );
    expect(await harness.schedule(hourly())).toMatchObject({
      decidedUntil: scheduledFor,
      lastRun: { plannedFor: scheduledFor, jobId, isMade: true },
      missed: 0,
    });
    expect(harness.scheduled.decided).toEqual([{ jobId, plannedFor: Date.parse(scheduledFor), lateMs: 0 }]);
    const trail = await listDocuments(
      harness.catalog,
      { kind: auditDocuments, prefix: branchPrefix(hourly().branchId) },
      never,
    );
    expect(trail).toMatchObject([
      {
        operation: 'createJob',
        by: { type: 'system', tokenDesc: 'schedule' },
        object: { kind: 'job', jobId },
        outcome: 'success',
        after: { configurationId: 'shop', scheduledFor },
      },
    ]);
  });

  test('S4: skips what is due while its last job has not ended, and tells', async () => {
    const { reached, open } = api.hold();
    await harness.plan(hourly({ decidedUntil: new Date(begin).toISOString() }));
    await harness.work({ clock, timeoutMs: 24 * hourMs });
    clock.advance(30 * minuteMs);
    await reached;
    clock.advance(hourMs);
    await eventually(() =>
      expect(harness.scheduled.missed).toEqual([
        { count: 1, plannedFor: Date.parse('2026-01-01T02:00:00.000Z'), reason: 'stillRunning' },
      ]),
    );
    expect(await harness.schedule(hourly())).toMatchObject({
      missed: 1,
      lastMissed: { plannedFor: '2026-01-01T02:00:00.000Z', reason: 'stillRunning' },
    });
    open();
    await jobs(1);
    clock.advance(hourMs);
    expect((await jobs(2)).map(({ request }) => request.scheduledFor)).toEqual([
      '2026-01-01T01:00:00.000Z',
      '2026-01-01T03:00:00.000Z',
    ]);
  });

  test('S5: after a time in which nobody ran one late run is made, and the others are told', async () => {
    await harness.plan(hourly({ decidedUntil: '2025-12-31T20:30:00.000Z' }));
    await harness.work({ clock });
    const [job] = await jobs(1);
    expect(job?.request.scheduledFor).toBe('2026-01-01T00:00:00.000Z');
    expect(harness.scheduled.missed).toEqual([
      { count: 3, plannedFor: Date.parse('2025-12-31T23:00:00.000Z'), reason: 'nobodyRan' },
    ]);
    expect(harness.scheduled.decided).toMatchObject([{ lateMs: 30 * minuteMs }]);
    expect(await harness.schedule(hourly())).toMatchObject({ missed: 3, lastMissed: { reason: 'nobodyRan' } });
  });

  test('S5: years without anybody are counted as far as somebody wants to know', async () => {
    await harness.plan(hourly({ cron: '* * * * *', decidedUntil: '2020-01-01T00:00:00.000Z' }));
    await harness.work({ clock });
    expect((await jobs(1))[0]?.request.scheduledFor).toBe('2026-01-01T00:30:00.000Z');
    expect(harness.scheduled.missed).toEqual([
      { count: 1000, plannedFor: Date.parse('2026-01-01T00:29:00.000Z'), reason: 'nobodyRan' },
    ]);
  });

  test('S6: a clock that goes back runs nothing again, and what is planned goes on when it has caught up', async () => {
    await harness.plan(hourly({ decidedUntil: new Date(begin).toISOString() }));
    const worker = await harness.work({ clock });
    clock.advance(31 * minuteMs);
    await jobs(1);
    clock.jump(-hourMs);
    clock.advance(50 * minuteMs);
    await looked(worker);
    clock.advance(10 * minuteMs);
    await jobs(1);
    clock.advance(hourMs);
    expect((await jobs(2)).map(({ request }) => request.scheduledFor)).toEqual([
      '2026-01-01T01:00:00.000Z',
      '2026-01-01T02:00:00.000Z',
    ]);
    expect(harness.scheduled.missed).toEqual([]);
  });

  test('S6: a clock that was a year ahead does not stop it for a year', async () => {
    await harness.plan(hourly({ decidedUntil: '2027-01-01T00:00:00.000Z' }));
    await harness.work({ clock });
    await eventually(() => expect(harness.scheduled.wrongClocks).toBe(1));
    clock.advance(30 * minuteMs);
    expect((await jobs(1))[0]?.request.scheduledFor).toBe('2026-01-01T01:00:00.000Z');
  });

  /** Its first planned time passes while the configuration is so, the second when it is not any more. */
  async function passes(fields: Parameters<typeof harness.configure>[2]): Promise<void> {
    await harness.configure('shop', itemConfiguration(api.url), fields);
    await harness.plan(hourly({ decidedUntil: new Date(begin).toISOString() }));
    await harness.work({ clock });
    clock.advance(30 * minuteMs);
    await eventually(async () => {
      if ((await harness.schedule(hourly())).decidedUntil !== '2026-01-01T01:00:00.000Z') throw new Error('not yet');
    });
    await harness.configure('shop', itemConfiguration(api.url));
    clock.advance(hourMs);
  }

  test('S7: does nothing while its configuration is disabled, and makes nothing up for it', async () => {
    await passes({ isDisabled: true });
    expect((await jobs(1))[0]?.request.scheduledFor).toBe('2026-01-01T02:00:00.000Z');
    expect(harness.scheduled.missed).toEqual([]);
  });

  test('S7: does nothing while its configuration is deleted, and makes nothing up for it', async () => {
    await passes({ deleted: { at: '2026-01-01T00:00:00.000Z', by: { type: 'system' } } });
    expect((await jobs(1))[0]?.request.scheduledFor).toBe('2026-01-01T02:00:00.000Z');
    expect(harness.scheduled.missed).toEqual([]);
  });

  test('S7: that is not enabled does nothing', async () => {
    await harness.plan(hourly({ isEnabled: false }));
    const worker = await harness.work({ clock });
    clock.advance(hourMs);
    await looked(worker);
    expect(await harness.scheduledJobs()).toEqual([]);
  });
});

describe('a run that was decided on when its process ended', () => {
  const plannedFor = '2026-01-01T00:00:00.000Z';
  const decided = (jobId: string) =>
    hourly({ decidedUntil: plannedFor, lastRun: { plannedFor, at: '2026-01-01T00:00:01.000Z', jobId, isMade: false } });

  test('S3: is made by whoever comes next, under its number, also where its row was removed meanwhile', async () => {
    await harness.plan(decided('7'));
    await harness.work({ clock });
    const [job] = await jobs(1);
    expect(job).toMatchObject({ jobId: '7', status: 'success', request: { scheduledFor: plannedFor } });
    expect((await harness.schedule(hourly())).lastRun?.isMade).toBe(true);
  });

  test('S3: is not made again when its job is there', async () => {
    const jobId = await harness.ask({ configurationId: 'shop', scheduledFor: plannedFor });
    await harness.plan(decided(jobId));
    await harness.work({ clock });
    await jobs(1);
    await eventually(async () => expect((await harness.schedule(hourly())).lastRun?.isMade).toBe(true));
    expect(await harness.scheduledJobs()).toHaveLength(1);
  });

  test('S3: is not made again when its job has ended so long ago that it is gone', async () => {
    const jobId = await harness.ask({ configurationId: 'shop' });
    await harness.plan(decided(jobId));
    await harness.tables.forgetLoad(jobLoad(jobId), never);
    await removeDocument(harness.catalog, { collection: 'job', id: jobDocumentId(jobId) }, never);
    clock.jump(limits.jobAgeMs);
    await harness.work({ clock });
    await eventually(async () => expect((await harness.schedule(hourly())).lastRun?.isMade).toBe(true));
    expect((await harness.scheduledJobs()).map(({ request }) => request.scheduledFor)).not.toContain(plannedFor);
  });

  test('S3: is not made again when the ledger says that it was loaded, as after a restore of the catalog', async () => {
    await harness.tables.abandonLoad(jobLoad('7'), never);
    await harness.plan(decided('7'));
    await harness.work({ clock });
    await eventually(async () => expect((await harness.schedule(hourly())).lastRun?.isMade).toBe(true));
    expect(await harness.scheduledJobs()).toEqual([]);
  });
});

test('S3: of two workers one asks; when it is killed the other goes on', async () => {
  await harness.plan(hourly({ decidedUntil: new Date(begin).toISOString() }));
  const workers = [await harness.work({ clock }), await harness.work({ clock })];
  clock.advance(30 * minuteMs);
  await jobs(1);
  await workers[0]?.kill();
  clock.advance(hourMs);
  await jobs(2);
  await workers[1]?.kill();
  clock.advance(hourMs);
  await harness.work({ clock });
  expect((await jobs(3)).map(({ request }) => request.scheduledFor)).toEqual([
    '2026-01-01T01:00:00.000Z',
    '2026-01-01T02:00:00.000Z',
    '2026-01-01T03:00:00.000Z',
  ]);
});
