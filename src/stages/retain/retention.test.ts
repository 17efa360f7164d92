import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DeliveryWorld, never, source } from '../../../test/support/faults/delivery-world.ts';
import { addWorldSource } from '../../../test/support/faults/world-source.ts';
import { progressId } from '../../documents/document-id.ts';
import { retentionAgesId, type RetentionAges } from '../../documents/retention-ages-document.ts';
import { limits } from '../../core/limits.ts';
import { Configuration } from '../replica/configuration.ts';
import { ProvenAges } from './proven-ages.ts';
import { Retention } from './retention.ts';

const day = 24 * 3_600_000;
const look = limits.runningStepMs;

it('D4: counts each record that a sink needed and that went of old age once, however often it looks', async () => {
  await using world = await DeliveryWorld.open();
  await world.addSink();
  await addWorldSource(world, { settings: { 'log.retention.maxAge': '192h' } });
  const configuration = new Configuration({
    catalog: world.ports.catalog,
    onInvalid: (_, error) => expect.fail(String(error)),
  });
  await configuration.load(never);
  let removed = 0;
  const observer = {
    neededRecordsRemoved: (_: unknown, count: number) => void (removed += count),
    retentionFailed: (_: unknown, error: Error) => expect.fail(error.message),
    clockDoubted: () => expect.fail('the clock'),
    clockTrusted: () => undefined,
    documentsUnread: () => expect.fail('a document'),
  };
  const retention = new Retention({ ...world.ports, configuration, clock: world.clock, observer });
  for (let round = 0; round < 4; round += 1) {
    await world.produce(10);
    await retention.round(never);
    for (let ms = 0; ms < 5 * day; ms += look) {
      world.clock.advance(look);
      await retention.round(never);
    }
    await retention.round(never);
  }
  const [range] = await world.ports.sourceLog.ranges(source, never);
  expect(range?.first).toBe(30);
  expect(removed).toBe(30);
});

it('D3: a source whose log was set back takes no events, whose offsets its sinks would take for repeats', async () => {
  await using world = await DeliveryWorld.open();
  const sink = await world.addSink();
  await addWorldSource(world);
  await world.produce(10);
  await world.copy('source-log');
  const member = world.member('main');
  await member.start();
  await world.produce(10);
  await world.delivered(sink);
  await world.restore('source-log');
  const configuration = new Configuration({ catalog: world.ports.catalog, onInvalid: () => undefined });
  await configuration.load(never);
  const observer = {
    neededRecordsRemoved: () => undefined,
    retentionFailed: () => undefined,
    clockDoubted: () => expect.fail('the clock'),
    clockTrusted: () => undefined,
    documentsUnread: () => expect.fail('a document'),
  };
  const retention = new Retention({ ...world.ports, configuration, clock: world.clock, observer });
  let changes = 0;
  retention.listen(() => void (changes += 1));
  await retention.round(never);
  expect(retention.hindrances.get(source)).toBe('logBehind');
  // As long as the log that was lost: it stands for that one, brought back.
  await world.produce(10);
  await retention.round(never);
  expect(retention.hindrances.get(source)).toBeUndefined();
  expect(changes).toBe(2);
});

describe('a document of a sink that cannot be read', () => {
  /** Six hours of a source whose interval is one, with the document of its one sink as it is changed. Answers what is left. */
  async function kept(changed: Readonly<Record<string, unknown>>, maxBytes: string) {
    await using world = await DeliveryWorld.open();
    const sink = await world.addSink();
    const settings = { 'log.retention.interval': '1h', 'log.retention.maxAge': '192h', 'log.retention.size': maxBytes };
    await addWorldSource(world, { settings });
    await world.produce(200);
    const document = await world.progress(sink);
    await world.put('progress', progressId(sink.incarnation), { ...document, ...changed });
    const configuration = new Configuration({ catalog: world.ports.catalog, onInvalid: () => undefined });
    await configuration.load(never);
    const told: string[] = [];
    const observer = {
      neededRecordsRemoved: () => void told.push('removed'),
      retentionFailed: (_: unknown, error: Error) => expect.fail(error.message),
      clockDoubted: () => expect.fail('the clock'),
      clockTrusted: () => undefined,
      documentsUnread: (ids: readonly string[]) => void told.push(`unread ${ids.join()}`),
    };
    const retention = new Retention({ ...world.ports, configuration, clock: world.clock, observer });
    for (let ms = 0; ms < day / 4; ms += look) {
      await retention.round(never);
      world.clock.advance(look);
    }
    const [range] = await world.ports.sourceLog.ranges(source, never);
    expect(told).toEqual([`unread ${progressId(sink.incarnation)}`]);
    await world.put('progress', progressId(sink.incarnation), document);
    await configuration.load(never);
    await retention.round(never);
    expect(told.at(-1), 'it can be read again').toBe('unread ');
    return { first: range?.first, hindrance: retention.hindrances.get(source) };
  }

  it.each([
    ['names its source', { floor: 'later' }],
    ['names a source that is not there', { floor: 'later', topics: { source: 'nobody' } }],
    ['names nothing', { topics: 0 }],
  ])('D2: keeps what its sink may need, also when the bytes are spent, and is told, when it %s', async (_, changed) => {
    expect(await kept(changed, '1GB')).toEqual({ first: 0, hindrance: undefined });
    expect(await kept(changed, '1KB')).toEqual({ first: 0, hindrance: 'budgetSpent' });
  });

  it('U2: keeps what a sink may need whose document only a newer release may write', async () => {
    const newer = { format: { version: 9, oldestWriter: 9 } };
    expect(await kept(newer, '1KB')).toEqual({ first: 0, hindrance: 'budgetSpent' });
  });
});

describe('a clock that somebody sets', () => {
  let world: DeliveryWorld;
  let told: string[];
  let retention: Retention;

  /** Retention as a process that has just started has it. */
  async function start(): Promise<void> {
    const { catalog } = world.ports;
    const configuration = new Configuration({ catalog, onInvalid: () => undefined });
    await configuration.load(never);
    const observer = {
      neededRecordsRemoved: (_: unknown, count: number) => void told.push(`removed ${count}`),
      retentionFailed: (_: unknown, error: Error) => expect.fail(error.message),
      clockDoubted: (differenceMs: number) => void told.push(`doubted ${Math.round(differenceMs / day)}`),
      clockTrusted: () => void told.push('trusted'),
      documentsUnread: (ids: readonly string[]) => void told.push(`unread ${ids.length}`),
    };
    retention = new Retention({ ...world.ports, configuration, clock: world.clock, observer });
    await retention.round(never);
  }

  /** Lets the process run. */
  async function run(days: number): Promise<void> {
    for (let ms = 0; ms < days * day; ms += look) {
      world.clock.advance(look);
      await retention.round(never);
    }
  }

  async function first(): Promise<number | undefined> {
    return (await world.ports.sourceLog.ranges(source, never))[0]?.first;
  }

  beforeEach(async () => {
    world = await DeliveryWorld.open();
    told = [];
    await world.addSink();
    await addWorldSource(world, { settings: { 'log.retention.maxAge': '192h' } });
  });
  afterEach(() => world[Symbol.asyncDispose]());

  it('D2: one that is behind at boot and set later removes nothing that a sink needs', async () => {
    world.clock.jump(-300 * day);
    await start();
    await world.produce(10);
    await run(0.1);
    world.clock.jump(300 * day);
    await world.produce(10);
    await run(3);
    expect(await first()).toBe(0);
    expect(told).toEqual(['doubted 300', 'trusted']);
  });

  it('D2: one that is set ahead removes nothing that a sink needs, also in the next process', async () => {
    await start();
    await world.produce(20);
    await run(0.1);
    world.clock.jump(300 * day);
    await run(0.1);
    await start();
    await run(3);
    expect(await first()).toBe(0);
    expect(told, 'the next process knows that, and not by how much').toEqual(['doubted 300', 'doubted 0', 'trusted']);
  });

  it('D2: one that is set ahead is in doubt at once also in the process that takes the place of one that is killed', async () => {
    await start();
    await world.produce(20);
    await run(0.1);
    world.clock.jump(300 * day);
    await retention.round(never);
    await start();
    expect(told).toEqual(['doubted 300', 'doubted 0']);
  });

  it('D2: a product that is stopped for weeks removes nothing that a sink needs when it starts', async () => {
    await start();
    await world.produce(20);
    await run(0.1);
    world.clock.jump(60 * day);
    await start();
    await run(2);
    expect(await first()).toBe(0);
    expect(told).toEqual([]);
  });

  it('D2: time in which the process was stopped proves no age', async () => {
    await world.produce(20);
    await start();
    await run(0.1);
    world.clock.advance(9 * day);
    await run(0.1);
    expect(await first()).toBe(0);
    expect(told).toEqual([]);
  });

  it('D2: what a sink needs goes when both clocks have passed its maximum age, counted over several processes', async () => {
    await start();
    await world.produce(20);
    await run(4);
    await start();
    await run(3);
    expect(await first()).toBe(0);
    await run(1.3);
    expect(await first()).toBe(20);
    expect(told).toEqual(['removed 20']);
  });

  it('D2: samples of a topic that was made anew under its name prove nothing', async () => {
    await start();
    await world.produce(20);
    await run(7);
    const identityNow = async () => (await world.ports.sourceLog.describeTopic(source, never))?.identity ?? '';
    const before = await identityNow();
    await world.ports.sourceLog.deleteTopic(source, never);
    await world.ports.sourceLog.createTopic({ name: source, partitions: 1 }, never);
    const provenOf = async (identity: string): Promise<number> => {
      const ages = new ProvenAges({ catalog: world.ports.catalog, clock: world.clock });
      await ages.look(never);
      return ages.provenBefore({ topic: source, partition: 0 }, { identity, end: 20, ageMs: 6 * day });
    };
    expect(await provenOf(before)).toBe(20);
    expect(await provenOf(await identityNow())).toBe(0);
  });

  const stored = async () => (await world.ports.catalog.get('meta', retentionAgesId, never))?.value;

  /** A life of a process that looks at one topic and keeps what it knows of some. */
  async function live(looksAt: string, keeps: readonly string[]): Promise<number> {
    const ages = new ProvenAges({ catalog: world.ports.catalog, clock: world.clock });
    await ages.look(never);
    const before = ages.provenBefore({ topic: looksAt, partition: 0 }, { identity: 'i', end: 1, ageMs: 0 });
    await ages.save(new Set(keeps), never);
    return before;
  }

  it('D8: samples of a topic go with the topic, also those of an earlier process', async () => {
    await live('gone', ['gone']);
    expect(await stored()).toMatchObject({ topics: { gone: {} } });
    await live(source, [source]);
    expect(Object.keys(((await stored()) as RetentionAges).topics)).toEqual([source]);
  });

  it('U2: what a newer release keeps of the ages is left to it, and retention goes on', async () => {
    for (const newer of [{ anew: true }, { ranMs: 0, doubtedUntilMs: 0, topics: {} }]) {
      const value = { ...newer, format: { version: 9, oldestWriter: 9 } };
      await world.put('meta', retentionAgesId, value);
      expect(await live(source, [source])).toBe(1);
      expect(await stored()).toEqual(value);
    }
  });
});
