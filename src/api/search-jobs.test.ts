import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AdminHarness } from '../../test/support/admin-harness.ts';
import { startJobsApi, type JobsApi, type ShownJob } from '../../test/support/jobs-api.ts';
import { makeScheduledJob } from '../../test/support/scheduled-job.ts';
import type { PlayingWorker } from '../../test/support/playing-worker.ts';

let harness: AdminHarness;
let worker: PlayingWorker;
let create: JobsApi['create'];

beforeEach(async () => {
  ({ harness, worker, create } = await startJobsApi());
});

afterEach(() => harness[Symbol.asyncDispose]());

const search = async (query: string) =>
  (await harness.api.call<ShownJob[]>('GET', `/search/jobs?${query}`)).map(({ id }) => id);

describe('J7: GET /search/jobs', () => {
  test('lists the newest first, in pages, by what they are', async () => {
    const ids: string[] = [];
    for (const mode of ['run', 'debug', 'run', 'debug', 'run']) ids.push((await create({ mode })).id);
    const [a = '', b = '', c = '', d = '', e = ''] = ids;
    expect(await search('')).toEqual([e, d, c, b, a]);
    expect((await harness.api.call<ShownJob[]>('GET', '/jobs')).map(({ id }) => id)).toEqual([e, d, c, b, a]);
    expect(await search('limit=2&offset=1')).toEqual([d, c]);
    expect(await search('limit=2&offset=1&sortOrder=asc')).toEqual([b, c]);
    expect(await search('mode=debug')).toEqual([d, b]);
    expect(await search('mode=debug&limit=1&offset=1')).toEqual([b]);
    expect(await search(`id[]=${a}&id[]=${c}`)).toEqual([c, a]);
    expect(await search(`id=${a},${c}&sortOrder=asc`)).toEqual([a, c]);
    const running = await worker.take(b, '2036-01-01T00:00:00.000Z');
    await worker.end(running, { at: '2036-01-01T00:01:00.000Z' });
    await worker.take(d, '2036-01-02T00:00:00.000Z');
    await harness.api.call('POST', `/jobs/${d}/kill`);
    expect(await search('status=success')).toEqual([b]);
    expect(await search('status[]=processing')).toEqual([e, d, c, a]);
    expect(await search('status=terminating,success')).toEqual([d, b]);
    expect(await search('startTimeFrom=2036-01-01T12:00:00Z')).toEqual([d]);
    expect(await search('startTimeTo=2036-01-01T12:00:00%2B00:00')).toEqual([b]);
    expect(await search('endTimeFrom=2036-01-01')).toEqual([b]);
    expect(await search('durationSecondsFrom=60&durationSecondsTo=60')).toEqual([b]);
    expect(await search('sortBy=startTime&sortOrder=desc&limit=2')).toEqual([d, b]);
    expect(await search('component=keboola.ex-generic-v2&config=shop&limit=1')).toEqual([e]);
    expect(await search('config=other')).toEqual([]);
    expect(await search('type=container')).toEqual([]);
    expect(await search('tokenId=1&branchId=default&runId=' + c)).toEqual([c]);
  });

  test('lists those that a schedule asked for, or the others', async () => {
    const byHand = (await create()).id;
    const scheduled = await makeScheduledJob(harness.dependencies);
    expect(await search('')).toEqual([scheduled, byHand]);
    for (const yes of ['true', '1']) expect(await search(`isScheduled=${yes}`)).toEqual([scheduled]);
    for (const no of ['false', '0']) expect(await search(`isScheduled=${no}`)).toEqual([byHand]);
    expect(await search('isScheduled=true&config=other')).toEqual([]);
    expect((await harness.api.request('GET', '/search/jobs?isScheduled=maybe')).status).toBe(400);
  });

  test('more jobs than one page of the catalog are listed whole', async () => {
    const ids = await Promise.all(Array.from({ length: 230 }, async () => (await create()).id));
    const newest = ids
      .map(Number)
      .toSorted((one, other) => other - one)
      .map(String);
    expect(await search('limit=500')).toEqual(newest);
    expect(await search('limit=500&sortOrder=asc')).toEqual(newest.toReversed());
    expect(await search('limit=5&offset=200')).toEqual(newest.slice(200, 205));
  });

  test.each([
    ['limit=501', '"limit" must be lesser or equal than 500 but got value 501'],
    ['createdTimeFrom=yesterday', '"createdTimeFrom" must be a time as 2026-11-21T18:00:00Z but got value "yesterday"'],
  ])('%s is refused', async (query, error) => {
    expect(await harness.api.request('GET', `/search/jobs?${query}`)).toMatchObject({ status: 400, body: { error } });
  });
});
