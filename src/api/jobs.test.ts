import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { startJobsApi, type JobsApi, type ShownJob } from '../../test/support/jobs-api.ts';
import { anyText, matching } from '../../test/support/matching.ts';
import { PlayingWorker } from '../../test/support/playing-worker.ts';
import { limits } from '../core/limits.ts';
import { workerGoneMs, workerMissedMs } from '../core/workforce.ts';
import { systemClock } from '../runtime/system-clock.ts';
import { WorkerPresence } from '../stages/work/worker-presence.ts';

let harness: AdminHarness;
let worker: PlayingWorker;
let create: JobsApi['create'];

beforeEach(async () => {
  ({ harness, worker, create } = await startJobsApi());
});

afterEach(() => harness[Symbol.asyncDispose]());

const signal = new AbortController().signal;
const call = (method: string, path: string, body?: object) => harness.api.request(method, path, body);
const get = (id: string) => harness.api.call<ShownJob>('GET', `/jobs/${id}`);
const loadOf = (id: string) => harness.dependencies.loads.readLoad(`job/${id}`, { signal });

describe('J1: POST /jobs', () => {
  test('the body of the seed makes a job, which is `processing` until it ends', async () => {
    const answer = await call('POST', '/jobs', {
      component: 'generic-extractor',
      config: 'shop',
      mode: 'run',
      variableValuesData: { values: [{ name: 'vendor', value: 'abc' }] },
    });
    expect(answer.status).toBe(201);
    const { id } = answer.body as ShownJob;
    expect(answer.body).toMatchObject({
      id: anyText,
      runId: id,
      parentRunId: '',
      project: { id: '7' },
      token: { id: '1', description: 'root token' },
      status: 'processing',
      phase: 'created',
      desiredStatus: 'processing',
      mode: 'run',
      component: 'generic-extractor',
      config: 'shop',
      configData: {},
      configRowIds: [],
      tag: null,
      createdTime: matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
      startTime: null,
      endTime: null,
      durationSeconds: 0,
      result: {},
      isFinished: false,
      url: `${harness.base}/jobs/${id}`,
      branchId: '1',
      variableValuesData: { values: [{ name: 'vendor', value: 'abc' }] },
      parallelism: null,
      type: 'standard',
    });
    expect(await get(id)).toEqual(answer.body);
    const running = await worker.take(id);
    expect(await get(id)).toMatchObject({ status: 'processing', phase: 'running', attempt: 1, isFinished: false });
    const tables = [{ tableId: 'in.c-shop.users', columns: ['id', 'name'], rows: 2, bytes: 40 }];
    const variables = [{ name: 'vendor', value: 'abc' }];
    const message = 'Component processing finished.';
    await worker.end(running, { result: { message, configurationVersion: 3, tables, variables } });
    expect(await get(id)).toMatchObject({
      status: 'success',
      phase: 'ended',
      isFinished: true,
      endTime: matching(/\+00:00$/),
      result: {
        message,
        configVersion: '3',
        images: [],
        input: { tables: [] },
        output: {
          tables: [
            { id: 'in.c-shop.users', name: 'users', displayName: 'users', columns: [{ name: 'id' }, { name: 'name' }] },
          ],
        },
        variables,
      },
      metrics: { storage: { inputTablesBytesSum: 0, outputTablesBytesSum: 40 } },
    });
  });

  test('its ledger row stands before it can be seen', async () => {
    const { id } = await create();
    expect(await loadOf(id)).toEqual({ verdict: 'open', note: '' });
  });

  test('a job that failed says why, and under which id the log knows more', async () => {
    const { id } = await create();
    const error = { type: 'user', exceptionId: 'x-1' } as const;
    const result = { message: 'No value provided for variable "x".', tables: [], variables: [], error };
    await worker.end(await worker.take(id), { status: 'error', result });
    expect(await get(id)).toMatchObject({ status: 'error', result: { message: result.message, error } });
  });

  test('values that are no text become text', async () => {
    const values = [
      { name: 'count', value: 17 },
      { name: 'ratio', value: 0.5 },
      { name: 'on', value: true },
      { name: 'off', value: false },
    ];
    const { variableValuesData } = await create({ variableValuesData: { values } });
    expect(variableValuesData).toEqual({
      values: [
        { name: 'count', value: '17' },
        { name: 'ratio', value: '0.5' },
        { name: 'on', value: '1' },
        { name: 'off', value: '' },
      ],
    });
  });

  test('ids of the reference and ids that are numbers are understood', async () => {
    const answer = await create({
      component: 'keboola.ex-generic-v2',
      configRowIds: [1, 'two'],
      branchId: 1,
      tag: '1.0',
    });
    expect(answer).toMatchObject({ component: 'generic-extractor', configRowIds: ['1', 'two'], tag: '1.0' });
  });

  test('a configuration may come with the job, and is shown as it came', async () => {
    const configData = { parameters: { api: { baseUrl: 'https://example.test/' } } };
    const { id } = await create({ config: undefined, configData });
    expect(await get(id)).toMatchObject({ config: null, configData });
    expect(await create({ config: 'not-stored', configData })).toMatchObject({ config: 'not-stored', configData });
  });

  test('a run that was started by another has its run id in front', async () => {
    const response = await fetch(`${harness.base}/jobs`, {
      method: 'POST',
      headers: {
        'X-StorageApi-Token': 'root-token-of-the-test',
        'X-KBC-RunId': '11.12',
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ component: 'generic-extractor', config: 'shop' }),
    });
    const job = (await response.json()) as ShownJob;
    expect(job).toMatchObject({ runId: `11.12.${job.id}`, parentRunId: '11.12' });
  });

  test('a delay is the time before which it does not start', async () => {
    const before = Date.now();
    const { delayedStartTime } = await create({ delay: 3600 });
    expect(Date.parse(String(delayedStartTime)) - before).toBeGreaterThan(3_598_000);
    expect(await create({ delayedStartTime: '2026-11-21T18:00:00+01:00' })).toMatchObject({
      delayedStartTime: '2026-11-21T17:00:00+00:00',
    });
  });

  test.each([
    [{ component: 'nothing' }, 'Cannot resolve job parameters: Component "nothing" not found'],
    [{ component: 'keboola.variables', config: 'v' }, 'The component "variables" is not runnable.'],
    [{ config: 'gone' }, 'Cannot resolve job parameters: Configuration "gone" not found'],
    [{ config: '1/x' }, 'Cannot resolve job parameters: Configuration "1/x" not found'],
    [{ config: null }, 'Cannot create job: "config" or "configData" must be given.'],
    [{ config: 'off' }, 'Configuration "off" of component "generic-extractor" is disabled.'],
    [{ mode: 'fast' }, 'Mode must be one of "run", "forceRun" or "debug".'],
    [
      { variableValuesId: '1', variableValuesData: { values: [{ name: 'a', value: 'b' }] } },
      'Provide either "variableValuesId" or "variableValuesData", but not both.',
    ],
    [{ variableValuesData: { values: [{ name: '', value: 'b' }] } }, 'Variable name cannot be empty.'],
    [{ delay: 1, delayedStartTime: '2026-11-21' }, 'Provide either "delay" or "delayedStartTime", but not both.'],
    [{ delay: 40_000_000 }, 'Cannot create job: it is to start in more than 366 days.'],
    [{ parallelism: 5 }, 'Cannot create job: "parallelism" is not offered; leave it out.'],
    [{ backend: { type: 'large' } }, 'Cannot create job: "backend" is not offered; leave it out.'],
  ])('%j is refused with the text of the reference', async (body, text) => {
    const answer = await call('POST', '/jobs', { component: 'generic-extractor', config: 'shop', ...body });
    expect(answer.body).toEqual({
      error: text,
      code: 400,
      exceptionId: anyText,
      status: 'error',
      context: { errorCode: anyText },
    });
    expect(answer.status).toBe(400);
    expect(await harness.api.call('GET', '/jobs')).toEqual([]);
  });

  test('what means nothing is as good as left out', async () => {
    const nothing = { parallelism: null, backend: { type: null }, behavior: { onError: null }, previousJobId: '' };
    await expect(create({ ...nothing, configData: [], variableValuesData: { values: [] } })).resolves.toBeDefined();
    await expect(create({ variableValuesId: 'row', variableValuesData: { values: [] } })).resolves.toMatchObject({
      variableValuesId: 'row',
    });
  });

  test('an unknown root of a configuration is named with those that there are', async () => {
    const { status, body } = await call('POST', '/jobs', {
      component: 'generic-extractor',
      configData: { parameters: {}, foo: 1 },
    });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      error: matching(
        /^Invalid configuration: Unrecognized option "foo" under "configuration". Available options are "parameters", "runtime", .*"artifacts"\.$/,
      ),
    });
  });

  test('a disabled configuration runs when that is what was asked for', async () => {
    expect(await create({ config: 'off', mode: 'forceRun' })).toMatchObject({ mode: 'forceRun' });
  });

  test('D8: what a job is asked with is bounded', async () => {
    const configData = { parameters: { text: 'x'.repeat(limits.jobRequestBytes) } };
    const { status, body } = await call('POST', '/jobs', { component: 'generic-extractor', configData });
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: matching(/^Cannot create job: it has \d+ bytes .* the maximum is 262144;/) });
  });
});

describe('J1: a product without anybody who runs jobs', () => {
  const configData = { parameters: { api: { baseUrl: 'https://example.com' } } };
  const body = { component: 'generic-extractor', configData };
  const refusal = { error: matching(/^Cannot create job: no process of this product runs jobs, nor did one /) };
  let ahead = 0;
  const elsewhere = (runsJobs: 'others' | 'nowhere'): Promise<AdminHarness> => {
    ahead = 0;
    return startAdmin((given) => ({
      ...given,
      runsJobs,
      clock: { ...systemClock, now: () => systemClock.now() + ahead },
    }));
  };
  const present = ({ dependencies: { catalog } }: AdminHarness): WorkerPresence =>
    new WorkerPresence({ catalog, clock: systemClock, member: 'worker-1' });
  const comes = async (harnessed: AdminHarness): Promise<void> => {
    const worker = present(harnessed);
    worker.here({ signal });
    await worker.settled();
  };

  test.each(['others', 'nowhere'] as const)('refuses them in words, and makes none: %s', async (runsJobs) => {
    await using idle = await elsewhere(runsJobs);
    const answer = await idle.api.request('POST', '/jobs', body);
    expect(answer).toMatchObject({ status: 400, body: refusal });
    expect((await idle.api.request('GET', '/search/jobs')).body).toEqual([]);
  });

  test('takes them while somebody says so in the catalog, for an hour after that saying that nobody does, and then no more', async () => {
    await using idle = await elsewhere('others');
    await comes(idle);
    expect(await idle.api.call('POST', '/jobs', body)).toMatchObject({ phase: 'created', heldUp: null });
    ahead = workerGoneMs + 1000;
    const heldUp = matching(/^No process runs jobs at present: /);
    const { id } = await idle.api.call<ShownJob>('POST', '/jobs', body);
    expect(await idle.api.call('GET', `/jobs/${id}`)).toMatchObject({ phase: 'created', heldUp });
    expect(await idle.api.call('GET', '/jobs')).toMatchObject([{ heldUp }, { heldUp }]);
    await new PlayingWorker(idle).take(id);
    expect(await idle.api.call('GET', '/jobs')).toMatchObject([{ heldUp: null }, { heldUp }]);
    ahead = workerMissedMs + 1000;
    expect(await idle.api.request('POST', '/jobs', body)).toMatchObject({ status: 400, body: refusal });
    ahead = 0;
    await comes(idle);
    expect(await idle.api.call('POST', '/jobs', body)).toMatchObject({ heldUp: null });
  });
});

describe('J5: GET /jobs/{jobId}', () => {
  test.each(['999', '0', '01', 'x', '1e1', '9'.repeat(16)])('%s is no job', async (id) => {
    const { status, body } = await call('GET', `/jobs/${id}`);
    expect(status).toBe(404);
    expect(body).toMatchObject({ error: `Job "${id}" not found`, code: 404, exceptionId: anyText, status: 'error' });
  });
});

describe('J12: how far a job is', () => {
  test('is what its run has written down last, and stays when it has ended', async () => {
    const { id, progress } = await create();
    expect(progress).toBeNull();
    const running = await worker.take(id);
    expect(await get(id)).toMatchObject({ progress: null });
    await worker.reach(running, { pages: 3, rows: 250, bytes: 7000 }, '2026-01-01T00:01:00.900Z');
    const shown = { pages: 3, rows: 250, bytes: 7000, time: '2026-01-01T00:01:00+00:00' };
    expect(await get(id)).toMatchObject({ progress: shown });
    expect(await harness.api.call('GET', '/jobs')).toMatchObject([{ progress: shown }]);
    await worker.end(running);
    expect(await get(id)).toMatchObject({ progress: shown });
  });

  test('of an earlier run is not shown of the next one', async () => {
    const { id } = await create();
    await worker.reach(await worker.take(id), { pages: 3, rows: 250, bytes: 7000 }, '2026-01-01T00:01:00.900Z');
    await worker.take(id);
    expect(await get(id)).toMatchObject({ attempt: 2, progress: null });
  });
});

describe('J6: POST /jobs/{jobId}/kill', () => {
  test('a job that never ran is cancelled, and can load nothing any more', async () => {
    const { id } = await create();
    const { status, body } = await call('POST', `/jobs/${id}/kill`);
    expect(status).toBe(202);
    expect(body).toMatchObject({ status: 'cancelled', phase: 'ended', desiredStatus: 'terminating', isFinished: true });
    expect(await loadOf(id)).toMatchObject({ verdict: 'abandoned' });
    await expect(worker.take(id)).rejects.toThrow('is ended');
  });

  test('a job that runs is asked to end, as often as somebody wants, and who runs it decides how it ended', async () => {
    const { id } = await create();
    const running = await worker.take(id);
    for (let times = 0; times < 2; times += 1)
      expect(await harness.api.call('POST', `/jobs/${id}/kill`)).toMatchObject({
        status: 'processing',
        phase: 'terminating',
        desiredStatus: 'terminating',
      });
    expect(await loadOf(id)).toMatchObject({ verdict: 'open' });
    await worker.end(running, { status: 'terminated' });
    expect(await get(id)).toMatchObject({ status: 'terminated' });
  });

  test('a job that has ended is not killed', async () => {
    const { id } = await create();
    await worker.end(await worker.take(id));
    expect(await call('POST', `/jobs/${id}/kill`)).toMatchObject({
      status: 400,
      body: { error: `Job "${id}" cannot be killed, it has ended: "success"` },
    });
    expect((await call('POST', '/jobs/999/kill')).status).toBe(404);
  });
});
