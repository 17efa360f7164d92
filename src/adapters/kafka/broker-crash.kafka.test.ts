import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MillraceError } from '../../core/millrace-error.ts';
import type { TopicPartition } from '../../core/offset.ts';
import type { EventLog, GroupMember, LogRecord } from '../../ports/event-log.ts';
import { startKafka, whereIsKafka, type StartedKafka } from '../../../test/support/kafka.ts';
import { identified } from '../../../test/support/identified.ts';
import { openHastyLog } from '../../../test/support/on-kafka.ts';

const place = await whereIsKafka();
const waiting = { signal: new AbortController().signal };
/** A broker that this process may kill. */
const isOurs = place.kind === 'started';

/** An append that is on its way sits out a restart. */
const restartMs = 120_000;

interface Oracle {
  /** Offset by the text of each acknowledged record. */
  readonly acknowledged: Map<string, number>;
  /** Records of appends that were rejected: there or not. */
  readonly unclear: Set<string>;
}

describe.skipIf(!isOurs)('Kafka: a broker that is killed', () => {
  let kafka: StartedKafka;

  beforeAll(async () => {
    kafka = await startKafka();
  });
  afterAll(() => kafka[Symbol.asyncDispose]());

  const open = () => openHastyLog(kafka.brokers);

  const makeTopic = async (log: EventLog, partitions: number): Promise<string> => {
    const name = `crash.${randomUUID()}`;
    await log.createTopic({ name, partitions }, waiting);
    return name;
  };

  /** Appends bursts that do not wait for each other until told to stop. */
  const write = async (log: EventLog, at: TopicPartition, { oracle, stop }: { oracle: Oracle; stop: AbortSignal }) => {
    for (let burst = 0; !stop.aborted; burst += 1) {
      const appends = [1, 3, 2, 5, 1].map(async (count, index) => {
        const texts = Array.from({ length: count }, (_, part) => `${at.partition}:${burst}.${index}.${part}`);
        try {
          const offset = await log.append(at, texts.map(toRecord), { ...waiting, withinMs: restartMs });
          for (const [part, text] of texts.entries()) oracle.acknowledged.set(text, offset + part);
        } catch {
          for (const text of texts) oracle.unclear.add(text);
        }
      });
      await Promise.all(appends);
    }
  };

  it('D1, D2, D3: loses and doubles no acknowledged append and reorders none, also when it is killed again', async () => {
    await using log = open();
    const topic = await makeTopic(log, 3);
    const partitions = [0, 1, 2].map((partition) => ({ topic, partition }));
    const oracle: Oracle = { acknowledged: new Map(), unclear: new Set() };
    const stop = new AbortController();
    const writers = partitions.map((at) => write(log, at, { oracle, stop: stop.signal }));
    for (let kills = 0; kills < 2; kills += 1) {
      const before = oracle.acknowledged.size;
      await expect.poll(() => oracle.acknowledged.size).toBeGreaterThan(before + 300);
      await kafka.kill();
      await kafka.start();
    }
    const before = oracle.acknowledged.size;
    await expect.poll(() => oracle.acknowledged.size).toBeGreaterThan(before + 100);
    stop.abort();
    await Promise.all(writers);
    process.stdout.write(`killed twice: ${oracle.acknowledged.size} acknowledged, ${oracle.unclear.size} unclear\n`);
    for (const at of partitions) expectWhole(await readAll(log, at), at, oracle);
  });

  it('D2: a member reads on where it was when the broker is back', async () => {
    await using log = open();
    const at = { topic: await makeTopic(log, 1), partition: 0 };
    await log.append(at, [toRecord('before')], waiting);
    await using member = await joined(log, at);
    const read: LogRecord[] = [];
    const readUntil = async (count: number): Promise<void> => {
      while (read.length < count) {
        // A broker that is away for long is told; the member goes on all the same.
        const told = (thrown: unknown): [] => (isUnavailable(thrown) ? [] : fail(thrown));
        read.push(...(await pollRecords(member).catch(told)));
      }
    };
    await readUntil(1);
    const polling = readUntil(2);
    await kafka.kill();
    await kafka.start();
    await log.append(at, [toRecord('after')], { ...waiting, withinMs: restartMs });
    await polling;
    expect(read.map(textOf)).toEqual(['before', 'after']);
  });
});

/** Of now: a broker that restarts forgets producers whose last record has a time of more than a day ago. */
function toRecord(text: string) {
  return { value: Buffer.from(text), headers: [], timestamp: Date.now() };
}

function isUnavailable(thrown: unknown): boolean {
  return thrown instanceof MillraceError && thrown.code === 'log.unavailable';
}

function fail(thrown: unknown): never {
  throw thrown instanceof Error ? thrown : new Error(String(thrown));
}

function textOf({ value }: LogRecord): string {
  return Buffer.from(value).toString();
}

async function joined(log: EventLog, at: TopicPartition): Promise<GroupMember> {
  const member = await log.join({ group: randomUUID(), member: 'reader' }, waiting);
  await member.subscribe([at.topic], waiting);
  while (member.assignment.partitions.length === 0) await member.poll({ maxBytes: 1, maxWaitMs: 1000 }, waiting);
  member.seek(await identified(log, at), 0);
  return member;
}

async function pollRecords(member: GroupMember): Promise<readonly LogRecord[]> {
  const batches = await member.poll({ maxBytes: 10_000_000, maxWaitMs: 1000 }, waiting);
  return batches.flatMap(({ records }) => records);
}

async function readAll(log: EventLog, at: TopicPartition): Promise<readonly LogRecord[]> {
  await using member = await joined(log, at);
  const end = (await log.ranges(at.topic, waiting))[at.partition]?.durableEnd ?? 0;
  const records: LogRecord[] = [];
  while ((records.at(-1)?.offset ?? -1) + 1 < end) records.push(...(await pollRecords(member)));
  return records;
}

/** Acknowledged records stand once, where it was said; unclear ones at most once; all in the order of their appends. */
function expectWhole(records: readonly LogRecord[], { partition }: TopicPartition, oracle: Oracle): void {
  const own = (text: string): boolean => text.startsWith(`${partition}:`);
  const found = new Map(records.map((record) => [textOf(record), record.offset]));
  expect(found.size).toBe(records.length);
  const acknowledged = [...oracle.acknowledged].filter(([text]) => own(text));
  expect(acknowledged.filter(([text, offset]) => found.get(text) !== offset)).toEqual([]);
  expect([...found.keys()].filter((text) => !oracle.acknowledged.has(text) && !oracle.unclear.has(text))).toEqual([]);
  const order = acknowledged.map(([text]) => text.split(/[:.]/).map(Number));
  const inOrder = order.toSorted((a, b) => a[1]! - b[1]! || a[2]! - b[2]! || a[3]! - b[3]!);
  const byOffset = acknowledged.toSorted(([, a], [, b]) => a - b).map(([text]) => text.split(/[:.]/).map(Number));
  expect(byOffset).toEqual(inOrder);
}
