import { lz4Compress, snappyCompress } from '@platformatic/wasm-utils';
import kafkajs, { ConfigResourceTypes, Kafka, Partitioners, logLevel } from 'kafkajs';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TopicPartition } from '../../core/offset.ts';
import type { EventLog, GroupMember, RecordBatch } from '../../ports/event-log.ts';
import { openKafkaForTests, whereIsKafka, type KafkaForTests } from '../../../test/support/kafka.ts';
import type { KafkaTopicPolicy } from './config.ts';
import { openKafkaEventLog } from './event-log.ts';
import { identified } from '../../../test/support/identified.ts';
import { openHastyLog } from '../../../test/support/on-kafka.ts';

const place = await whereIsKafka();
const waiting = { signal: new AbortController().signal };

describe.skipIf(place.kind === 'nowhere')('Kafka: topics, positions and groups', () => {
  let kafka: KafkaForTests;

  beforeAll(async () => {
    kafka = await openKafkaForTests();
  });
  afterAll(() => kafka[Symbol.asyncDispose]());

  const open = (topics?: KafkaTopicPolicy) => openHastyLog(kafka.brokers, topics && { topics });
  const plain = () => new Kafka({ brokers: kafka.brokers.split(','), logLevel: logLevel.NOTHING });
  const newTopic = async (log: EventLog, partitions = 1): Promise<string> => {
    const name = `groups.${randomUUID()}`;
    await log.createTopic({ name, partitions }, waiting);
    return name;
  };
  const join = async (log: EventLog, group: string, topics: readonly string[]): Promise<GroupMember> => {
    const member = await log.join({ group, member: 'reader' }, waiting);
    await member.subscribe(topics, waiting);
    return member;
  };
  const poll = (member: GroupMember) => member.poll({ maxBytes: 10_000_000, maxWaitMs: 200 }, waiting);
  const pollUntil = async (member: GroupMember, enough: (batches: readonly RecordBatch[]) => boolean) => {
    const batches: RecordBatch[] = [];
    while (!enough(batches)) batches.push(...(await poll(member)));
    return batches;
  };
  const untilHeld = (member: GroupMember, count: number) =>
    pollUntil(member, () => member.assignment.partitions.length === count);
  const append = (log: EventLog, at: TopicPartition, text: string) =>
    log.append(at, [{ value: Buffer.from(text), headers: [], timestamp: 1 }], waiting);

  it('makes topics with the settings of the policy', async () => {
    const policy = {
      replication: 1,
      minInSyncReplicas: 1,
      retentionMs: 3_600_000,
      retentionBytes: 5e6,
      maxAppendBytes: 2e5,
    };
    await using log = open(policy);
    const name = await newTopic(log, 3);
    const admin = plain().admin();
    await admin.connect();
    const resources = [{ type: ConfigResourceTypes.TOPIC, name }];
    const { resources: found } = await admin.describeConfigs({ includeSynonyms: false, resources });
    await admin.disconnect();
    const settings = new Map(found[0]?.configEntries.map(({ configName, configValue }) => [configName, configValue]));
    expect(Object.fromEntries(settings)).toMatchObject({
      'retention.ms': '3600000',
      'retention.bytes': '5000000',
      'min.insync.replicas': '1',
      'max.message.bytes': String(2e5 + 4096),
      'message.timestamp.type': 'CreateTime',
      'cleanup.policy': 'delete',
    });
    expect(await log.describeTopic(name, waiting)).toMatchObject({ partitions: 3 });
  });

  it('D9: refuses an append whose records do not fit together, and stores none of it', async () => {
    await using log = open({ maxAppendBytes: 100_000 });
    const at = { topic: await newTopic(log), partition: 0 };
    const record = { value: Buffer.alloc(30_000), headers: [], timestamp: 1 };
    const many = Array.from({ length: 5 }, () => record);
    const answers = await Promise.allSettled([
      log.append(at, many, waiting),
      log.append(at, [record], waiting),
      log.append(at, [record, record], waiting),
    ]);
    expect(answers).toMatchObject([
      { status: 'rejected', reason: { code: 'log.recordTooLarge' } },
      { status: 'fulfilled', value: 0 },
      { status: 'fulfilled', value: 1 },
    ]);
    expect(await log.ranges(at.topic, waiting)).toMatchObject([{ first: 0, durableEnd: 3 }]);
  });

  it('D6: a position past the end is a failure of its partition, never a reset; the others are read', async () => {
    await using log = open();
    const topic = await newTopic(log, 2);
    await append(log, { topic, partition: 0 }, 'a');
    await append(log, { topic, partition: 1 }, 'b');
    await using member = await join(log, randomUUID(), [topic]);
    await untilHeld(member, 2);
    member.seek(await identified(log, { topic, partition: 0 }), 100);
    member.seek(await identified(log, { topic, partition: 1 }), 0);
    const batches = await pollUntil(
      member,
      (found) => found.some(({ failure }) => failure !== undefined) && found.some(({ records }) => records.length > 0),
    );
    const behind = batches.find(({ partition }) => partition === 0);
    expect(behind).toMatchObject({ records: [], next: 100, failure: { code: 'progress.logBehind' } });
    expect(behind?.failure?.message).toContain('it ends at 1 now');
    member.seek(await identified(log, { topic, partition: 0 }), 0);
    await pollUntil(member, (found) => found.some(({ records }) => records.length > 0));
  });

  it('reads keys, tombstones, headers whose names repeat, and every compression of other producers', async () => {
    const { CompressionCodecs, CompressionTypes } = kafkajs;
    const codec = (compress: (bytes: Buffer) => Buffer) => () => ({
      compress: ({ buffer }: { buffer: Buffer }) => Promise.resolve(compress(buffer)),
      decompress: (bytes: Buffer) => Promise.resolve(bytes),
    });
    CompressionCodecs[CompressionTypes.Snappy] = codec(snappyCompress);
    CompressionCodecs[CompressionTypes.LZ4] = codec(lz4Compress);
    CompressionCodecs[CompressionTypes.ZSTD] = codec((bytes) => zstdCompressSync(bytes));
    const { GZIP, Snappy, LZ4, ZSTD } = CompressionTypes;
    await using log = open();
    const topic = await newTopic(log);
    const producer = plain().producer({ createPartitioner: Partitioners.DefaultPartitioner });
    await producer.connect();
    for (const compression of [GZIP, Snappy, LZ4, ZSTD]) {
      const messages = [
        { key: 'k', value: 'v'.repeat(3000), headers: { a: ['1', '2'], b: '3' }, timestamp: '7' },
        { key: 'k', value: null, timestamp: '8' },
      ];
      await producer.send({ topic, messages, compression });
    }
    await producer.disconnect();
    await using member = await join(log, randomUUID(), [topic]);
    await untilHeld(member, 1);
    member.seek(await identified(log, { topic, partition: 0 }), 0);
    const batches = await pollUntil(member, (found) => (found.at(-1)?.next ?? 0) >= 8);
    const records = batches.flatMap((batch) => batch.records);
    expect(records.map(({ value, headers, timestamp }) => [value.byteLength, headers.join(), timestamp])).toEqual(
      [GZIP, Snappy, LZ4, ZSTD].flatMap(() => [
        [3000, 'a,1,a,2,b,3', 7],
        [0, '', 8],
      ]),
    );
  });

  it('D7: a topic more takes nothing from the others: positions and pauses stay, and nothing is joined anew', async () => {
    await using log = open();
    const [first, later] = [await newTopic(log, 2), `groups.${randomUUID()}`];
    const at = (partition: number) => ({ topic: first, partition });
    await append(log, at(0), 'a');
    await append(log, at(0), 'b');
    await using member = await join(log, randomUUID(), [first]);
    await untilHeld(member, 2);
    member.seek(await identified(log, at(0)), 0);
    await pollUntil(member, (found) => (found.at(-1)?.next ?? 0) >= 2);
    await member.subscribe([first, later], waiting);
    await log.createTopic({ name: later, partitions: 1 }, waiting);
    await append(log, { topic: later, partition: 0 }, 'new');
    await untilHeld(member, 3);
    await append(log, at(0), 'c');
    const batches = await pollUntil(member, (found) => found.some(({ records }) => records.length > 0));
    expect(batches.flatMap(({ records }) => records.map(({ offset }) => offset))).toEqual([2]);
    member.seek(await identified(log, { topic: later, partition: 0 }), 0);
    const [fresh] = await pollUntil(member, (found) => found.some(({ records }) => records.length > 0));
    expect(fresh).toMatchObject({ topic: later, next: 1 });
  });

  it('a member that is disposed while the group rebalances leaves at once, and the rest is shared', async () => {
    await using log = open();
    const topic = await newTopic(log, 4);
    const group = randomUUID();
    await using stays = await join(log, group, [topic]);
    await untilHeld(stays, 4);
    for (let round = 0; round < 3; round += 1) {
      const comes = await join(log, group, [topic]);
      const polled = round === 0 ? undefined : poll(comes);
      await polled;
      await comes[Symbol.asyncDispose]();
    }
    await untilHeld(stays, 4);
    const { generation } = stays.assignment;
    await using second = await join(log, group, [topic]);
    while (second.assignment.partitions.length !== 2 || stays.assignment.partitions.length !== 2) {
      await Promise.all([poll(stays), poll(second)]);
    }
    expect(stays.assignment.generation).toBeGreaterThan(generation);
  });

  it('D9: a session that the brokers do not allow is told by the poll', async () => {
    const brokers = kafka.brokers.split(',');
    await using log = openKafkaEventLog({ brokers, clientId: 'millrace-test', sessionTimeoutMs: 1 });
    await using member = await join(log, randomUUID(), [await newTopic(log)]);
    await expect(pollUntil(member, () => false)).rejects.toThrow(/INVALID_SESSION_TIMEOUT/);
  });

  it('D10: a process whose log is closed ends by itself: no socket, timer or listener is left', async () => {
    await using log = open();
    const topic = await newTopic(log);
    const script = `
      const { openKafkaEventLog } = await import(${JSON.stringify(new URL('./event-log.ts', import.meta.url).href)});
      const waiting = { signal: new AbortController().signal };
      const at = { topic: ${JSON.stringify(topic)}, partition: 0 };
      const log = openKafkaEventLog({ brokers: ${JSON.stringify(kafka.brokers.split(','))}, clientId: 'leaving' });
      await log.append(at, [{ value: Buffer.from('a'), headers: [], timestamp: 1 }], waiting);
      const member = await log.join({ group: 'leaving', member: 'one' }, waiting);
      await member.subscribe([at.topic], waiting);
      while (member.assignment.partitions.length === 0) await member.poll({ maxBytes: 1, maxWaitMs: 500 }, waiting);
      member.seek(member.assignment.partitions[0], 0);
      await member.poll({ maxBytes: 1, maxWaitMs: 500 }, waiting);
      await log[Symbol.asyncDispose]();
      console.log('closed');
    `;
    const node = ['--input-type=module', '-e', script];
    const { stdout } = await promisify(execFile)(process.execPath, node, { timeout: 240_000 });
    expect(stdout.trim()).toBe('closed');
  });
});
