import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeOutcome } from '../../src/core/outcome.ts';
import { entryOf } from '../../src/core/progress/sink-progress.ts';
import type { EventLog } from '../../src/ports/event-log.ts';
import { DeliveryWorld, never, source, type WorldOptions, type WorldSink } from '../support/faults/delivery-world.ts';
import { expectStopped } from '../support/faults/expect-stopped.ts';
import type { Member } from '../support/faults/member.ts';

/** What becomes of sinks whose topics are made anew while a process maps and stages for them, between two looks of it at the log. */
export function remadeTopics(name: string, openLog?: () => Promise<WorldOptions['openLog']>): void {
  describe(`${name}: topics that are made anew between two polls`, () => {
    const code = 'progress.topicChanged';
    let world: DeliveryWorld;
    let sink: WorldSink;
    let member: Member;

    beforeEach(async () => {
      world = await DeliveryWorld.open({ openLog: await openLog?.() });
      sink = await world.addSink();
      member = world.member('main');
      await member.start();
      await world.produce(20);
      await world.delivered(sink);
    });
    afterEach(async () => {
      member.gate.open();
      await world[Symbol.asyncDispose]();
    });

    const remake = async (log: EventLog, topic: string): Promise<string> => {
      await log.deleteTopic(topic, never);
      return (await log.createTopic({ name: topic, partitions: 1 }, never)).identity;
    };
    const remakeSource = async (count: number): Promise<string> => {
      await member.gate.close();
      const identity = await remake(world.ports.sourceLog, source);
      await world.produce(count);
      member.gate.open();
      return identity;
    };

    it('D3, D6: a source topic that has grown past the position by then stops its sinks', async () => {
      await remakeSource(40);
      await expectStopped(world, sink, { member, code });
    });

    it('D3, D6: a sink topic that has grown past the position by then stops its sink', async () => {
      const { sinkLog } = world.ports;
      await member.gate.close();
      await remake(sinkLog, sink.topic);
      const none = encodeOutcome({ kind: 'none', from: 0, to: 1, mappingVersion: 1 });
      const outcomes = Array.from({ length: 40 }, () => ({ value: none, headers: [], timestamp: 0 }));
      await sinkLog.append({ topic: sink.topic, partition: 0 }, outcomes, never);
      await world.produce(5);
      member.gate.open();
      await expectStopped(world, sink, { member, code });
      const [range] = await sinkLog.ranges(sink.topic, never);
      expect(range?.durableEnd).toBe(40);
    });

    it.each([
      ['while events come', 5],
      ['though no event comes', 0],
    ])(
      'D6: a sink topic that is deleted and not made again is told for as long as it is away, %s',
      async (_, events) => {
        const { sinkLog } = world.ports;
        const lacking = 'map: log.topicNotFound';
        await sinkLog.deleteTopic(sink.topic, never);
        if (events > 0) await world.produce(events);
        await world.until(async () => (await world.statuses()).includes(lacking), 1000);
        for (let minutes = 0; minutes < 10; minutes += 1) {
          await world.pass(60_000, 2000);
          expect(await world.statuses()).toContain(lacking);
        }
        const { identity: sinkIdentity } = await sinkLog.createTopic({ name: sink.topic, partitions: 1 }, never);
        await world.change(sink, (progress) => ({
          ...progress,
          topics: { ...progress.topics, sinkIdentity },
          entries: { 0: { ...entryOf(progress, 0), sink: 0 } },
        }));
        await world.produce(5);
        await world.delivered(sink);
        await world.until(async () => (await world.statuses()).length === 0);
        expect(await world.rows(sink)).toHaveLength(25 + events);
      },
    );

    it('D3, D6: its sinks go on without a restart when document and topic agree again', async () => {
      const sourceIdentity = await remakeSource(40);
      await world.until(async () => (await world.statuses()).some((status) => status.endsWith(code)), 500);
      await world.change(sink, (progress) => ({ ...progress, topics: { ...progress.topics, sourceIdentity } }));
      await world.delivered(sink);
      await world.until(async () => (await world.statuses()).length === 0);
      expect(await world.rows(sink)).toHaveLength(40);
    });
  });
}
