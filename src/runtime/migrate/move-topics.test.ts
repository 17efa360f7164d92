import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLmdbEventLog } from '../../adapters/lmdb/event-log.ts';
import { listOf, type EventLog, type NewRecord } from '../../ports/event-log.ts';
import { waiting } from '../../../test/contract/store-on-test.ts';
import { withMethod } from '../../../test/support/with-method.ts';
import { entryOf, type SinkProgress } from '../../core/progress/sink-progress.ts';
import { progressOf } from '../../../test/support/progress-of.ts';
import { systemClock } from '../system-clock.ts';
import { moveTopic, verifyTopic } from './move-topics.ts';
import type { PlannedTopic } from './plan.ts';
import { rangesOf } from './plan.ts';
import { recordsOf } from './topic-records.ts';

let folder: string;
let stack: AsyncDisposableStack;
let from: EventLog;
let to: EventLog;

const name = 'source.1.shop';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-move-'));
  stack = new AsyncDisposableStack();
  const open = async (path: string): Promise<EventLog> =>
    stack.use(await openLmdbEventLog({ path: join(folder, path), instance: path, clock: systemClock }));
  [from, to] = [await open('from'), await open('to')];
});

afterEach(async () => {
  await stack.disposeAsync();
  await rm(folder, { recursive: true, force: true });
});

function recordOf(number: number): NewRecord {
  return { value: Buffer.from(`{"n":${number}}`), headers: ['a', String(number), 'a', ''], timestamp: 1000 + number };
}

/** Of two partitions, whose first records retention has taken. */
async function planned(log: PlannedTopic['log'], readers?: readonly SinkProgress[]): Promise<PlannedTopic> {
  const topic = await from.createTopic({ name, partitions: 2 }, waiting);
  // Records that are appended together go together, so there are many appends.
  for (const [partition, count] of [300, 40].entries())
    for (let at = 0; at < count; at += 20) {
      const records = Array.from({ length: 20 }, (_, more) => recordOf(at + more));
      await from.append({ topic: name, partition }, records, waiting);
    }
  await from.trim({ topic: name, partition: 0, identity: topic.identity }, 120, waiting);
  return { ...topic, log, ranges: await rangesOf(from, topic, { ...waiting, readers, onBytes: () => undefined }) };
}

const move = (target = to) => ({
  from,
  to: target,
  maxAppendBytes: 2000,
  now: 1,
  onBytes: () => undefined,
  ...waiting,
});

async function numbersIn(log: EventLog, partition: number): Promise<readonly (readonly [number, number])[]> {
  const topic = await log.describeTopic(name, waiting);
  const { first, durableEnd: end } = await log.range({ topic: name, partition }, waiting);
  const found: [number, number][] = [];
  const at = { topic: name, partition, identity: topic?.identity ?? '' };
  for await (const records of recordsOf(log, { at, first, end }, waiting))
    for (const { offset, timestamp } of records) found.push([offset, timestamp - 1000]);
  return found;
}

describe('a topic that is copied', () => {
  it('M2: of a source keeps the offset of each event, also where the first ones are gone', async () => {
    const topic = await planned('source');
    const before = topic.ranges[0]?.first ?? 0;
    expect(before).toBeGreaterThan(0);
    const moved = await moveTopic(topic, move());
    expect(moved.firsts).toEqual([0, 0]);
    for (const partition of [0, 1]) expect(await numbersIn(to, partition)).toEqual(await numbersIn(from, partition));
  });

  it('M2: of a sink begins at 0, and says what that was', async () => {
    const topic = await planned('sink');
    const first = topic.ranges[0]?.first ?? 0;
    const moved = await moveTopic(topic, move());
    expect(moved.firsts).toEqual([first, 0]);
    const before = await numbersIn(from, 0);
    expect(await numbersIn(to, 0)).toEqual(before.map(([offset, number]) => [offset - first, number]));
  });

  it('M3: takes the place of what a copy has left that was cut off', async () => {
    const topic = await planned('source');
    await to.createTopic({ name, partitions: 2 }, waiting);
    await to.append({ topic: name, partition: 1 }, [recordOf(7)], waiting);
    await moveTopic(topic, move());
    expect(await numbersIn(to, 1)).toEqual(await numbersIn(from, 1));
  });

  it('M3: with a record twice, missing or altered is no copy', async () => {
    const topic = await planned('source');
    const twice = withMethod(to, 'append', async (at, records, options) => {
      const offset = await to.append(at, records, options);
      if (listOf(records).some(({ timestamp }) => timestamp === 1200)) await to.append(at, records, options);
      return offset;
    });
    await expect(moveTopic(topic, move(twice))).rejects.toMatchObject({ code: 'migration.failed' });
    const altered = withMethod(to, 'append', (at, records, options) =>
      to.append(
        at,
        listOf(records).map((one) => (one.timestamp === 1200 ? { ...recordOf(200), timestamp: 1 } : one)),
        options,
      ),
    );
    await expect(moveTopic(topic, move(altered))).rejects.toMatchObject({ code: 'migration.failed' });
    const moved = await moveTopic(topic, move());
    await to.append({ topic: name, partition: 0 }, [recordOf(1)], waiting);
    await expect(verifyTopic(topic, moved, { from, to, ...waiting })).rejects.toMatchObject({
      code: 'migration.failed',
    });
  });

  it('M3: may have lost what every sink has taken, because Kafka removes it by its own rules, and nothing else', async () => {
    const begun = progressOf(0, 0);
    const entries = { 0: { ...entryOf(begun, 0), source: 219 }, 1: { ...entryOf(begun, 1), source: 39 } };
    const topic = await planned('source', [{ ...begun, entries }]);
    expect(topic.ranges.map(({ needed }) => needed)).toEqual([220, 40]);
    const moved = await moveTopic(topic, move());
    const at = { topic: name, partition: 0, identity: moved.identity };
    const verify = (target = to) => verifyTopic(topic, moved, { from, to: target, ...waiting });
    await to.trim(at, 200, waiting);
    await to.trim({ ...at, partition: 1 }, 40, waiting);
    await verify();
    // More goes while it is read.
    const shrinking = withMethod(to, 'read', async (place, offset, options) => {
      await to.trim(at, 220, waiting);
      return to.read(place, offset, options);
    });
    await verify(shrinking);
    await to.append(at, [recordOf(1)], waiting);
    await expect(verify()).rejects.toMatchObject({ code: 'migration.failed' });
    const again = await moveTopic(topic, move());
    await to.trim({ ...at, identity: again.identity }, 300, waiting);
    await expect(verifyTopic(topic, again, { from, to, ...waiting })).rejects.toMatchObject({
      code: 'migration.failed',
      message: expect.stringContaining('Raise log.topics.retention') as string,
    });
  });
});
