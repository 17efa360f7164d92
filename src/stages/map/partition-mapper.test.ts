import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DeliveryWorld, never, source, type WorldSink } from '../../../test/support/faults/delivery-world.ts';
import { Faults } from '../../../test/support/faults/faults.ts';
import { noSchemas } from '../../../test/support/no-schemas.ts';
import { createTemplates } from '../../mapping/jsonnet-templates.ts';
import type { GroupMember, IdentifiedPartition, RecordBatch } from '../../ports/event-log.ts';
import { decodeOutcome } from '../../core/outcome.ts';
import type { EpochEnd } from '../../core/progress/cut.ts';
import { entryOf } from '../../core/progress/sink-progress.ts';
import type { SinkStatus } from '../../core/sink-status.ts';
import { StatusBoard } from '../status/status-board.ts';
import { LineWriter } from '../../mapping/line-writer.ts';
import { AppendRoom } from './append-room.ts';
import { MappingCache } from './mapping-cache.ts';
import { PartitionMapper } from './partition-mapper.ts';
import { withMethod } from '../../../test/support/with-method.ts';
import { RetryPacing } from '../../core/retry-pacing.ts';
import { identified } from '../../../test/support/identified.ts';

let at: IdentifiedPartition;
let world: DeliveryWorld;
let faults: Faults;
let sinks: readonly WorldSink[];
let mapper: PartitionMapper;
let reading: GroupMember;
let wakes: number;
let codes: string[];
/** What the log says of any epoch, and which it was asked for. */
let epochEnd: EpochEnd | undefined;
let asked: number[];
/** How far the clock goes on with each look at it. */
let lookMs: number;

beforeEach(async () => {
  world = await DeliveryWorld.open();
  at = await identified(world.ports.sourceLog, { topic: source, partition: 0 });
  sinks = [await world.addSink('hanging'), await world.addSink('healthy')];
  faults = new Faults();
  wakes = 0;
  epochEnd = undefined;
  asked = [];
  lookMs = 0;
  let lookedMs = 0;
  const { clock } = world;
  const ports = faults.behind(world.ports);
  codes = [];
  const observer = { sinkFailed: ({ code }: SinkStatus) => void codes.push(code), sinkHealed: () => undefined };
  mapper = new PartitionMapper(at, {
    ...ports,
    sourceLog: withMethod(ports.sourceLog, 'epochEnd', async (_, epoch) => {
      asked.push(epoch);
      return epochEnd;
    }),
    ...noSchemas(world.clock),
    mappings: new MappingCache(ports.catalog, createTemplates()),
    status: new StatusBoard({ catalog: ports.catalog, clock, role: 'map', member: 'one', observer }),
    observer: { outcomesAppended: () => undefined },
    maxAppendBytes: 8 * 1024 * 1024,
    lines: new LineWriter(),
    room: new AppendRoom(32 * 1024 * 1024),
    clock: withMethod(clock, 'monotonic', () => clock.monotonic() + (lookedMs += lookMs)),
    retry: new RetryPacing({ firstMs: 200, capMs: 30_000 }, () => 0.5),
    wake: () => void (wakes += 1),
    signal: never.signal,
  });
  reading = await world.ports.sourceLog.join({ group: 'test', member: 'test' }, never);
  await reading.subscribe([source], never);
  await world.until(async () => {
    await reading.poll({ maxBytes: 1, maxWaitMs: 0 }, never);
    return reading.assignment.partitions.length > 0;
  });
});

afterEach(async () => {
  await reading[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

/** One event more, as the batch that begins with it. */
async function batchOfOne(offset: number): Promise<RecordBatch> {
  await world.produce(1);
  reading.seek(at, offset);
  let batch: RecordBatch | undefined;
  await world.until(async () => {
    [batch] = await reading.poll({ maxBytes: 1, maxWaitMs: 0 }, never);
    return batch !== undefined;
  });
  if (batch === undefined) throw new Error('there is no batch');
  return batch;
}

/** One event more, as the batch that begins with it, in an epoch of the log. */
async function batchOfEpoch(epoch: number, offset: number): Promise<RecordBatch> {
  return { ...(await batchOfOne(offset)), epoch };
}

describe('PartitionMapper', () => {
  it('D6: a sink whose append hangs is left behind once, and held up by nobody after that', async () => {
    mapper.configure(await Promise.all(sinks.map((sink) => world.progress(sink))));
    await world.until(() => wakes === 2);
    const isHanging = ([to]: readonly unknown[]): boolean => (to as { topic: string }).topic === sinks[0]?.topic;
    faults.add({ port: 'sinkLog', method: 'append', kind: 'held', when: isHanging });
    await mapper.process(0, await batchOfOne(0));
    const second = mapper.process(1, await batchOfOne(1));
    await world.pass(2000);
    await second;
    // The clock stands still: whoever waits for the hanging sink now waits for ever.
    expect(mapper.turn(0)).toEqual({ offset: 2, endsAt: Number.POSITIVE_INFINITY });
    await mapper.process(2, await batchOfOne(2));
    expect(mapper.turn(0)).toEqual({ offset: 3, endsAt: Number.POSITIVE_INFINITY });
    await faults.deliver();
    await mapper.settled();
    await world.until(() => wakes === 3);
    expect(mapper.turn(0)?.endsAt).toBeLessThan(Number.POSITIVE_INFINITY);
  });
  it('D8: sinks that use up their time share a round, and who was left out is the next', async () => {
    mapper.configure(await Promise.all(sinks.map((sink) => world.progress(sink))));
    await world.until(() => wakes === 2);
    const batch = await batchOfOne(0);
    lookMs = 400;
    const mapped = async (): Promise<number> => {
      await mapper.process(0, batch);
      await mapper.settled();
      const ranges = await Promise.all(sinks.map(({ topic }) => world.ports.sinkLog.ranges(topic, never)));
      return ranges.flat().reduce((sum, { durableEnd }) => sum + durableEnd, 0);
    };
    expect([await mapped(), await mapped()]).toEqual([1, 2]);
  });

  it('D3: a sink topic that is made anew under its hands stops the sink with its next append', async () => {
    const [sink] = sinks;
    if (sink === undefined) throw new Error('there is no sink');
    mapper.configure([await world.progress(sink)]);
    await world.until(() => wakes === 1);
    await mapper.process(0, await batchOfOne(0));
    await mapper.process(1, await batchOfOne(1));
    await mapper.settled();
    await world.ports.sinkLog.deleteTopic(sink.topic, never);
    await world.ports.sinkLog.createTopic({ name: sink.topic, partitions: 1 }, never);
    await mapper.process(2, await batchOfOne(2));
    await mapper.settled();
    expect(codes).toEqual(['progress.topicChanged']);
    expect(mapper.turn(0)).toBeUndefined();
  });

  it('D3: a batch of another existence of the source topic than the document knows is mapped for no sink', async () => {
    const [sink] = sinks;
    if (sink === undefined) throw new Error('there is no sink');
    mapper.configure([await world.progress(sink)]);
    await world.until(() => wakes === 1);
    await mapper.process(0, { ...(await batchOfOne(0)), identity: 'another' });
    await mapper.settled();
    expect(codes).toEqual(['progress.topicChanged']);
    expect((await world.ports.sinkLog.ranges(sink.topic, never))[0]?.durableEnd).toBe(0);
  });

  it('D2: outcomes have the time of their append, those of old events and those without a line, too', async () => {
    const [sink] = sinks;
    if (sink === undefined) throw new Error('there is no sink');
    mapper.configure([await world.progress(sink)]);
    await world.until(() => wakes === 1);
    const batch = await batchOfOne(0);
    world.clock.advance(3_600_000);
    await mapper.process(0, batch);
    await mapper.settled();
    expect(await lastOutcome(sink)).toEqual(['row', world.clock.now()]);
    await mapper.process(1, { ...batch, records: [], next: 2, missing: 'none' });
    await mapper.settled();
    expect(await lastOutcome(sink)).toEqual(['none', world.clock.now()]);
  });

  it('D2, D3: events of another epoch are mapped once it is known that the log still has what was mapped before', async () => {
    const [sink] = sinks;
    if (sink === undefined) throw new Error('there is no sink');
    mapper.configure([await world.progress(sink)]);
    await world.until(() => wakes === 1);
    await mapper.process(0, await batchOfEpoch(4, 0));
    await mapper.settled();
    epochEnd = { epoch: 4, end: 1 };
    await mapper.process(1, await batchOfEpoch(6, 1));
    await world.until(() => wakes === 2);
    expect(mapper.turn(0)?.offset).toBe(1);
    await mapper.process(1, await batchOfEpoch(6, 1));
    await mapper.settled();
    expect(asked).toEqual([4]);
    expect(mapper.turn(0)?.offset).toBe(2);
    expect(codes).toEqual([]);
  });

  it('D2, D3: events of another epoch stop a sink whose events the log has lost, in its document, and only that sink', async () => {
    const [sink, other] = sinks;
    if (sink === undefined || other === undefined) throw new Error('there are no sinks');
    mapper.configure([await world.progress(sink)]);
    await world.until(() => wakes === 1);
    await mapper.process(0, await batchOfEpoch(4, 0));
    await mapper.settled();
    mapper.configure([await world.progress(sink), await world.progress(other)]);
    await world.until(() => wakes === 2);
    epochEnd = { epoch: 3, end: 0 };
    await mapper.process(0, await batchOfEpoch(6, 0));
    await mapper.process(1, await batchOfEpoch(6, 1));
    await world.until(() => codes.length > 0);
    expect(codes).toEqual(['progress.logCut']);
    expect(mapper.turn(0)?.offset).toBe(2);
    expect(entryOf(await world.progress(sink), 0).cut).toBe(0);
    expect(entryOf(await world.progress(other), 0)).not.toHaveProperty('cut');
    // Whatever the log says later.
    epochEnd = { epoch: 4, end: 100 };
    mapper.configure([await world.progress(sink)]);
    world.clock.advance(60_000);
    mapper.retryDue(world.clock.monotonic());
    await world.pass(2000);
    expect(mapper.turn(0)).toBeUndefined();
    expect(asked).toEqual([4]);
  });

  it('D2, D3: a mapper that takes over stops a sink whose events the log has lost before it, though it has grown since', async () => {
    const [sink] = sinks;
    if (sink === undefined) throw new Error('there is no sink');
    mapper.configure([await world.progress(sink)]);
    await world.until(() => wakes === 1);
    await mapper.process(0, await batchOfEpoch(4, 0));
    await mapper.settled();
    mapper.configure([]);
    epochEnd = { epoch: 4, end: 0 };
    mapper.configure([await world.progress(sink)]);
    await world.until(() => codes.length > 0);
    expect(codes).toEqual(['progress.logCut']);
    expect(entryOf(await world.progress(sink), 0).cut).toBe(0);
  });
});

/** Kind and time of the last outcome in the topic of a sink. */
async function lastOutcome({ topic }: WorldSink): Promise<readonly [string, number]> {
  const last = await world.ports.sinkLog.lastRecord({ topic, partition: 0 }, never);
  return last === undefined ? ['', 0] : [decodeOutcome(last.value).kind, last.timestamp];
}
