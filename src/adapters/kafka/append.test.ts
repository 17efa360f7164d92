import { describe, expect, it } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { startStoringBroker } from '../../../test/support/storing-broker.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { EventLog } from '../../ports/event-log.ts';
import type { AppendObserver } from '../../telemetry/observe-appends.ts';
import { openKafkaEventLog } from './event-log.ts';

const topic = 'orders';
const at = { topic, partition: 0 };
const { signal } = new AbortController();
const notEnoughReplicas = 19;
const notLeader = 6;
/** A deadline before which a request is under way, however busy the machine is. */
const deadlineMs = 2000;

async function open(observer?: AppendObserver) {
  const broker = await startStoringBroker(topic);
  const log = openKafkaEventLog({ brokers: broker.brokers, clientId: 'test', ...(observer && { observer }) });
  const dispose = async (): Promise<void> => {
    await log[Symbol.asyncDispose]();
    await broker[Symbol.asyncDispose]();
  };
  return { broker, log, [Symbol.asyncDispose]: dispose };
}

function append(log: EventLog, text: string, withinMs?: number): Promise<number> {
  const record = { value: Buffer.from(text), headers: [], timestamp: 0 };
  return log.append(at, [record], { signal, ...(withinMs === undefined ? {} : { withinMs }) });
}

describe('an append, as the broker sees it', () => {
  it('D1: asks for the acknowledgement of all in-sync replicas', async () => {
    await using kafka = await open();
    await Promise.all(['a', 'b'].map((text) => append(kafka.log, text)));
    await append(kafka.log, 'c');
    expect(kafka.broker.requests.map(({ acks }) => acks)).toEqual(kafka.broker.requests.map(() => -1));
  });

  it.each(['store and cut', { refuse: notLeader }] as const)(
    'D3: is sent again the same to the byte: %j',
    async (fate) => {
      await using kafka = await open();
      const { broker, log } = kafka;
      broker.fateOf = () => (broker.requests.length === 1 ? fate : 'store');
      expect(await append(log, 'a')).toBe(0);
      expect(await append(log, 'b')).toBe(1);
      expect(broker.requests[1]?.bytes).toEqual(broker.requests[0]?.bytes);
      expect(broker.stored).toHaveLength(2);
    },
  );

  it('D2: after one whose outcome stays unclear the next comes from another producer, and is stored', async () => {
    await using kafka = await open();
    const { broker, log } = kafka;
    broker.fateOf = () => 'store and say nothing';
    await expect(append(log, 'a', deadlineMs)).rejects.toMatchObject({ code: 'log.unavailable' });
    broker.fateOf = () => 'store';
    const offset = await eventually(() => append(log, 'b', 5000));
    expect([offset, broker.stored.length]).toEqual([1, 2]);
    expect(broker.stored[1]?.producerId).not.toBe(broker.stored[0]?.producerId);
  });
});

it('D1: one that is refused in a way that leaders also use after they have written is unclear', async () => {
  await using kafka = await open();
  kafka.broker.fateOf = () => ({ refuse: notLeader });
  await expect(append(kafka.log, 'a', deadlineMs)).rejects.toMatchObject({ code: 'log.unavailable' });
});

describe('a partition with too few replicas', () => {
  it('D8: refuses at once after the first deadline, is probed without appends, and opens when it is well', async () => {
    await using kafka = await open();
    const { broker, log } = kafka;
    broker.fateOf = () => ({ refuse: notEnoughReplicas });
    // Unclear when the deadline falls between a try and its answer.
    await expect(append(log, 'a', deadlineMs)).rejects.toBeInstanceOf(MillraceError);
    expect(log.condition(at)).toBe('refusing');
    broker.hasLeader = false;
    const before = broker.requests.length;
    await expect(append(log, 'b', 60_000)).rejects.toMatchObject({ code: 'log.refused' });
    expect(broker.requests.length).toBe(before);
    broker.hasLeader = true;
    broker.fateOf = () => 'store';
    expect(await eventually(() => append(log, 'c'))).toBe(0);
    expect(log.condition(at)).toBe('well');
  });

  it('D8: is told once, with the reason, until an append is stored, also between its trials', async () => {
    const told: unknown[] = [];
    const trouble = { at, condition: 'refusing', reason: expect.stringContaining('NOT_ENOUGH_REPLICAS') as unknown };
    await using kafka = await open({
      troubled: (what) => void told.push(what),
      mended: (where) => void told.push({ mended: where }),
    });
    const { broker, log } = kafka;
    broker.fateOf = () => ({ refuse: notEnoughReplicas });
    await expect(append(log, 'a', deadlineMs)).rejects.toBeInstanceOf(MillraceError);
    await eventually(() => expect(told).toMatchObject([trouble]));
    for (const sent = broker.requests.length; broker.requests.length < sent + 2;)
      await append(log, 'b', 5000).catch(() => undefined);
    expect(told).toHaveLength(1);
    broker.fateOf = () => 'store';
    await eventually(() => append(log, 'c'));
    await eventually(() => expect(told).toMatchObject([trouble, { mended: at }]));
  });

  it('D8: says that the topic does not exist once that is so, and is not looked at for ever', async () => {
    await using kafka = await open();
    const { broker, log } = kafka;
    broker.fateOf = () => ({ refuse: notEnoughReplicas });
    await expect(append(log, 'a', deadlineMs)).rejects.toBeInstanceOf(MillraceError);
    broker.hasTopic = false;
    await eventually(() => expect(log.condition(at)).toBe('well'));
    const { leaderQuestions } = broker;
    await expect(append(log, 'b')).rejects.toMatchObject({ code: 'log.topicNotFound' });
    expect(broker.leaderQuestions).toBeGreaterThan(leaderQuestions);
  });

  it('D1: what was refused before it was written is stored when there are enough again, once', async () => {
    await using kafka = await open();
    const { broker, log } = kafka;
    broker.fateOf = () => (broker.requests.length < 4 ? { refuse: notEnoughReplicas } : 'store');
    expect(await append(log, 'a')).toBe(0);
    expect(broker.stored).toHaveLength(1);
  });
});

it('D8: a partition without a leader is waited for, within the deadline', async () => {
  await using kafka = await open();
  const { broker, log } = kafka;
  broker.hasLeader = false;
  const waiting = append(log, 'a');
  await eventually(() => expect(broker.leaderQuestions).toBeGreaterThan(5));
  broker.hasLeader = true;
  expect(await waiting).toBe(0);
  broker.hasLeader = false;
  broker.fateOf = () => ({ refuse: notLeader });
  await expect(append(log, 'b', 300)).rejects.toBeInstanceOf(MillraceError);
});

it('D8: a partition without a leader is told, also by what could go elsewhere', async () => {
  const conditions: string[] = [];
  await using kafka = await open({ troubled: ({ condition }) => void conditions.push(condition), mended: () => {} });
  const { broker, log } = kafka;
  broker.hasLeader = false;
  const record = { value: Buffer.from('a'), headers: [], timestamp: 0 };
  const movable = log.append(at, [record], { signal, withinMs: 60_000, sendWithinMs: 200 });
  await expect(movable).rejects.toMatchObject({ code: 'log.refused' });
  await eventually(() => expect(conditions).toEqual(['late']));
  await expect(append(log, 'b', 300)).rejects.toMatchObject({ code: 'log.refused' });
  await eventually(() => expect(conditions).toEqual(['late', 'refusing']));
});
