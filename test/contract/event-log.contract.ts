import { randomBytes, randomUUID } from 'node:crypto';
import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  identifiedKey,
  partitionKey,
  type EventLog,
  type GroupMember,
  type IdentifiedPartition,
  type LogRecord,
  type NewRecord,
  type RecordBatch,
} from '../../src/ports/event-log.ts';
import { cutBelow } from '../../src/core/progress/cut.ts';
import { recordRun } from '../support/record-run.ts';
import { claimableContract } from './claimable.contract.ts';

export interface EventLogFixture extends AsyncDisposable {
  /**
   * Opens the log; each call gives another instance, as another thread or process has one. Topics and groups of
   * earlier tests may be there: the suite makes up names of its own. Its mark is that of this fixture alone.
   */
  open(): Promise<EventLog>;
}

const waiting = { signal: new AbortController().signal };

/** Long enough for a rebalance of real brokers. */
const deadlineMs = 150_000;
const testMs = 300_000;

/** The rules that every `EventLog` keeps. */
export function eventLogContract(name: string, factory: () => Promise<EventLogFixture>): void {
  claimableContract(name, async () => {
    const fixture = await factory();
    return {
      open: async () => {
        const log = await fixture.open();
        return { mark: log, [Symbol.asyncDispose]: () => log[Symbol.asyncDispose]() };
      },
      [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
    };
  });

  describe(`${name}: EventLog contract`, { timeout: testMs }, () => {
    let fixture: EventLogFixture;
    let log: EventLog;
    let topic: string;
    let group: string;
    let members: GroupMember[];
    let logs: EventLog[];
    let identities: Map<string, string>;

    beforeEach(async () => {
      fixture = await factory();
      members = [];
      logs = [];
      identities = new Map();
      log = await openAnother();
      topic = `contract.${randomUUID()}`;
      group = `contract-${randomUUID()}`;
    });
    afterEach(async () => {
      for (const member of members) await member[Symbol.asyncDispose]();
      for (const opened of logs) await opened[Symbol.asyncDispose]();
      await fixture[Symbol.asyncDispose]();
    });

    const openAnother = async () => {
      const opened = await fixture.open();
      logs.push(opened);
      return opened;
    };
    /** Of the topic as it was made last. */
    const at = (partition = 0, of = topic): IdentifiedPartition => ({
      topic: of,
      identity: identities.get(of) ?? 'none',
      partition,
    });
    const create = async (partitions = 1, of = topic) => {
      const made = await log.createTopic({ name: of, partitions }, waiting);
      identities.set(of, made.identity);
      return made;
    };
    const append = (texts: readonly string[], to = at(), into = log) => into.append(to, texts.map(recordOf), waiting);
    const rangeOf = async (of = at(), from = log) => (await from.ranges(of.topic, waiting))[of.partition];
    const join = async (from = log, topics: readonly string[] = [topic], as = 'reader') => {
      const member = await from.join({ group, member: as }, waiting);
      members.push(member);
      await member.subscribe(topics, waiting);
      return member;
    };
    const readFrom = async (offset: number, count: number, of = at()) => {
      const member = await join(log, [of.topic]);
      await pollUntil(member, () =>
        member.assignment.partitions.some((held) => identifiedKey(held) === identifiedKey(of)),
      );
      member.seek(of, offset);
      return recordsOf(await pollUntil(member, (batches) => recordsOf(batches).length >= count));
    };

    describe('topics', () => {
      it('makes a topic once and describes it the same to everybody', async () => {
        const made = await create(3);
        expect(made).toMatchObject({ name: topic, partitions: 3 });
        expect(made.identity).not.toBe('');
        expect(await create(3)).toEqual(made);
        expect(await log.describeTopic(topic, waiting)).toEqual(made);
        expect(await (await openAnother()).describeTopic(topic, waiting)).toEqual(made);
      });

      it('lets everybody who makes one topic at the same time have the same one', async () => {
        const instances = [log, await openAnother()];
        const made = await Promise.all(
          Array.from({ length: 8 }, (_, index) =>
            instances[index % 2]!.createTopic({ name: topic, partitions: 2 }, waiting),
          ),
        );
        expect(made).toEqual(Array.from({ length: 8 }, () => made[0]));
        expect(await log.describeTopic(topic, waiting)).toEqual(made[0]);
      });

      it('refuses a topic that exists with another number of partitions', async () => {
        await create(2);
        await expect(create(3)).rejects.toMatchObject({ code: 'log.topicExists' });
        expect(await log.describeTopic(topic, waiting)).toMatchObject({ partitions: 2 });
      });

      it('gives a topic more partitions, which begin empty; the others keep what they have, and asking again changes nothing', async () => {
        const before = await create(2);
        await append(['a', 'b'], at(1));
        const [other, third] = [await openAnother(), await openAnother()];
        expect(await other.ranges(topic, waiting)).toHaveLength(2);
        const grown = await Promise.all([log.growTopic(topic, 4, waiting), third.growTopic(topic, 4, waiting)]);
        const larger = { ...before, partitions: 4 };
        expect(grown).toEqual([larger, larger]);
        expect(await log.growTopic(topic, 3, waiting)).toEqual(grown[0]);
        // An instance that knows the topic as it was.
        expect(await append(['c'], at(3), other)).toBe(0);
        expect(await append(['c'], at(3))).toBe(1);
        for (const instance of [log, other, third])
          expect(await instance.describeTopic(topic, waiting)).toEqual(grown[0]);
        const durable = (await other.ranges(topic, waiting)).map(({ durableEnd }) => durableEnd);
        expect(durable).toEqual([0, 2, 0, 2]);
        expect(textsOf(await readFrom(0, 2, at(3)))).toEqual(['c', 'c']);
      });

      it('never makes a topic when it is to get more partitions', async () => {
        await expect(log.growTopic(topic, 2, waiting)).rejects.toMatchObject({ code: 'log.topicNotFound' });
        expect(await log.describeTopic(topic, waiting)).toBeUndefined();
      });

      it('describes no topic that does not exist, and deleting it does nothing', async () => {
        expect(await log.describeTopic(topic, waiting)).toBeUndefined();
        await log.deleteTopic(topic, waiting);
      });

      it('removes nothing by itself of a topic that was made without limits', async () => {
        await create();
        expect(await log.removal(topic, waiting)).toBeUndefined();
        expect(await log.removal(`${topic}.none`, waiting)).toBeUndefined();
      });

      it('lists the names that begin with a prefix, sorted', async () => {
        for (const suffix of ['.b', '.a', '.a.b', '-c']) await create(1, topic + suffix);
        expect(await log.listTopics(`${topic}.`, waiting)).toEqual([`${topic}.a`, `${topic}.a.b`, `${topic}.b`]);
        expect(await log.listTopics(`${topic}.none`, waiting)).toEqual([]);
      });

      it('gives a topic that is made again another identity and offsets from 0', async () => {
        const before = await create();
        await append(['a', 'b']);
        await log.deleteTopic(topic, waiting);
        expect(await log.describeTopic(topic, waiting)).toBeUndefined();
        await expect(log.ranges(topic, waiting)).rejects.toMatchObject({ code: 'log.topicNotFound' });
        const after = await create();
        expect(after.identity).not.toBe(before.identity);
        expect(await rangeOf()).toMatchObject({ first: 0, durableEnd: 0 });
        expect(await append(['c'])).toBe(0);
        expect(textsOf(await readFrom(0, 1))).toEqual(['c']);
      });

      it('names a topic or partition that does not exist', async () => {
        const notFound = { code: 'log.topicNotFound' };
        await expect(append(['a'])).rejects.toMatchObject(notFound);
        await expect(log.ranges(topic, waiting)).rejects.toMatchObject(notFound);
        await expect(log.lastRecord(at(), waiting)).rejects.toMatchObject(notFound);
        await expect(log.trim(at(), 1, waiting)).rejects.toMatchObject(notFound);
        await expect(log.offsetForTime(at(), 1, waiting)).rejects.toMatchObject(notFound);
        await create();
        await expect(append(['a'], at(1))).rejects.toMatchObject(notFound);
        await expect(log.lastRecord(at(1), waiting)).rejects.toMatchObject(notFound);
      });
    });

    describe('append', () => {
      it('returns the offset of the first record and counts per partition', async () => {
        await create(2);
        expect(await append(['a'])).toBe(0);
        expect(await append(['b', 'c', 'd'])).toBe(1);
        expect(await append(['e'])).toBe(4);
        expect(await append(['f'], at(1))).toBe(0);
        const [first, second] = await log.ranges(topic, waiting);
        expect(first).toMatchObject({ first: 0, durableEnd: 5 });
        expect(second).toMatchObject({ first: 0, durableEnd: 1 });
        expect(first!.bytes).toBeGreaterThan(second!.bytes);
        expect(second!.bytes).toBeGreaterThan(0);
        const { first: begin, stableEnd, durableEnd } = first!;
        expect(await log.range(at(), waiting)).toMatchObject({ first: begin, stableEnd, durableEnd });
        await expect(log.range(at(2), waiting)).rejects.toMatchObject({ code: 'log.topicNotFound' });
      });

      it('gives a record back as it was: bytes, headers in order with repeated names, timestamp', async () => {
        await create();
        const records: readonly NewRecord[] = [
          { value: randomBytes(5_000), headers: ['a', '1', 'b', 'ěščř ☂ 🙂', 'a', '2', 'empty', ''], timestamp: 1 },
          { value: new Uint8Array(0), headers: [], timestamp: 1_700_000_000_123 },
          { value: Buffer.from('"\0\r\n'), headers: ['quote', '"\r\n\t\\'], timestamp: 1_700_000_000_122 },
        ];
        await log.append(at(), records, waiting);
        const read = await readFrom(0, 3);
        expect(read.map(({ offset }) => offset)).toEqual([0, 1, 2]);
        for (const [index, record] of records.entries()) {
          expect(read[index]!.headers).toEqual(record.headers);
          expect(read[index]!.timestamp).toBe(record.timestamp);
          const { value, memory, valueStart, valueEnd } = read[index]!;
          expect(Buffer.from(value).equals(record.value)).toBe(true);
          expect(memory.subarray(valueStart, valueEnd).equals(record.value), 'it lies where the record says').toBe(
            true,
          );
        }
      });

      it('stores headers that records share with each of them, behind its own', async () => {
        await create();
        const [one, two] = [
          ['shared', 'ěščř'],
          ['other', '2', 'other', ''],
        ];
        const sent = [
          { own: ['a', '1'], sharedHeaders: one },
          { own: [], sharedHeaders: one },
          { own: ['b', '2'], sharedHeaders: [] },
          { own: ['c', '3'], sharedHeaders: two },
          { own: ['d', '4'], sharedHeaders: one },
        ];
        const records = sent.map(({ own, sharedHeaders }) => ({ ...recordOf('x'), headers: own, sharedHeaders }));
        await log.append(at(), records, waiting);
        const read = await readFrom(0, sent.length);
        expect(read.map(({ headers }) => headers)).toEqual(
          sent.map(({ own, sharedHeaders }) => [...own, ...sharedHeaders]),
        );
      });

      it('stores the records of a run as those of its list', async () => {
        await create();
        const timestamp = 1_700_000_000_000;
        const values = Array.from({ length: 600 }, (_, index) => Buffer.alloc(index % 1500, `${index} `));
        const ids = values.map((_, index) => String(index).padStart(8, '0'));
        const runs = [['shared', 'ěščř "'], []].map((sharedHeaders) =>
          recordRun({ name: 'id', ids, values, sharedHeaders, timestamp }),
        );
        for (const run of runs) await log.append(at(), run, waiting);
        const read = await readFrom(0, 2 * values.length);
        const listed = runs.flatMap((run) => run.list());
        expect(read.map(({ headers }) => headers)).toEqual(
          listed.map(({ headers, sharedHeaders = [] }) => [...headers, ...sharedHeaders]),
        );
        expect(new Set(read.map((record) => record.timestamp))).toEqual(new Set([timestamp]));
        expect(read.every(({ value }, index) => Buffer.from(value).equals(listed[index]!.value))).toBe(true);
      });

      it('gives concurrent appends of several instances distinct offsets, the records of each together', async () => {
        await create();
        const other = await openAnother();
        const sent = Array.from({ length: 200 }, (_, index) => ({
          texts: Array.from({ length: 1 + (index % 5) }, (_, part) => `${index}:${part}`),
          into: index % 2 === 0 ? log : other,
        }));
        const offsets = await Promise.all(sent.map(({ texts, into }) => append(texts, at(), into)));
        const total = sent.reduce((sum, { texts }) => sum + texts.length, 0);
        expect(await rangeOf()).toMatchObject({ first: 0, durableEnd: total });
        const texts = textsOf(await readFrom(0, total));
        for (const [index, { texts: expected }] of sent.entries()) {
          const offset = offsets[index]!;
          expect(texts.slice(offset, offset + expected.length)).toEqual(expected);
        }
      });

      it('keeps the order in which one instance appended', async () => {
        await create();
        const offsets = await Promise.all(Array.from({ length: 100 }, (_, index) => append([String(index)])));
        expect(offsets).toEqual(Array.from({ length: 100 }, (_, index) => index));
      });

      it('takes many records and large ones', async () => {
        await create();
        const many = Array.from({ length: 10_000 }, (_, index) => `record ${index}`);
        expect(await append(many)).toBe(0);
        const large = randomBytes(700_000);
        expect(await log.append(at(), [{ value: large, headers: [], timestamp: 1 }], waiting)).toBe(10_000);
        const read = await readFrom(0, 10_001);
        expect(textsOf(read.slice(0, 10_000))).toEqual(many);
        expect(Buffer.from(read[10_000]!.value).equals(large)).toBe(true);
      });

      it('D1: tells what is wrong by its promise and never throws, so that each append has an end for its caller', async () => {
        await create();
        const aborted = { signal: AbortSignal.abort(new Error('enough')) };
        const appends = [
          log.append(at(), [recordOf('a')], aborted),
          log.append(at(1), [recordOf('a')], waiting),
          log.append(at(0, `${topic}.none`), [recordOf('a')], waiting),
        ];
        const ends = await Promise.allSettled(appends);
        expect(ends.map(({ status }) => status)).toEqual(appends.map(() => 'rejected'));
        await log[Symbol.asyncDispose]();
        const late = log.append(at(), [recordOf('a')], waiting);
        await expect(late).rejects.toMatchObject({ code: 'log.closed' });
      });

      it('refuses a record that is larger than the topic takes, and appends nothing of the call', async () => {
        const spec = { name: topic, partitions: 1, maxRecordBytes: 10_000 };
        identities.set(topic, (await log.createTopic(spec, waiting)).identity);
        const tooLarge = { value: randomBytes(20_000), headers: [], timestamp: 1 };
        await expect(log.append(at(), [recordOf('a'), tooLarge], waiting)).rejects.toMatchObject({
          code: 'log.recordTooLarge',
        });
        expect(await rangeOf()).toMatchObject({ first: 0, durableEnd: 0 });
        expect(await append(['b'])).toBe(0);
      });
    });

    describe('ranges, last record, time, trim', () => {
      it('shows an append to every instance as soon as it has resolved', async () => {
        await create();
        const other = await openAnother();
        for (const end of [1, 2, 3]) {
          await append(['a']);
          expect(await rangeOf(at(), other)).toMatchObject({ stableEnd: end, durableEnd: end });
        }
      });

      it('gives the last record, and none of an empty partition', async () => {
        await create();
        expect(await log.lastRecord(at(), waiting)).toBeUndefined();
        await append(['a', 'b']);
        await append(['c']);
        const last = await log.lastRecord(at(), waiting);
        expect(last).toMatchObject({ offset: 2 });
        expect(textsOf([last!])).toEqual(['c']);
      });

      it('D2: gives all records to whoever reads it without a group, batch by batch, and none behind the last', async () => {
        await create();
        const readAll = async (from: number) => {
          const batches: RecordBatch[] = [];
          for (let next = from; ;) {
            const batch = await log.read(at(), next, waiting);
            if (batch.next === next) return recordsOf([...batches, batch]);
            batches.push(batch);
            next = batch.next;
          }
        };
        expect(await readAll(0)).toEqual([]);
        const large = 'x'.repeat(400_000);
        for (const text of ['a', large, large, large, 'b']) await append([text, text]);
        expect(textsOf(await readAll(0))).toEqual(['a', 'a', ...Array.from({ length: 6 }, () => large), 'b', 'b']);
        expect(textsOf(await readAll(9))).toEqual(['b']);
        expect((await log.read(at(), 10, waiting)).failure).toBeUndefined();
        const failure = { code: 'progress.logBehind', details: { partition: 0, offset: 11, end: 10 } };
        expect(await log.read(at(), 11, waiting)).toMatchObject({ records: [], next: 11, failure });
        await log.trim(at(), 8, waiting);
        expect(await log.read(at(), 0, waiting)).toMatchObject({ first: 8 });
        expect(textsOf(await readAll(0)).slice(-2)).toEqual(['b', 'b']);
        const before = at();
        await log.deleteTopic(topic, waiting);
        await expect(log.read(before, 0, waiting)).rejects.toMatchObject({ code: 'log.topicNotFound' });
        await create();
        await expect(log.read(before, 0, waiting)).rejects.toMatchObject({ code: 'progress.topicChanged' });
      });

      it('D2: has what it gave in an epoch, where it counts epochs', async () => {
        await create();
        await append(['a', 'b']);
        const member = await join();
        await pollUntil(member, () => member.assignment.partitions.length > 0);
        member.seek(at(), 0);
        const [batch] = await pollUntil(member, (batches) => recordsOf(batches).length > 0);
        const { epoch = 0, next } = batch!;
        const found = await log.epochEnd(at(), epoch, waiting);
        expect(found).toEqual(batch!.epoch === undefined ? undefined : { epoch, end: 2 });
        expect(found && cutBelow({ position: next - 1, epoch }, found)).toBeUndefined();
      });

      it('finds the first record since a time', async () => {
        await create();
        expect(await log.offsetForTime(at(), 5, waiting)).toBe(0);
        for (const timestamps of [[1_000], [2_000, 2_000, 3_000], [4_000]]) {
          await log.append(
            at(),
            timestamps.map((timestamp) => ({ ...recordOf('x'), timestamp })),
            waiting,
          );
        }
        const found = [];
        for (const time of [0, 1_000, 1_001, 2_000, 2_500, 3_000, 3_001, 4_000, 4_001]) {
          found.push(await log.offsetForTime(at(), time, waiting));
        }
        expect(found).toEqual([0, 0, 1, 1, 3, 3, 4, 4, 5]);
      });

      it('finds no record by time that a trim took', async () => {
        await create();
        for (const timestamp of [1_000, 2_000, 3_000]) {
          await log.append(at(), [{ ...recordOf('x'), timestamp }], waiting);
        }
        await log.trim(at(), 2, waiting);
        const { first } = (await rangeOf())!;
        expect(await log.offsetForTime(at(), 0, waiting)).toBe(first);
        expect(await log.offsetForTime(at(), 3_000, waiting)).toBe(2);
        await log.trim(at(), 3, waiting);
        expect(await log.offsetForTime(at(), 0, waiting)).toBe(3);
      });

      it('removes records below the trim and none at or above it; offsets go on', async () => {
        await create();
        for (const text of ['a', 'b', 'c', 'd']) await append([text]);
        await log.trim(at(), 2, waiting);
        const range = await rangeOf();
        expect(range!.first).toBeLessThanOrEqual(2);
        expect(range!.durableEnd).toBe(4);
        expect(textsOf((await readFrom(2, 2)).filter(({ offset }) => offset >= 2))).toEqual(['c', 'd']);
        await log.trim(at(), 4, waiting);
        expect(await rangeOf()).toMatchObject({ first: 4, durableEnd: 4 });
        expect(await log.lastRecord(at(), waiting)).toBeUndefined();
        expect(await append(['e'])).toBe(4);
        expect(await log.lastRecord(at(), waiting)).toMatchObject({ offset: 4 });
      });

      it('a trim that is repeated or lies below the first offset does nothing', async () => {
        await create();
        await append(['a', 'b', 'c']);
        await append(['d']);
        await log.trim(at(), 3, waiting);
        const before = await rangeOf();
        await log.trim(at(), 3, waiting);
        await log.trim(at(), 0, waiting);
        expect(await rangeOf()).toEqual(before);
      });
    });

    describe('groups', () => {
      it('assigns the subscribed partitions and reads nothing of them before the first seek', async () => {
        await create(2);
        await append(['a']);
        const member = await join();
        expect(member.assignment).toEqual({ generation: 0, partitions: [] });
        await pollUntil(member, () => holds(member, at(0), at(1)));
        expect(member.assignment.generation).toBeGreaterThan(0);
        expect(await member.poll({ maxBytes: 1_000, maxWaitMs: 0 }, waiting)).toEqual([]);
        await append(['b']);
        expect(await member.poll({ maxBytes: 1_000, maxWaitMs: 100 }, waiting)).toEqual([]);
        member.seek(at(), 0);
        const batches = await pollUntil(member, (found) => recordsOf(found).length > 0);
        expect(batches.find(({ records }) => records.length > 0)).toMatchObject({ ...at(), first: 0 });
      });

      it('reads from the position of the seek, again after another seek, and goes on by itself', async () => {
        await create();
        await append(['a', 'b', 'c']);
        const member = await join();
        await pollUntil(member, () => holds(member, at()));
        const read = async (count: number) =>
          textsOf(recordsOf(await pollUntil(member, (batches) => recordsOf(batches).length >= count)));
        member.seek(at(), 1);
        expect(await read(2)).toEqual(['b', 'c']);
        member.seek(at(), 0);
        expect(await read(3)).toEqual(['a', 'b', 'c']);
        await append(['d']);
        expect(await read(1)).toEqual(['d']);
      });

      it('ends a waiting poll when another instance appends', async () => {
        await create();
        const member = await join();
        await pollUntil(member, () => holds(member, at()));
        member.seek(at(), 0);
        const other = await openAnother();
        const polled = pollUntil(member, (batches) => recordsOf(batches).length > 0);
        await append(['a'], at(), other);
        expect(textsOf(recordsOf(await polled))).toEqual(['a']);
      });

      it('gives about maxBytes of a poll, at least one record, and skips none', async () => {
        await create();
        const texts = Array.from({ length: 50 }, (_, index) => `${index}${'x'.repeat(1_000)}`);
        await append(texts);
        const member = await join();
        await pollUntil(member, () => holds(member, at()));
        member.seek(at(), 0);
        const read: LogRecord[] = [];
        let polls = 0;
        await eventually(async () => {
          const found = recordsOf(await member.poll({ maxBytes: 5_000, maxWaitMs: 1_000 }, waiting));
          if (found.length > 0) polls += 1;
          read.push(...found);
          return read.length >= 50;
        });
        expect(textsOf(read)).toEqual(texts);
        expect(read.map(({ offset }) => offset)).toEqual(texts.map((_, index) => index));
        expect(polls).toBeGreaterThan(2);
      });

      it('records stay as they are while others are read and appended', async () => {
        await create();
        const member = await join();
        await pollUntil(member, () => holds(member, at()));
        member.seek(at(), 0);
        const read: LogRecord[] = [];
        for (let round = 0; round < 5; round++) {
          const record = { ...recordOf(`${round}`.repeat(20_000)), headers: ['round', `${round}`] };
          await log.append(at(), [record], waiting);
          read.push(...recordsOf(await pollUntil(member, (batches) => recordsOf(batches).length > 0)));
        }
        await log.trim(at(), 5, waiting);
        expect(textsOf(read)).toEqual([0, 1, 2, 3, 4].map((round) => `${round}`.repeat(20_000)));
        expect(read.map(({ headers }) => headers)).toEqual([0, 1, 2, 3, 4].map((round) => ['round', `${round}`]));
      });

      it('a batch says where the next poll goes on', async () => {
        await create();
        await append(['a', 'b']);
        const member = await join();
        await pollUntil(member, () => holds(member, at()));
        member.seek(at(), 0);
        const batches = await pollUntil(member, (found) => recordsOf(found).length >= 2);
        expect(batches.at(-1)).toMatchObject({ next: 2 });
        member.seek(at(), batches.at(-1)!.next);
        await append(['c']);
        expect(textsOf(recordsOf(await pollUntil(member, (found) => recordsOf(found).length > 0)))).toEqual(['c']);
      });

      it('does not read a paused partition, and goes on where it was after a resume', async () => {
        await create(2);
        await append(['a']);
        await append(['b'], at(1));
        const member = await join();
        await pollUntil(member, () => holds(member, at(0), at(1)));
        member.seek(at(0), 0);
        member.seek(at(1), 0);
        member.pause(at(0));
        const first = await pollUntil(member, (found) => recordsOf(found).length > 0);
        expect(textsOf(recordsOf(first))).toEqual(['b']);
        member.resume(at(0));
        expect(textsOf(recordsOf(await pollUntil(member, (found) => recordsOf(found).length > 0)))).toEqual(['a']);
      });

      it('reads from the first offset when the position was trimmed away, and says so', async () => {
        await create();
        for (const text of ['a', 'b', 'c']) await append([text]);
        await log.trim(at(), 2, waiting);
        const { first } = (await rangeOf())!;
        const member = await join();
        await pollUntil(member, () => holds(member, at()));
        member.seek(at(), 0);
        const batches = await pollUntil(member, (found) => recordsOf(found).length >= 3 - first);
        expect(batches[0]).toMatchObject({ first });
        expect(recordsOf(batches)[0]).toMatchObject({ offset: first });
      });

      it('tells at once, without a record, that everything from the position on was trimmed away', async () => {
        await create();
        await append(['a']);
        await append(['b']);
        await log.trim(at(), 2, waiting);
        const member = await join();
        await pollUntil(member, () => holds(member, at()));
        member.seek(at(), 0);
        const batches = await pollUntil(member, (found) => found.length > 0);
        expect(batches[0]).toMatchObject({ ...at(), records: [], first: 2, next: 2 });
      });

      it('picks up partitions that a topic gets after the subscription; those that are held keep their positions', async () => {
        await create(1);
        await append(['a', 'b']);
        const member = await join();
        await pollUntil(member, () => holds(member, at()));
        member.seek(at(), 1);
        expect(textsOf(recordsOf(await pollUntil(member, (batches) => recordsOf(batches).length > 0)))).toEqual(['b']);
        await (await openAnother()).growTopic(topic, 3, waiting);
        await pollUntil(member, () => holds(member, at(0), at(1), at(2)));
        await append(['c'], at(2));
        member.seek(at(2), 0);
        expect(textsOf(recordsOf(await pollUntil(member, (batches) => recordsOf(batches).length > 0)))).toEqual(['c']);
        await append(['d'], at(0));
        expect(textsOf(recordsOf(await pollUntil(member, (batches) => recordsOf(batches).length > 0)))).toEqual(['d']);
      });

      it('picks up a topic that is made after the subscription', async () => {
        const later = `${topic}.later`;
        await create();
        const member = await join(log, [topic, later]);
        await pollUntil(member, () => holds(member, at()));
        await create(1, later);
        await pollUntil(member, () => holds(member, at(), at(0, later)));
      });

      it('replaces the topics with a new subscription', async () => {
        const other = `${topic}.other`;
        await create();
        await create(1, other);
        const member = await join();
        await pollUntil(member, () => holds(member, at()));
        const { generation } = member.assignment;
        await member.subscribe([other], waiting);
        await pollUntil(member, () => holds(member, at(0, other)));
        expect(member.assignment.generation).toBeGreaterThan(generation);
        expect(() => member.seek(at(), 0)).toThrow(expect.objectContaining({ code: 'log.notAssigned' }));
      });

      it('drops a deleted topic from the assignment', async () => {
        const other = `${topic}.other`;
        await create();
        await create(1, other);
        const member = await join(log, [topic, other]);
        await pollUntil(member, () => holds(member, at(), at(0, other)));
        await log.deleteTopic(other, waiting);
        await pollUntil(member, () => holds(member, at()));
      });

      it('shares the partitions among members, each to one, and gives all to the one that stays', async () => {
        await create(4);
        const all = [0, 1, 2, 3].map((partition) => partitionKey(at(partition)));
        const first = await join(log, [topic], 'first');
        const second = await join(await openAnother(), [topic], 'second');
        const keysOf = (member: GroupMember) => member.assignment.partitions.map(partitionKey);
        await pollBothUntil([first, second], () => {
          const held = [...keysOf(first), ...keysOf(second)].sort();
          return keysOf(first).length > 0 && keysOf(second).length > 0 && held.join() === all.join();
        });
        await first[Symbol.asyncDispose]();
        await pollUntil(second, () => keysOf(second).sort().join() === all.join());
      });

      it('D3: what a member holds no more is not in its next batches', async () => {
        await create(4);
        const all = [0, 1, 2, 3].map((partition) => at(partition));
        for (const place of all) await append(Array.from({ length: 50 }, String), place);
        const first = await join(log, [topic], 'first');
        await pollUntil(first, () => holds(first, ...all));
        const seekAll = (): void => {
          for (const place of first.assignment.partitions) first.seek(place, 0);
        };
        seekAll();
        await using second = await join(await openAnother(), [topic], 'second');
        await eventually(async () => {
          await second.poll({ maxBytes: 1, maxWaitMs: 0 }, waiting);
          const batches = await first.poll({ maxBytes: 1, maxWaitMs: 50 }, waiting);
          const held = first.assignment.partitions.map(partitionKey);
          expect(batches.map(partitionKey).filter((key) => !held.includes(key))).toEqual([]);
          const isShared = held.length < all.length && second.assignment.partitions.length > 0;
          // What was read up goes back to be read again, so that every partition has something for the next poll.
          if (!isShared) seekAll();
          return isShared;
        });
        for (let polls = 0; polls < 20; polls += 1) {
          const batches = await first.poll({ maxBytes: 1, maxWaitMs: 0 }, waiting);
          const held = first.assignment.partitions.map(partitionKey);
          expect(batches.map(partitionKey).filter((key) => !held.includes(key))).toEqual([]);
        }
      });

      it('keeps groups apart', async () => {
        await create();
        const first = await join();
        await pollUntil(first, () => holds(first, at()));
        group = `${group}-other`;
        const second = await join();
        await pollBothUntil([first, second], () => holds(first, at()) && holds(second, at()));
      });

      it('refuses to move a partition that the member does not hold', async () => {
        await create();
        const member = await join();
        const notAssigned = expect.objectContaining({ code: 'log.notAssigned' }) as unknown;
        for (const move of ['pause', 'resume'] as const) {
          expect(() => member[move](at(7))).toThrow(notAssigned);
        }
        expect(() => member.seek(at(7), 0)).toThrow(notAssigned);
      });

      it('W5: reading without a group moves the position of none, and ends when it is aborted', async () => {
        await create();
        await append(['a', 'b', 'c']);
        const member = await join();
        await pollUntil(member, () => holds(member, at()));
        await member.commit(at(), 1, waiting);
        expect(textsOf((await log.read(at(), 0, waiting)).records)).toEqual(['a', 'b', 'c']);
        expect(await member.committed(at(), waiting)).toBe(1);
        const reason = new Error('left');
        await expect(log.read(at(), 0, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
      });

      it('notes how far a group has come, for every member and instance', async () => {
        await create();
        const member = await join();
        expect(await member.committed(at(), waiting)).toBeUndefined();
        await pollUntil(member, () => holds(member, at()));
        await member.commit(at(), 5, waiting);
        await member.commit(at(), 7, waiting);
        expect(await member.committed(at(), waiting)).toBe(7);
        const other = await join(await openAnother());
        expect(await other.committed(at(), waiting)).toBe(7);
      });

      it('returns from a waiting poll when woken', async () => {
        await create();
        const member = await join();
        await pollUntil(member, () => holds(member, at()));
        const polled = member.poll({ maxBytes: 1_000, maxWaitMs: deadlineMs }, waiting);
        member.wake();
        expect(await polled).toEqual([]);
      });
    });

    describe('a topic that is made anew under those who use it', () => {
      const remake = async (by = log) => {
        await by.deleteTopic(topic, waiting);
        return create();
      };

      it('D3: is another partition to a member that reads it: no batch, position or pause of the one before is its own', async () => {
        await create();
        const before = at();
        await append(['a', 'b', 'c']);
        const member = await join();
        await pollUntil(member, () => holds(member, before));
        member.seek(before, 0);
        const read = await pollUntil(member, (found) => recordsOf(found).length >= 3);
        expect(new Set(read.map(({ identity }) => identity))).toEqual(new Set([before.identity]));
        const { generation } = member.assignment;
        await remake();
        await append(['d', 'e', 'f', 'g', 'h']);
        const meanwhile = await pollUntil(member, () => holds(member, at()));
        expect(recordsOf(meanwhile)).toEqual([]);
        expect(member.assignment.generation).toBeGreaterThan(generation);
        expect(recordsOf(await member.poll({ maxBytes: 1_000, maxWaitMs: 300 }, waiting))).toEqual([]);
        for (const move of [() => member.seek(before, 0), () => member.pause(before), () => member.resume(before)]) {
          expect(move).toThrow(expect.objectContaining({ code: 'log.notAssigned' }));
        }
        member.seek(at(), 1);
        const anew = await pollUntil(member, (found) => recordsOf(found).length >= 4);
        expect(textsOf(recordsOf(anew))).toEqual(['e', 'f', 'g', 'h']);
        expect(new Set(anew.map(({ identity }) => identity))).toEqual(new Set([at().identity]));
      });

      it('D3: takes no append that means the one before, from whoever knows only that; one that names none is its own', async () => {
        await create();
        const before = at();
        const other = await openAnother();
        expect(await append(['a'], before, other)).toBe(0);
        await remake();
        const changed = { code: 'progress.topicChanged' };
        await expect(append(['b'], before, other)).rejects.toMatchObject(changed);
        await expect(append(['c'], before)).rejects.toMatchObject(changed);
        expect(await rangeOf()).toMatchObject({ first: 0, durableEnd: 0 });
        expect(await other.append({ topic, partition: 0 }, [recordOf('d')], waiting)).toBe(0);
        expect(await append(['e'], at(), other)).toBe(1);
        expect(textsOf(await readFrom(0, 2))).toEqual(['d', 'e']);
      });

      it('D3: has none of the appends that mean the one before and run while it is made', async () => {
        await create();
        const before = at();
        const other = await openAnother();
        await append(['first'], before, other);
        const running = [log, other].flatMap((from) =>
          Array.from({ length: 20 }, (_, index) => append([`${index}`], before, from)),
        );
        const settled = Promise.allSettled(running);
        await remake();
        const codes = (await settled).flatMap((answer) =>
          answer.status === 'rejected' ? [(answer.reason as { readonly code?: unknown }).code] : [],
        );
        expect(codes.filter((code) => code !== 'progress.topicChanged' && code !== 'log.topicNotFound')).toEqual([]);
        expect(await rangeOf()).toMatchObject({ first: 0, durableEnd: 0 });
      });

      it('D2, D3: loses nothing by a trim that means the one before', async () => {
        await create();
        const before = at();
        const other = await openAnother();
        await append(['a', 'b'], before, other);
        await remake();
        await append(['c', 'd', 'e']);
        await expect(other.trim(before, 2, waiting)).rejects.toMatchObject({ code: 'progress.topicChanged' });
        expect(await rangeOf()).toMatchObject({ first: 0, durableEnd: 3 });
      });
    });

    describe('waiting and closing', () => {
      it('rejects with the reason of the signal and changes nothing', async () => {
        await create();
        const reason = new Error('enough');
        const signal = AbortSignal.abort(reason);
        const member = await join();
        await pollUntil(member, () => holds(member, at()));
        const before = await rangeOf();
        const calls: readonly (() => Promise<unknown>)[] = [
          () => log.createTopic({ name: `${topic}.other`, partitions: 1 }, { signal }),
          () => log.deleteTopic(topic, { signal }),
          () => log.describeTopic(topic, { signal }),
          () => log.listTopics(topic, { signal }),
          () => log.ranges(topic, { signal }),
          () => log.offsetForTime(at(), 0, { signal }),
          () => log.lastRecord(at(), { signal }),
          () => log.read(at(), 0, { signal }),
          () => log.append(at(), [recordOf('a')], { signal }),
          () => log.trim(at(), 1, { signal }),
          () => log.join({ group, member: 'other' }, { signal }),
          () => member.subscribe([], { signal }),
          () => member.poll({ maxBytes: 1_000, maxWaitMs: 0 }, { signal }),
          () => member.commit(at(), 1, { signal }),
          () => member.committed(at(), { signal }),
        ];
        for (const call of calls) await expect(call()).rejects.toBe(reason);
        expect(await log.listTopics(topic, waiting)).toEqual([topic]);
        expect(await rangeOf()).toEqual(before);
        expect(await member.committed(at(), waiting)).toBeUndefined();
        const controller = new AbortController();
        const polled = member.poll({ maxBytes: 1_000, maxWaitMs: deadlineMs }, controller);
        controller.abort(reason);
        await expect(polled).rejects.toBe(reason);
        expect(await member.poll({ maxBytes: 1_000, maxWaitMs: 0 }, waiting)).toEqual([]);
      });

      it('an append that is given up on its way is there whole or not at all, and disturbs no other', async () => {
        await create();
        const reason = new Error('enough');
        const answers: unknown[] = [];
        const kept: string[] = [];
        for (let round = 0; round < 6; round++) {
          const stop = new AbortController();
          const parts = [`${round}.a`, `${round}.b`, `${round}.c`].map(recordOf);
          const given = log.append(at(), parts, { signal: stop.signal }).then(
            () => 'done',
            (thrown: unknown) => thrown,
          );
          const other = append([`${round}.kept`]);
          for (let turn = 0; turn < round; turn++) await new Promise((resolve) => setImmediate(resolve));
          stop.abort(reason);
          answers.push(await given);
          await other;
          kept.push(`${round}.kept`);
        }
        expect(answers.filter((answer) => answer !== 'done' && answer !== reason)).toEqual([]);
        const { durableEnd: end } = (await rangeOf())!;
        const texts = textsOf(await readFrom(0, end)).slice(0, end);
        expect(texts.filter((text) => text.endsWith('kept'))).toEqual(kept);
        for (const [round, answer] of answers.entries()) {
          const found = texts.join(' ').split(`${round}.a ${round}.b ${round}.c`).length - 1;
          const parts = texts.filter((text) => text.startsWith(`${round}.`)).length - 1;
          expect([answer === 'done' ? [1] : [0, 1], parts]).toEqual([expect.arrayContaining([found]), found * 3]);
        }
      });

      it('D8: calls that have ended hold nothing of a signal that lives on', async () => {
        await create();
        const { signal } = new AbortController();
        const member = await join();
        await pollUntil(member, () => holds(member, at()));
        member.seek(at(), 0);
        for (let round = 0; round < 20; round++) {
          await log.append(at(), [recordOf('a')], { signal });
          await member.poll({ maxBytes: 1_000, maxWaitMs: 20 }, { signal });
          await member.commit(at(), round, { signal });
          await log.ranges(topic, { signal });
          await log.lastRecord(at(), { signal });
          await log.createTopic({ name: topic, partitions: 1 }, { signal });
        }
        await expect.poll(() => getEventListeners(signal, 'abort').length).toBeLessThan(10);
      });

      it('D1: what was acknowledged is there after the log was opened again', async () => {
        await create(2);
        await append(['a', 'b']);
        await append(['c'], at(1));
        const described = await log.describeTopic(topic, waiting);
        await log[Symbol.asyncDispose]();
        log = await openAnother();
        expect(await log.describeTopic(topic, waiting)).toEqual(described);
        expect(await rangeOf()).toMatchObject({ first: 0, durableEnd: 2 });
        expect(textsOf(await readFrom(0, 2))).toEqual(['a', 'b']);
        expect(await append(['d'])).toBe(2);
      });

      it('settles accepted appends when it closes, then refuses calls; closing twice is harmless', async () => {
        await create();
        const accepted = append(['a']);
        await log[Symbol.asyncDispose]();
        await log[Symbol.asyncDispose]();
        expect(await accepted).toBe(0);
        await expect(append(['b'])).rejects.toMatchObject({ code: 'log.closed' });
        await expect(log.ranges(topic, waiting)).rejects.toMatchObject({ code: 'log.closed' });
      });
    });
  });
}

function recordOf(text: string): NewRecord {
  return { value: Buffer.from(text), headers: [], timestamp: 1_700_000_000_000 };
}

function recordsOf(batches: readonly RecordBatch[]): LogRecord[] {
  return batches.flatMap(({ records }) => [...records]);
}

function textsOf(records: readonly LogRecord[]): string[] {
  return records.map(({ value }) => Buffer.from(value).toString());
}

/** True when the member holds exactly these partitions. */
function holds(member: GroupMember, ...partitions: readonly IdentifiedPartition[]): boolean {
  return member.assignment.partitions.map(identifiedKey).sort().join() === partitions.map(identifiedKey).sort().join();
}

/** Polls until the batches of all polls together are enough. */
async function pollUntil(
  member: GroupMember,
  enough: (batches: readonly RecordBatch[]) => boolean,
): Promise<readonly RecordBatch[]> {
  const batches: RecordBatch[] = [];
  await eventually(async () => {
    batches.push(...(await member.poll({ maxBytes: 10_000_000, maxWaitMs: 1_000 }, waiting)));
    return enough(batches);
  });
  return batches;
}

async function pollBothUntil(members: readonly GroupMember[], enough: () => boolean): Promise<void> {
  await eventually(async () => {
    await Promise.all(members.map((member) => member.poll({ maxBytes: 1_000, maxWaitMs: 200 }, waiting)));
    return enough();
  });
}

async function eventually(attempt: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + deadlineMs;
  while (!(await attempt())) {
    if (performance.now() > deadline) throw new Error(`not within ${deadlineMs} ms`);
  }
}
