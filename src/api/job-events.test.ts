import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AdminHarness } from '../../test/support/admin-harness.ts';
import { startJobsApi, type JobsApi, type ShownJob } from '../../test/support/jobs-api.ts';
import { anyText, matching } from '../../test/support/matching.ts';
import type { PlayingWorker } from '../../test/support/playing-worker.ts';

let harness: AdminHarness;
let worker: PlayingWorker;
let create: JobsApi['create'];

beforeEach(async () => {
  ({ harness, worker, create } = await startJobsApi());
});

afterEach(() => harness[Symbol.asyncDispose]());

describe('J8: GET /v2/storage/events', () => {
  interface Event {
    readonly id: string;
    readonly message: string;
  }
  const events = (query = '') => harness.api.call<Event[]>('GET', `/v2/storage/events?${query}`);
  const messages = async (query?: string) => (await events(query)).map(({ message }) => message);

  test('shows the lines of logs, the newest first', async () => {
    const { id } = await create();
    await worker.take(id);
    await worker.say(id, 'info', 'one', 'two', 'THREE');
    const [last] = await events(`runId=${id}`);
    expect(last).toMatchObject({
      uuid: anyText,
      event: 'ext.generic-extractor',
      component: 'generic-extractor',
      configurationId: 'shop',
      message: 'THREE',
      type: 'info',
      runId: id,
      params: { jobId: id },
      token: { id: '1', name: 'root token' },
    });
    expect(await messages()).toEqual(['THREE', 'two', 'one']);
    expect(await messages('limit=1&offset=1')).toEqual(['two']);
    expect(await messages('q=three')).toEqual(['THREE']);
    const [, two, one] = await events();
    expect(await messages(`sinceId=${one?.id}`)).toEqual(['THREE', 'two']);
    expect(await messages(`maxId=${two?.id}`)).toEqual(['one']);
    expect(await messages(`sinceId=${one?.id}&maxId=${last?.id}`)).toEqual(['two']);
  });

  test('those of other runs are others, and those that a run has started are its own', async () => {
    const { id: parent } = await create();
    const child = await fetch(`${harness.base}/jobs`, {
      method: 'POST',
      headers: {
        'X-StorageApi-Token': 'root-token-of-the-test',
        'X-KBC-RunId': parent,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ component: 'generic-extractor', configData: { parameters: {} } }),
    });
    const { id: childId } = (await child.json()) as ShownJob;
    const { id: other } = await create();
    for (const id of [parent, childId, other]) await worker.say(id, 'info', `job ${id}`);
    await worker.say(parent, 'warn', 'the end');
    expect(await messages(`runId=${parent}`)).toEqual(['the end', `job ${childId}`, `job ${parent}`]);
    expect(await messages(`runId=${parent}.${childId}`)).toEqual([`job ${childId}`]);
    expect(await messages('')).toEqual(['the end', `job ${other}`, `job ${childId}`, `job ${parent}`]);
    expect(await messages('configurationId=shop&limit=2')).toEqual(['the end', `job ${other}`]);
    expect(await messages('component=variables')).toEqual([]);
    expect(await messages('component=ex-generic-v2&limit=1')).toEqual(['the end']);
    expect(await messages('runId=nobody')).toEqual([]);
  });

  test('the newest lines are found wherever they are, though a job began before another and ended after it', async () => {
    const [long, short] = [await create(), await create()];
    const [first, second] = [await worker.take(long.id), await worker.take(short.id)];
    await worker.say(long.id, 'info', 'long begins');
    await worker.say(short.id, 'info', 'short');
    await worker.end(second);
    await worker.say(long.id, 'info', 'long ends');
    await worker.end(first);
    expect(await messages('limit=2')).toEqual(['long ends', 'short']);
  });

  test('an id that is none is refused', async () => {
    expect(await harness.api.request('GET', '/v2/storage/events?sinceId=17')).toMatchObject({
      status: 400,
      body: {
        error: matching(/^"sinceId" must be the id of an event but got value "17"/),
        code: 'validation.invalidFormat',
      },
    });
  });
});
