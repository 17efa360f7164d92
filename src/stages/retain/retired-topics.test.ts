import { afterEach, beforeEach, expect, it } from 'vitest';
import { DeliveryWorld, never, source as topic, type WorldSink } from '../../../test/support/faults/delivery-world.ts';
import { Faults, type PortName } from '../../../test/support/faults/faults.ts';
import { addWorldSource } from '../../../test/support/faults/world-source.ts';
import { ownAllBut } from '../../../test/support/own-everything.ts';
import { endsAt } from '../../../test/support/progress-of.ts';
import { sourceDocumentId } from '../../documents/document-id.ts';
import { sourceDocuments } from '../../documents/source-document.ts';
import { defaultBranch, parseSourceId } from '../../core/ids.ts';
import { close } from '../../core/progress/switch.ts';
import { retiredTopics } from '../../core/retired-topic.ts';
import type { Source } from '../../core/source.ts';
import { sourceTopic } from '../../core/topic-name.ts';
import type { ClaimedStore } from '../../ports/claimable.ts';
import { Configuration } from '../replica/configuration.ts';
import { Retention } from './retention.ts';
import { RetiredTopics } from './retired-topics.ts';

const key = { branchId: defaultBranch, sourceId: parseSourceId('shop') };
const id = sourceDocumentId(key);
const later = sourceTopic(key, 7);

let world: DeliveryWorld;
let faults: Faults;
let removed: string[];
let kept: string[];
/** Stores that have the mark of another installation. */
let foreign: Set<ClaimedStore>;

beforeEach(async () => {
  world = await DeliveryWorld.open();
  faults = new Faults();
  [removed, kept, foreign] = [[], [], new Set()];
});

afterEach(async () => {
  await world[Symbol.asyncDispose]();
});

function stamp(at = world.clock.now()) {
  return { at: new Date(at).toISOString(), by: { type: 'system' } as const };
}

async function identityOf(name: string): Promise<string> {
  return (await world.ports.sourceLog.describeTopic(name, never))?.identity ?? 'none';
}

async function deleteSource(source: Source): Promise<Source> {
  const deleted: Source = { ...source, deleted: { ...stamp(), withSource: false } };
  await world.put('source', id, deleted);
  return deleted;
}

/** As creating under the id of a deleted source does, and undeleting it. */
async function makeAgain({ deleted: _, ...before }: Source): Promise<void> {
  await world.ports.sourceLog.createTopic({ name: later, partitions: 1 }, never);
  const retired = retiredTopics({ ...before, deleted: { ...stamp(), withSource: false } });
  const again = { topic: later, topicIdentity: await identityOf(later), incarnation: 7, retired };
  await world.put('source', id, { ...before, ...again });
}

async function closeSink(sink: WorldSink): Promise<void> {
  const { durable } = await world.ends();
  await world.change(sink, (progress) => {
    const ends = Object.keys(progress.entries).map(() => durable.get(0) ?? 0);
    return close(progress, endsAt(...ends), { deleted: true });
  });
}

async function loaded(): Promise<Configuration> {
  const configuration = new Configuration({ catalog: world.ports.catalog, onInvalid: () => undefined });
  await configuration.load(never);
  return configuration;
}

/** A round as a process that has just started makes it, or one that knows what it was told before. */
async function round(known?: Configuration): Promise<void> {
  const { catalog, sourceLog } = faults.behind(world.ports);
  const configuration = known ?? (await loaded());
  const observer = {
    sourceTopicRemoved: (_: unknown, name: string) => void removed.push(name),
    sourceTopicKept: (_: unknown, { code }: { readonly code: string }) => void kept.push(code),
  };
  const ownership = ownAllBut(foreign);
  await new RetiredTopics({ configuration, catalog, sourceLog, ownership, clock: world.clock, observer }).round(never);
}

async function found(): Promise<{ readonly topics: readonly string[]; readonly source: Source }> {
  const topics = await world.ports.sourceLog.listTopics('source.', never);
  return { topics, source: sourceDocuments.parse((await world.ports.catalog.get('source', id, never))?.value) };
}

it('D2: a topic stays while its log is not known to be of this installation, and goes once it is', async () => {
  await deleteSource(await addWorldSource(world));
  world.clock.advance(3_600_000);
  foreign.add('source-log');
  await round();
  expect((await found()).topics).toEqual([topic]);
  expect(kept).toEqual(['installation.foreign']);
  foreign.clear();
  await round();
  expect(removed).toEqual([topic]);
});

it('D2: the topic of a deleted source stays as long as an incarnation refers to it, and goes afterwards', async () => {
  const sink = await world.addSink();
  const source = await addWorldSource(world);
  await world.produce(10);
  await deleteSource(source);
  await closeSink(sink);
  world.clock.advance(3_600_000);
  await round();
  expect((await found()).topics).toEqual([topic]);
  const member = world.member('main');
  await member.start();
  await world.until(() => member.told.purged === 1);
  await round();
  expect((await found()).topics).toEqual([]);
  expect(await world.rows(sink)).toHaveLength(10);
  await round();
  expect([removed, kept]).toEqual([[topic], []]);
});

it('U2: the topic of a source stays that only a newer release may write, and of a sink that nobody here can read', async () => {
  const source = await deleteSource(await addWorldSource(world));
  const format = { version: 9, oldestWriter: 9 };
  world.clock.advance(3_600_000);
  await world.put('source', id, { ...source, format });
  await round();
  await world.put('source', id, source);
  for (const topics of [{}, { topics: { source: topic } }]) {
    await world.put('progress', 'newer', { ...topics, format });
    await round();
  }
  expect([removed, kept]).toEqual([[], Array.from({ length: 3 }, () => 'catalog.newerDocument')]);
  await world.put('progress', 'newer', { topics: { source: later }, format });
  await round();
  expect(removed).toEqual([topic]);
});

it('D2: a sink that this process has not heard of yet keeps the topic', async () => {
  await deleteSource(await addWorldSource(world));
  world.clock.advance(3_600_000);
  const known = await loaded();
  await world.addSink();
  await round(known);
  expect((await found()).topics).toEqual([topic]);
  expect(removed).toEqual([]);
});

it('a source that is not deleted keeps its topic, be it that it has no sink', async () => {
  await addWorldSource(world);
  world.clock.advance(3_600_000);
  await round();
  expect((await found()).topics).toEqual([topic]);
});

it('whoever still takes events for a source that was just deleted finds its topic', async () => {
  await deleteSource(await addWorldSource(world));
  await round();
  expect((await found()).topics).toEqual([topic]);
  world.clock.advance(10_000);
  await round();
  expect((await found()).topics).toEqual([]);
});

it('an event that arrives after the topic is gone is refused, and does not bring it back', async () => {
  await deleteSource(await addWorldSource(world));
  await world.produce(3);
  world.clock.advance(10_000);
  const before = world.ports.sourceLog;
  await round();
  const late = before.append({ topic, partition: 0 }, [{ value: Buffer.from('{}'), headers: [], timestamp: 1 }], never);
  await expect(late).rejects.toMatchObject({ code: 'log.topicNotFound' });
  expect((await found()).topics).toEqual([]);
});

it('the topic of an earlier existence goes when no sink needs it, that of the source that was made again stays', async () => {
  const sink = await world.addSink();
  const source = await addWorldSource(world);
  await world.produce(10);
  await closeSink(sink);
  await makeAgain(await deleteSource(source));
  await round();
  expect((await found()).topics).toEqual([topic, later]);
  const member = world.member('main');
  await member.start();
  await world.until(() => member.told.purged === 1);
  await round();
  expect(await found()).toMatchObject({ topics: [later], source: { topic: later, retired: [] } });
  expect(await world.rows(sink)).toHaveLength(10);
});

it('a source that is made again while its old topic is being removed keeps its own', async () => {
  const deleted = await deleteSource(await addWorldSource(world));
  world.clock.advance(10_000);
  faults.add({ port: 'sourceLog', method: 'describeTopic', kind: 'held' });
  const removing = round();
  await world.until(() => faults.struck === 1);
  await makeAgain(deleted);
  await faults.deliver();
  await removing;
  expect(await found()).toMatchObject({ topics: [later], source: { retired: [{ name: topic }] } });
  await round();
  expect(await found()).toMatchObject({ topics: [later], source: { retired: [] } });
});

it('a topic that was made anew under the name of an old one is not removed', async () => {
  const source = await addWorldSource(world);
  await makeAgain(await deleteSource(source));
  await world.ports.sourceLog.deleteTopic(topic, never);
  await world.ports.sourceLog.createTopic({ name: topic, partitions: 1 }, never);
  await round();
  expect(await found()).toMatchObject({ topics: [topic, later], source: { retired: [] } });
});

const calls: readonly (readonly [PortName, string])[] = [
  ['sourceLog', 'deleteTopic'],
  ['catalog', 'compareAndSet'],
];
it.each(calls.flatMap((call) => (['lostRequest', 'lostAnswer'] as const).map((kind) => [...call, kind] as const)))(
  'the removal is gone on with, though %s.%s ends in %s',
  async (port, method, kind) => {
    await makeAgain(await deleteSource(await addWorldSource(world)));
    faults.add({ port, method, kind });
    await round();
    // A write is looked for, and tried again, at once.
    expect(kept).toHaveLength(port === 'catalog' ? 0 : 1);
    if (port === 'sourceLog') await round();
    expect(await found()).toMatchObject({ topics: [later], source: { retired: [] } });
  },
);

it('retention has nothing to say of a source that is gone with its topic', async () => {
  await deleteSource(await addWorldSource(world));
  world.clock.advance(10_000);
  await round();
  const configuration = new Configuration({ catalog: world.ports.catalog, onInvalid: () => undefined });
  await configuration.load(never);
  const observer = {
    neededRecordsRemoved: () => undefined,
    retentionFailed: (_: unknown, error: Error) => expect.fail(error.message),
    clockDoubted: () => expect.fail('the clock'),
    clockTrusted: () => undefined,
    documentsUnread: () => expect.fail('a document'),
  };
  await new Retention({ ...world.ports, configuration, clock: world.clock, observer }).round(never);
});

it('a source that was erased is forgotten when its topic is gone, after seven days', async () => {
  const source = await addWorldSource(world);
  await deleteSource({ ...source, erased: { tables: [], isDone: true } });
  world.clock.advance(10_000);
  await round();
  expect((await found()).topics).toEqual([]);
  world.clock.advance(7 * 24 * 3_600_000 - 20_000);
  await round();
  expect((await found()).source).toMatchObject({ erased: { isDone: true } });
  world.clock.advance(20_000);
  await round();
  expect(await world.ports.catalog.get('source', id, never)).toBeUndefined();
});

it('a source that is being erased, or whose topic a sink needs, is not forgotten', async () => {
  const sink = await world.addSink();
  const source = await addWorldSource(world);
  await deleteSource({ ...source, erased: { tables: [], isDone: false } });
  world.clock.advance(30 * 24 * 3_600_000);
  await round();
  expect((await found()).source).toMatchObject({ erased: { isDone: false } });
  await world.put('source', id, { ...(await found()).source, erased: { tables: [], isDone: true } });
  await round();
  expect((await found()).topics).toEqual([topic]);
  await closeSink(sink);
});
