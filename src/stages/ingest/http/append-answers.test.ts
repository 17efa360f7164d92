import { expect, test } from 'vitest';
import { MillraceError } from '../../../core/millrace-error.ts';
import type { BranchId } from '../../../core/ids.ts';
import { startIngest, testSource, until, type IngestHarness } from '../../../../test/support/ingest-harness.ts';
import { acceptDefaults, appendGraceMs } from '../accept/accept-limits.ts';

const refused = new MillraceError('log.refused', 'too few replicas');
const unclear = new MillraceError('log.unavailable', 'no answer');
const topic = 'source.1.orders';

function post(ingest: IngestHarness, query = ''): Promise<Response> {
  return fetch(`${ingest.url}${ingest.path}${query}`, { method: 'POST', body: '{}' });
}

test.each([
  ['log.refused', 'no', 'logUnavailable'],
  ['log.topicNotFound', 'no', 'logUnavailable'],
  ['log.unavailable', 'maybe', 'logUnavailable'],
  ['log.diskFull', 'no', 'diskFull'],
  ['log.full', 'maybe', 'storageFull'],
] as const)(
  'D1: after %s the answer is 503 with Retry-After and says whether it was stored: %s',
  async (code, stored, error) => {
    await using ingest = await startIngest();
    ingest.log.refuseWith(new MillraceError(code, 'it failed'));
    const answer = await post(ingest);
    expect([answer.status, answer.headers.has('retry-after')]).toEqual([503, true]);
    expect(await answer.json()).toMatchObject({ error: `stream.in.${error}`, stored });
  },
);

test('D1: with several sources the answer says of each whether it was stored', async () => {
  const names = ['source.1.orders', 'source.2.orders', 'source.3.orders'];
  const sources = names.map((name, index) => {
    const { key } = testSource();
    return testSource({ key: { ...key, branchId: (index + 1) as BranchId }, topic: name });
  });
  await using ingest = await startIngest(sources);
  ingest.log.refuseWith(refused, { topic: 'source.2.orders', partition: 0 });
  ingest.log.refuseWith(unclear, { topic: 'source.3.orders', partition: 0 });
  const answer = await post(ingest);
  const { sources: told } = (await answer.json()) as { readonly sources: readonly object[] };
  expect(answer.status).toBe(503);
  expect(told[0]).toMatchObject({ statusCode: 200, message: 'stored' });
  expect(told[1]).toMatchObject({ statusCode: 503, stored: 'no', events: [] });
  expect(told[2]).toMatchObject({ statusCode: 503, stored: 'maybe', events: [] });
});

test.each(['', '?verbose=true'])(
  'D1, D8: a log that says nothing is waited for until the deadline, then it is unclear: %j',
  async (query) => {
    await using ingest = await startIngest();
    ingest.log.hold();
    const answering = post(ingest, query);
    await until(() => ingest.records().length === 1);
    ingest.clock.time += acceptDefaults.appendTimeoutMs + appendGraceMs;
    ingest.clock.wakeAll();
    const answer = await answering;
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(JSON.stringify(await answer.json())).toContain('"stored":"maybe"');
    ingest.log.release();
    await until(() => ingest.service.load().requests === 0);
    expect(ingest.service.load().bytes).toBe(0);
  },
);

test('D1: what one partition did not take goes to another; what may be stored does not', async () => {
  await using ingest = await startIngest([testSource({ partitions: 2 })]);
  ingest.log.refuseWith(refused, { topic, partition: 0 });
  const answers = [await post(ingest), await post(ingest), await post(ingest, '?batch=lines')];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(ingest.records(topic, 1)).toHaveLength(3);
  ingest.log.refuseWith(undefined, { topic, partition: 0 });
  ingest.log.refuseWith(unclear, { topic, partition: 1 });
  expect((await post(ingest)).status).toBe(503);
  expect(ingest.records(topic, 0)).toEqual([]);
});

test.each([true, false])(
  'D8: while all partitions refuse a request is refused at once, not accepted: wait %j',
  async (syncWait) => {
    await using ingest = await startIngest([testSource({ partitions: 2, syncWait })]);
    for (const partition of [0, 1]) ingest.log.setCondition({ topic, partition }, 'refusing');
    const answers = [await post(ingest), await post(ingest, '?batch=lines')];
    for (const answer of answers) {
      expect(answer.status).toBe(503);
      expect(await answer.text()).toContain('"stored":');
    }
    expect([...ingest.records(topic, 0), ...ingest.records(topic, 1)]).toEqual([]);
    expect(ingest.service.load().bytes).toBe(0);
  },
);

test.each([
  ['before its events go to the log', 'batch', 'no', 0],
  ['once they went there', 'syncWait', 'maybe', 1],
] as const)('D1: a defect of ours is answered with 500, and says what is known of the events: %s', async (...given) => {
  const [, broken, stored, count] = given;
  const source = testSource();
  Object.defineProperty(source, broken, {
    get: () => {
      throw new Error('a defect');
    },
  });
  await using ingest = await startIngest([source]);
  const answer = await post(ingest);
  expect(answer.status).toBe(500);
  expect(await answer.json()).toMatchObject({ error: 'stream.in.internalError', stored });
  expect(ingest.records()).toHaveLength(count);
});
