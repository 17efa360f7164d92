import { describe, expect, it } from 'vitest';
import { holesOf } from '../../src/core/progress/holes.ts';
import { clearStatistics } from '../../src/core/progress/statistics.ts';
import { noteCut } from '../../src/core/progress/cut.ts';
import { encodeOutcome } from '../../src/core/outcome.ts';
import type { NewRecord } from '../../src/ports/event-log.ts';
import { identified } from '../support/identified.ts';
import { close } from '../../src/core/progress/switch.ts';
import { never, source, type DeliveryWorld, type WorldSink } from '../support/faults/delivery-world.ts';
import { deleteSink } from '../support/faults/delete-sink.ts';
import { eachWithWorld } from '../support/faults/each-with-world.ts';
import type { Member, Role } from '../support/faults/member.ts';

const tenMinutesMs = 600_000;
const dayMs = 24 * 3_600_000;
let world: DeliveryWorld;
let sink: WorldSink;

eachWithWorld((given) => {
  ({ world, sink } = given);
});

async function started(...roles: readonly Role[]): Promise<Member> {
  const member = world.member('main', roles.length === 0 ? {} : { roles });
  await member.start();
  return member;
}

type Loss = 'deleted' | 'made anew';

async function lose(loss: Loss, topic: string, log: 'sourceLog' | 'sinkLog'): Promise<void> {
  await world.ports[log].deleteTopic(topic, never);
  if (loss === 'made anew') await world.ports[log].createTopic({ name: topic, partitions: 1 }, never);
}

async function mapped(count: number): Promise<void> {
  const member = await started('map');
  await world.until(async () => (await world.ports.sinkLog.ranges(sink.topic, never))[0]?.durableEnd === count);
  await world.drain(member);
}

/** What it has lost rings until somebody has seen it. */
async function seeHoles(count: number): Promise<void> {
  await world.until(async () => holesOf(await world.progress(sink)).ringing === count, 1000);
  await world.change(sink, clearStatistics);
}

async function expectGone(member: Member, { holes, rows }: { readonly holes: number; readonly rows: number }) {
  if (holes > 0) await seeHoles(holes);
  await world.until(() => member.told.purged === 1, 1000);
  await world.until(async () => (await world.statuses()).length === 0, 1000);
  expect(member.told.holes).toBe(holes);
  expect(await world.rows(sink)).toHaveLength(rows);
}

describe('a deleted sink that has lost its topic of outcomes', () => {
  it.each([
    ['made anew', 0],
    ['made anew', 5],
    ['deleted', 5],
  ] as const)('D2, D6: %s: goes with its alarm, and counts %d undelivered events as holes', async (loss, events) => {
    const member = await started();
    await world.produce(20);
    await world.delivered(sink);
    await member.gate.close();
    await lose(loss, sink.topic, 'sinkLog');
    await world.produce(events);
    member.gate.open();
    if (events > 0) await world.until(async () => (await world.statuses()).length > 0, 500);
    await deleteSink(world, sink);
    await expectGone(member, { holes: events, rows: 20 });
  });

  it('D2, D6: goes when the log of sinks was restored from an older copy', async () => {
    await started();
    await world.produce(10);
    await world.delivered(sink);
    await world.copy('sink-log');
    await started();
    await world.produce(10);
    await world.delivered(sink);
    await world.restore('sink-log');
    await world.produce(5);
    await deleteSink(world, sink);
    await expectGone(await started(), { holes: 5, rows: 20 });
  });
});

describe('a deleted sink whose last events are lost', () => {
  it('D2: rings for a day after it has nothing left to do, and goes then', async () => {
    const member = await started();
    await lose('made anew', sink.topic, 'sinkLog');
    await world.produce(5);
    await deleteSink(world, sink);
    await world.until(() => member.told.holes === 5, 1000);
    await world.pass(0.9 * dayMs, 60_000);
    expect(member.told.purged).toBe(0);
    expect(holesOf(await world.progress(sink))).toEqual({ counted: 5, ringing: 5 });
    await world.pass(0.2 * dayMs, 60_000);
    expect(member.told.purged).toBe(1);
  });
});

describe('a sink that is deleted after its source topic was lost', () => {
  it.each(['made anew', 'deleted'] as const)('D2: %s: delivers all that has outcomes', async (loss) => {
    await world.produce(20);
    await mapped(20);
    await lose(loss, source, 'sourceLog');
    await deleteSink(world, sink);
    const early = await started('import');
    await world.pass(tenMinutesMs, 2000);
    expect(early.told).toMatchObject({ holes: 0, purged: 0 });
    await world.drain(early);
    await expectGone(await started(), { holes: 0, rows: 20 });
  });

  it.each(['made anew', 'deleted'] as const)(
    'D2, D4: %s: counts as holes what it had accepted and nobody has mapped',
    async (loss) => {
      await world.produce(20);
      await mapped(20);
      await world.produce(5);
      const ends = await world.ends();
      await world.change(sink, (progress) => close(progress, ends, { deleted: false }));
      await lose(loss, source, 'sourceLog');
      await deleteSink(world, sink);
      await expectGone(await started(), { holes: 5, rows: 20 });
    },
  );

  it('D2: goes when the log of sources was restored from an older copy', async () => {
    await started();
    await world.produce(10);
    await world.delivered(sink);
    await world.copy('source-log');
    await started();
    await world.produce(30);
    await world.delivered(sink);
    await world.restore('source-log');
    await deleteSink(world, sink);
    await expectGone(await started(), { holes: 0, rows: 40 });
  });

  it('D2, D4: goes when the source was cut: what it wants beyond its outcomes are holes, though the source has grown past it', async () => {
    const member = await started();
    await world.produce(20);
    await world.delivered(sink);
    await world.drain(member);
    await world.change(sink, (progress) => noteCut(progress, { partition: 0, cut: 15 }));
    await world.produce(5);
    // As whoever deletes it before that was noted.
    const ends = await world.ends();
    await world.change(sink, (progress) => close(progress, ends, { deleted: true }));
    await expectGone(await started(), { holes: 5, rows: 20 });
  });
});

describe('a deleted sink that has lost its source topic and outcomes of its own', () => {
  const row = (at: number): NewRecord => {
    const line = Buffer.from(`"0/${at}"\n`);
    const value = encodeOutcome({ kind: 'row', from: at - 1, to: at, mappingVersion: 1, arrivedAt: 1, line });
    return { value, headers: [], timestamp: 1 };
  };

  /** Twenty events, of which five in the middle have no outcome. */
  async function makeGap(): Promise<void> {
    await world.produce(10);
    await mapped(10);
    await world.produce(10);
    const rows = [15, 16, 17, 18, 19].map(row);
    await world.ports.sinkLog.append({ topic: sink.topic, partition: 0 }, rows, never);
  }

  it.each(['made anew', 'deleted'] as const)(
    'D2, D4: %s: counts as holes what is missing inside its topic, and delivers what stands behind it',
    async (loss) => {
      await makeGap();
      await lose(loss, source, 'sourceLog');
      await deleteSink(world, sink);
      await expectGone(await started(), { holes: 5, rows: 15 });
    },
  );

  it('D2, D4: counts as holes what was to be mapped again, and delivers what was passed over meanwhile', async () => {
    await makeGap();
    const reading = await started('stage', 'import');
    await world.until(() => reading.told.torn.length === 1);
    await world.drain(reading);
    await lose('deleted', source, 'sourceLog');
    await deleteSink(world, sink);
    await expectGone(await started(), { holes: 5, rows: 15 });
  });

  it('D2, D4: counts as holes the head that its topic has lost, and delivers the rest', async () => {
    for (const count of [10, 20]) {
      await world.produce(10);
      await mapped(count);
    }
    const own = await identified(world.ports.sinkLog, { topic: sink.topic, partition: 0 });
    await world.ports.sinkLog.trim(own, 10, never);
    await lose('deleted', source, 'sourceLog');
    await deleteSink(world, sink);
    await expectGone(await started(), { holes: 10, rows: 10 });
  });

  it('D2: takes what stands before repeats at the end of its topic, whoever was slow, and gives up the rest only then', async () => {
    const first = await started();
    await world.produce(5);
    await world.delivered(sink);
    await world.drain(first);
    await world.produce(15);
    await mapped(20);
    // As a mapper with an old document writes them.
    await world.ports.sinkLog.append({ topic: sink.topic, partition: 0 }, [0, 1, 2].map(row), never);
    await world.produce(5);
    const ends = await world.ends();
    await lose('deleted', source, 'sourceLog');
    await world.change(sink, (progress) => close(progress, ends, { deleted: true }));
    const early = await started('import');
    await world.pass(tenMinutesMs, 2000);
    expect(early.told).toMatchObject({ holes: 0, purged: 0 });
    await world.drain(early);
    await expectGone(await started(), { holes: 5, rows: 20 });
  });

  it('D2: goes though nothing but repeats is left in its topic', async () => {
    const first = await started();
    await world.produce(10);
    await world.delivered(sink);
    await world.drain(first);
    await world.ports.sinkLog.append({ topic: sink.topic, partition: 0 }, [0, 1, 2].map(row), never);
    await world.produce(5);
    const ends = await world.ends();
    await lose('deleted', source, 'sourceLog');
    await world.change(sink, (progress) => close(progress, ends, { deleted: true }));
    await expectGone(await started(), { holes: 5, rows: 10 });
  });

  it.each(['made anew', 'deleted'] as const)(
    'D2: %s: delivers all that its topic has outcomes for, though a slow mapper has repeated the first ones at its end',
    async (loss) => {
      await world.produce(20);
      await mapped(20);
      await world.ports.sinkLog.append({ topic: sink.topic, partition: 0 }, [0, 1, 2].map(row), never);
      await lose(loss, source, 'sourceLog');
      await deleteSink(world, sink);
      await expectGone(await started(), { holes: 0, rows: 20 });
    },
  );

  it('D2, D4: counts as holes what was not mapped again, and delivers what was passed over behind it', async () => {
    await makeGap();
    const reading = await started('stage', 'import');
    await world.until(() => reading.told.torn.length === 1);
    await world.drain(reading);
    // As a mapper that ends while it maps again.
    await world.ports.sinkLog.append({ topic: sink.topic, partition: 0 }, [10, 11].map(row), never);
    await lose('deleted', source, 'sourceLog');
    await deleteSink(world, sink);
    await expectGone(await started(), { holes: 3, rows: 17 });
  });

  it('D2: gives up nothing that is missing inside its topic while its source topic is there', async () => {
    await makeGap();
    await deleteSink(world, sink);
    const reading = await started('stage', 'import');
    await world.pass(tenMinutesMs, 2000);
    expect(reading.told).toMatchObject({ holes: 0, purged: 0 });
    await world.drain(reading);
    await expectGone(await started(), { holes: 0, rows: 20 });
  });
});

it('D2: a deleted sink gives up nothing while its topics are there, however long nobody maps', async () => {
  await world.produce(20);
  await deleteSink(world, sink);
  const member = await started('stage', 'import');
  await world.pass(tenMinutesMs, 2000);
  expect(member.told).toMatchObject({ holes: 0, purged: 0 });
  await world.drain(member);
  await expectGone(await started(), { holes: 0, rows: 20 });
});

it('D2: a sink that is not deleted gives up nothing, whatever became of its topic', async () => {
  const member = await started();
  await lose('made anew', sink.topic, 'sinkLog');
  await world.produce(5);
  await world.pass(tenMinutesMs, 2000);
  expect(member.told).toMatchObject({ holes: 0, purged: 0 });
  expect(await world.statuses()).toContain('map: progress.topicChanged');
});
