import { afterEach, beforeEach, expect, it } from 'vitest';
import { DeliveryWorld, never, source as topic } from '../../../test/support/faults/delivery-world.ts';
import { addWorldSource } from '../../../test/support/faults/world-source.ts';
import { progressOf } from '../../../test/support/progress-of.ts';
import { parseIncarnation, parseSinkId } from '../../core/ids.ts';
import type { SinkProgress } from '../../core/progress/sink-progress.ts';
import type { RetentionLimits } from '../../core/retention-limits.ts';
import type { Source } from '../../core/source.ts';
import { ownLimits } from '../retain/own-limits.ts';
import { silentTelemetry } from '../../../test/support/silent-telemetry.ts';
import { RetentionUse } from './retention-use.ts';

const day = 24 * 3_600_000;

let world: DeliveryWorld;
let shop: Source;
let sinks: Map<number, { readonly value: SinkProgress }>;
let looks: number;
let telemetry: ReturnType<typeof silentTelemetry>;

beforeEach(async () => {
  world = await DeliveryWorld.open();
  shop = await addWorldSource(world, { settings: { 'log.retention.maxAge': '240h' } });
  sinks = new Map();
  telemetry = silentTelemetry();
  looks = 0;
});
afterEach(() => world[Symbol.asyncDispose]());

/** A sink that still needs everything from there on. */
function addSink(sinkId: string, needs: number): ReturnType<typeof parseIncarnation> {
  const incarnation = parseIncarnation(sinks.size + 1);
  const begun = progressOf(needs);
  const value = { ...begun, incarnation, key: { ...begun.key, sinkId: parseSinkId(sinkId) } };
  sinks.set(incarnation, { value: { ...value, topics: { ...begun.topics, source: topic } } });
  return incarnation;
}

/** Measures on the world's log; without limits those of the source's settings. */
function use(limits: { readonly of?: RetentionLimits | undefined } = {}): RetentionUse {
  const { sourceLog } = world.ports;
  const counted = {
    describeTopic: sourceLog.describeTopic.bind(sourceLog),
    ranges: sourceLog.ranges.bind(sourceLog),
    offsetForTime: (...given: Parameters<typeof sourceLog.offsetForTime>) => {
      looks += 1;
      return sourceLog.offsetForTime(...given);
    },
  };
  const sources = new Map([['shop', { value: shop }]]);
  const configuration = { sources, progress: sinks, progressOf: (incarnation: number) => sinks.get(incarnation) };
  const limitsOf = async ({ settings }: Source, partitions: number) =>
    'of' in limits ? limits.of : ownLimits(settings, partitions);
  return new RetentionUse({ configuration, sourceLog: counted, clock: world.clock, telemetry, limitsOf } as never);
}

it('D2: a sink uses as much of the retention as the oldest event that it needs has of its maximum age, in tenths', async () => {
  for (let days = 0; days < 5; days += 1) {
    await world.produce(10);
    world.clock.advance(day);
  }
  world.clock.advance(3_600_000);
  const [oldest, middle, none] = [addSink('oldest', 0), addSink('middle', 25), addSink('none', 50)];
  const measured = use();
  await measured.measure(never);
  expect([oldest, middle, none].map((one) => measured.shareOf(one))).toEqual([0.5, 0.3, 0]);
  const page = await telemetry.metrics.registry.metrics();
  expect(page).toMatch(/^millrace_sink_retention_used_ratio\{.*sink="oldest"\} 0\.5$/m);
  expect(page).toMatch(/^millrace_sink_retention_used_ratio\{.*sink="none"\} 0$/m);
  world.clock.advance(20 * day);
  await measured.measure(never);
  expect(measured.shareOf(oldest)).toBe(1);
});

it('D2: what it needs counts by bytes, too, and the larger share is told', async () => {
  await world.produce(100);
  world.clock.advance(day);
  const [{ bytes } = { bytes: 0 }] = await world.ports.sourceLog.ranges(topic, never);
  const [all, half] = [addSink('all', 0), addSink('half', 50)];
  const measured = use({ of: { maxAgeMs: 2 * day, maxBytes: bytes } });
  await measured.measure(never);
  expect([all, half].map((one) => measured.shareOf(one))).toEqual([1, 0.5]);
  const byAge = use({ of: { maxAgeMs: day, maxBytes: 100 * bytes } });
  await byAge.measure(never);
  expect(byAge.shareOf(half)).toBeGreaterThanOrEqual(0.9);
});

it('D8: a look at a partition serves all of its sinks, and none is needed where nobody is behind', async () => {
  await world.produce(10);
  for (let count = 0; count < 1000; count += 1) addSink(`none-${count}`, 10);
  const measured = use();
  await measured.measure(never);
  expect(looks).toBe(0);
  for (let count = 0; count < 1000; count += 1) addSink(`behind-${count}`, 5);
  await measured.measure(never);
  expect(looks).toBe(1);
});

it('D2: what retention took is a hole, and no longer used', async () => {
  await world.produce(10);
  world.clock.advance(9 * day);
  await world.produce(10);
  const identity = (await world.ports.sourceLog.describeTopic(topic, never))?.identity ?? '';
  await world.ports.sourceLog.trim({ topic, identity, partition: 0 }, 10, never);
  const torn = addSink('torn', 0);
  const measured = use();
  await measured.measure(never);
  expect(measured.shareOf(torn)).toBeLessThan(0.1);
});

it('D2: the gauge of a sink is the largest share of its incarnations, and goes with the last one', async () => {
  await world.produce(10);
  world.clock.advance(5.5 * day);
  const old = addSink('again', 0);
  const young = addSink('again', 10);
  const measured = use();
  const gauge = async (): Promise<string | undefined> => {
    await measured.measure(never);
    return /sink="again"\} (.*)$/m.exec(await telemetry.metrics.registry.metrics())?.[1];
  };
  expect(await gauge()).toBe('0.5');
  expect([old, young].map((one) => measured.shareOf(one))).toEqual([0.5, 0]);
  sinks.delete(old);
  expect(await gauge()).toBe('0');
  sinks.clear();
  expect(await gauge()).toBeUndefined();
});

it('D2: a sink uses the retention of the topic of an earlier existence of its source, until that is gone', async () => {
  await world.produce(10);
  world.clock.advance(5.5 * day);
  const identity = (await world.ports.sourceLog.describeTopic(topic, never))?.identity ?? '';
  shop = { ...shop, topic: `${topic}.5`, retired: [{ name: topic, identity }] };
  const sink = addSink('retired', 0);
  const measured = use({ of: { maxAgeMs: 10 * day } });
  await measured.measure(never);
  expect(measured.shareOf(sink)).toBe(0.5);
  await world.ports.sourceLog.deleteTopic(topic, never);
  await measured.measure(never);
  expect(measured.shareOf(sink)).toBeUndefined();
});

it('says nothing of a sink that is gone and of a source whose limits nobody knows, and keeps what it knew of one that fails', async () => {
  await world.produce(10);
  world.clock.advance(9.5 * day);
  const sink = addSink('fails', 0);
  const limits: { of?: RetentionLimits | undefined } = { of: { maxAgeMs: 10 * day } };
  const measured = use(limits);
  await measured.measure(never);
  expect(measured.shareOf(sink)).toBe(0.9);
  await world.ports.sourceLog.deleteTopic(topic, never);
  await expect(measured.measure(never)).rejects.toMatchObject({ code: 'log.topicNotFound' });
  expect(measured.shareOf(sink)).toBe(0.9);
  await world.ports.sourceLog.createTopic({ name: topic, partitions: 1 }, never);
  limits.of = undefined;
  await measured.measure(never);
  expect(measured.shareOf(sink)).toBeUndefined();
  expect(await telemetry.metrics.registry.metrics()).not.toContain('sink="fails"');
  limits.of = { maxAgeMs: day };
  await measured.measure(never);
  expect(measured.shareOf(sink)).toBe(0);
  sinks.clear();
  await measured.measure(never);
  expect(measured.shareOf(sink)).toBeUndefined();
});
