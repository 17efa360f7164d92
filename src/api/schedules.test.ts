import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { Api } from '../../test/support/api.ts';
import { FakeClock } from '../../test/support/fake-clock.ts';
import { makeScheduledJob } from '../../test/support/scheduled-job.ts';
import { storeConfiguration } from '../../test/support/stored-configuration.ts';
import { defaultBranch } from '../core/ids.ts';
import type { Schedule } from '../core/schedules/schedule.ts';
import { changeDocument } from '../documents/change-document.ts';
import { configurationDocumentId } from '../documents/document-id.ts';
import { scheduleDocuments } from '../documents/schedule-document.ts';
import { readDocument } from '../documents/read-document.ts';

const C = '/v2/storage/components/generic-extractor/configs';
const path = `${C}/shop/schedule`;
const key = { branchId: defaultBranch, componentId: 'generic-extractor', configurationId: 'shop' } as const;
const never = { signal: new AbortController().signal };

let harness: AdminHarness;
let clock: FakeClock;

beforeEach(async () => {
  clock = new FakeClock(Date.parse('2026-01-01T00:30:00.000Z'));
  harness = await startAdmin((dependencies) => ({ ...dependencies, clock }));
  const { catalog } = harness.dependencies;
  await storeConfiguration(catalog, { configurationId: 'shop' });
  await storeConfiguration(catalog, { configurationId: 'v', componentId: 'variables' });
});

afterEach(() => harness[Symbol.asyncDispose]());

const set = (body: object) => harness.api.request('PUT', path, body);
const get = () => harness.api.call<object>('GET', path);

/** As the role work leaves it. */
async function change(make: (schedule: Schedule) => Schedule): Promise<void> {
  const id = configurationDocumentId(key);
  const once = (found: Schedule | undefined): Schedule | undefined => found && make(found);
  await changeDocument<Schedule>(harness.dependencies.catalog, { kind: scheduleDocuments, id, change: once }, never);
}

async function stored(): Promise<Schedule | undefined> {
  const place = { kind: scheduleDocuments, id: configurationDocumentId(key) };
  return (await readDocument(harness.dependencies.catalog, place, never))?.value;
}

describe('S1: a schedule of a configuration', () => {
  test('is set, shown with its next run, changed and removed', async () => {
    expect(await harness.api.request('GET', path)).toMatchObject({
      status: 404,
      body: { error: 'Configuration "shop" has no schedule.', code: 'notFound' },
    });
    const values = [{ name: 'day', value: 'monday' }];
    const answer = await set({ cron: '0  3 * * MON-FRI ', timeZone: 'Europe/Prague', variableValuesData: { values } });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        cron: '0 3 * * MON-FRI',
        timeZone: 'Europe/Prague',
        isEnabled: true,
        variableValuesId: null,
        variableValuesData: { values },
        created: '2026-01-01T00:30:00+0000',
        creatorToken: { id: 1 },
        nextRun: '2026-01-01T02:00:00+0000',
        lastRun: null,
        missed: 0,
        lastMissed: null,
      },
    });
    expect(await get()).toEqual(answer.body);
    expect((await set({ cron: '0 4 * * *' })).body).toMatchObject({
      timeZone: 'UTC',
      variableValuesData: { values: [] },
      nextRun: '2026-01-01T04:00:00+0000',
    });
    expect((await set({ cron: '0 4 * * *', isEnabled: false })).body).toMatchObject({ nextRun: null });
    expect((await harness.api.request('DELETE', path)).status).toBe(204);
    expect((await harness.api.request('DELETE', path)).status).toBe(404);
  });

  test('shows its last run and what was missed', async () => {
    await set({ cron: '0 * * * *' });
    await change((schedule) => ({
      ...schedule,
      decidedUntil: '2026-01-01T03:00:00.000Z',
      lastRun: { plannedFor: '2026-01-01T02:00:00.000Z', at: '2026-01-01T02:00:01.000Z', jobId: '7', isMade: true },
      missed: 1,
      lastMissed: { plannedFor: '2026-01-01T03:00:00.000Z', at: '2026-01-01T03:00:02.000Z', reason: 'stillRunning' },
    }));
    expect(await get()).toMatchObject({
      nextRun: '2026-01-01T04:00:00+0000',
      lastRun: { plannedFor: '2026-01-01T02:00:00+0000', jobId: '7', at: '2026-01-01T02:00:01+0000' },
      missed: 1,
      lastMissed: { plannedFor: '2026-01-01T03:00:00+0000', reason: 'stillRunning' },
    });
  });

  test.each([
    [{ cron: '0 0 31 2 *' }, '"0 0 31 2 *" is never: no month has such a day'],
    [{ cron: '* * * *' }, '"* * * *" has 4 fields'],
    [{ cron: '0 3 * * *', timeZone: 'Prague' }, '"Prague" is no time zone'],
    [
      { cron: '0 3 * * *', variableValuesId: '1', variableValuesData: { values: [{ name: 'a', value: 'b' }] } },
      'Provide either "variableValuesId" or "variableValuesData", but not both.',
    ],
    [{}, '"cron" is missing'],
  ])('%j is refused with the rule', async (body, message) => {
    const answer = await set(body);
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body).replaceAll('\\"', '"')).toContain(message);
    expect(await stored()).toBeUndefined();
  });

  test('of what no job runs, and of what is not there, is refused', async () => {
    const body = { cron: '0 3 * * *' };
    expect(await harness.api.request('PUT', '/v2/storage/components/variables/configs/v/schedule', body)).toMatchObject(
      {
        status: 400,
        body: { error: expect.stringContaining('"variables" is not runnable') as string },
      },
    );
    expect((await harness.api.request('PUT', `${C}/none/schedule`, body)).status).toBe(404);
  });
});

describe('S5: what is planned begins when the schedule is set', () => {
  test('another expression, or one that is enabled again, makes up for nothing', async () => {
    await set({ cron: '0 * * * *', isEnabled: false });
    clock.advance(10 * 3_600_000);
    expect((await set({ cron: '0 * * * *' })).body).toMatchObject({ nextRun: '2026-01-01T11:00:00+0000' });
    clock.advance(5 * 3_600_000);
    expect((await set({ cron: '30 * * * *' })).body).toMatchObject({ nextRun: '2026-01-01T16:30:00+0000' });
  });

  test('the same again leaves what is due, and what is known of its runs', async () => {
    await set({ cron: '0 * * * *' });
    const lastRun = {
      plannedFor: '2026-01-01T01:00:00.000Z',
      at: '2026-01-01T01:00:00.000Z',
      jobId: '7',
      isMade: false,
    };
    await change((schedule) => ({ ...schedule, decidedUntil: lastRun.plannedFor, lastRun }));
    clock.advance(10 * 3_600_000);
    const values = [{ name: 'a', value: 'b' }];
    await set({ cron: '0 * * * *', variableValuesData: { values } });
    expect(await stored()).toMatchObject({ decidedUntil: lastRun.plannedFor, lastRun, variableValues: values });
  });
});

describe('S7: with its configuration', () => {
  test('it is not run while that is disabled, and comes back with a deleted one', async () => {
    await set({ cron: '0 * * * *' });
    await harness.api.call('PUT', `${C}/shop`, { isDisabled: true });
    expect(await get()).toMatchObject({ isEnabled: true, nextRun: null });
    await harness.api.request('DELETE', `${C}/shop`);
    expect((await harness.api.request('GET', path)).status).toBe(404);
    await harness.api.call('POST', `${C}/shop/restore`);
    expect(await get()).toMatchObject({ cron: '0 * * * *' });
  });

  test('it goes with one that is deleted for good, and one that takes the place of a deleted one has none', async () => {
    await set({ cron: '0 * * * *' });
    await harness.api.request('DELETE', `${C}/shop`);
    await harness.api.call('POST', C, { name: 'Another', configurationId: 'shop' });
    expect(await stored()).toBeUndefined();
    await set({ cron: '0 * * * *' });
    await harness.api.request('DELETE', `${C}/shop`);
    await harness.api.request('DELETE', `${C}/shop`);
    expect(await stored()).toBeUndefined();
  });
});

test('S9: a token sets the schedules of its component, and one that may only read sees them', async () => {
  const token = (body: object) => harness.api.call<{ token: string }>('POST', '/v2/storage/tokens', body);
  const own = new Api(harness.base, (await token({ componentAccess: ['generic-extractor'] })).token);
  const other = new Api(harness.base, (await token({ componentAccess: ['variables'] })).token);
  expect((await own.request('PUT', path, { cron: '0 * * * *' })).status).toBe(200);
  expect((await other.request('PUT', path, { cron: '0 * * * *' })).status).toBe(403);
  expect((await other.request('GET', path)).status).toBe(403);
});

test('S9: a job of a schedule says so', async () => {
  const jobId = await makeScheduledJob(harness.dependencies);
  expect(await harness.api.call('GET', `/jobs/${jobId}`)).toMatchObject({
    token: { id: '', description: 'schedule' },
    scheduledFor: '2026-01-01T02:00:00+00:00',
  });
});
