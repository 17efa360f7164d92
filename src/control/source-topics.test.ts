import { afterEach, beforeEach, expect, test } from 'vitest';
import { startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { handOutUpTo } from '../../test/support/hand-out.ts';
import { systemClock } from '../runtime/system-clock.ts';
import type { Clock } from '../core/clock.ts';
import { sourceDocumentId } from '../documents/document-id.ts';
import { sourceDocuments } from '../documents/source-document.ts';
import { defaultBranch, parseSourceId } from '../core/ids.ts';
import type { Source } from '../core/source.ts';

const S = '/v1/branches/default/sources';
const never = { signal: new AbortController().signal };

let harness: AdminHarness;

beforeEach(async () => {
  // What the process does every ten minutes it does at once.
  const sleep: Clock['sleep'] = (ms, options) => systemClock.sleep(ms > 60_000 ? 20 : ms, options);
  harness = await startAdmin((dependencies) => ({
    ...dependencies,
    clock: { now: () => systemClock.now(), monotonic: () => systemClock.monotonic(), sleep },
  }));
});

afterEach(() => harness[Symbol.asyncDispose]());

async function sourceDocument(): Promise<Source> {
  const id = sourceDocumentId({ branchId: defaultBranch, sourceId: parseSourceId('shop') });
  return sourceDocuments.parse((await harness.dependencies.catalog.get('source', id, never))?.value);
}

test('a source that is made again names the topics of its earlier existences, which are to be removed', async () => {
  const { sourceLog } = harness.dependencies;
  const topics: { readonly name: string; readonly identity: string }[] = [];
  for (let existence = 0; existence < 3; existence += 1) {
    if (existence > 0) await harness.api.task('DELETE', `${S}/shop`);
    await harness.api.task('POST', S, { type: 'http', name: 'Shop', sourceId: 'shop' });
    const { topic, topicIdentity, retired = [] } = await sourceDocument();
    expect(retired).toEqual(topics);
    topics.push({ name: topic, identity: topicIdentity });
  }
  expect(await sourceLog.listTopics('source.', never)).toEqual(topics.map(({ name }) => name).toSorted());
});

test('the topic of a source that was not made after all goes at a start; one with records, or without a number, stays', async () => {
  const { catalog, sourceLog } = harness.dependencies;
  await handOutUpTo(catalog, 71);
  for (const name of ['source.1.shop', 'source.1.shop.70', 'source.1.shop.71'])
    await sourceLog.createTopic({ name, partitions: 1 }, never);
  const record = { value: Buffer.from('{}'), headers: [], timestamp: 1 };
  await sourceLog.append({ topic: 'source.1.shop.71', partition: 0 }, [record], never);
  await harness.restart();
  expect(await sourceLog.listTopics('source.', never)).toEqual(['source.1.shop', 'source.1.shop.71']);
});

test('the topic of a source that was not made after all goes while the process runs, but not while one is made', async () => {
  const { catalog, sourceLog } = harness.dependencies;
  await handOutUpTo(catalog, 70);
  await sourceLog.createTopic({ name: 'source.1.shop.70', partitions: 1 }, never);
  const names = Array.from({ length: 20 }, (_, index) => `s${index}`);
  for (const name of names) {
    await harness.api.task('POST', S, { type: 'http', name });
    await harness.api.task('DELETE', `${S}/${name}`);
    await harness.api.task('PUT', `${S}/${name}/undelete`);
  }
  const left = (): Promise<readonly string[]> => sourceLog.listTopics('source.', never);
  await expect.poll(left, { interval: 20 }).not.toContain('source.1.shop.70');
  expect(await left()).toHaveLength(2 * names.length);
});

test('A62: a source has the partitions that it asks for, and has as many again when it comes back', async () => {
  const { sourceLog } = harness.dependencies;
  const partitionsOf = async (): Promise<readonly unknown[]> => {
    const { topic, partitions } = await sourceDocument();
    const shown = await harness.api.call<{ partitions: number }>('GET', `${S}/shop`);
    return [topic, partitions, shown.partitions, (await sourceLog.ranges(topic, never)).length];
  };
  const body = { type: 'http', name: 'Shop', sourceId: 'shop' };
  // It is empty, and has not as many.
  await sourceLog.createTopic({ name: 'source.1.shop', partitions: 2 }, never);
  await harness.api.task('POST', S, { ...body, partitions: 3 });
  const [topic, ...three] = await partitionsOf();
  expect(three).toEqual([3, 3, 3]);
  expect(topic).toMatch(/^source\.1\.shop\.\d+$/);
  await harness.api.task('DELETE', `${S}/shop`);
  await harness.api.task('PUT', `${S}/shop/undelete`);
  expect((await partitionsOf()).slice(1)).toEqual([3, 3, 3]);
  await harness.api.task('DELETE', `${S}/shop`);
  await harness.api.task('POST', S, body);
  expect((await partitionsOf()).slice(1)).toEqual([1, 1, 1]);
  for (const partitions of [0, 257, 1.5, '2'])
    await expect(harness.api.call('POST', S, { ...body, sourceId: 'other', partitions })).rejects.toThrow('partitions');
});
