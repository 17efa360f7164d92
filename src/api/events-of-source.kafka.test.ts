import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { beginForeignTransaction } from '../../test/support/foreign-transaction.ts';
import { onKafka, openHastyLog } from '../../test/support/on-kafka.ts';
import type { EventLog } from '../ports/event-log.ts';
import { eventually } from '../../test/support/eventually.ts';

const waiting = { signal: new AbortController().signal };

interface Events {
  readonly events: readonly { readonly body: string; readonly partition: number; readonly offset: number }[];
  readonly position: string;
  readonly skipped?: number;
}

await onKafka((kafka) => {
  const shop = `shop-${randomBytes(4).toString('hex')}`;
  const topic = `source.1.${shop}`;
  const path = `/v1/branches/default/sources/${shop}`;
  let log: EventLog;
  let harness: AdminHarness;

  beforeAll(async () => {
    log = openHastyLog(kafka.brokers);
    const config = { partitions: 2 };
    harness = await startAdmin((given) => ({ ...given, sourceLog: log, config: { ...given.config, ...config } }));
    await harness.api.task('POST', '/v1/branches/default/sources', { type: 'http', name: shop, sourceId: shop });
  });
  afterAll(async () => {
    await log.deleteTopic(topic, waiting);
    await harness[Symbol.asyncDispose]();
    await log[Symbol.asyncDispose]();
  });

  let time = 0;
  async function append(partition: number, ...bodies: readonly string[]): Promise<void> {
    const records = bodies.map((body) => ({ value: Buffer.from(body), headers: [], timestamp: (time += 1) }));
    await log.append({ topic, partition }, records, waiting);
  }
  const ask = (query = ''): Promise<Events> => harness.api.call<Events>('GET', `${path}/events${query}`);
  const from = (position: string): Promise<Events> => ask(`?position=${position}`);
  const bodies = ({ events }: Events): readonly string[] => events.map(({ body }) => body);

  it('A50: the last events and those that come are shown of a topic on Kafka, without markers and what was aborted', async () => {
    expect(await ask()).toEqual({ events: [], position: '1:0,0' });
    await append(0, 'a');
    await append(1, 'b');
    // Ten offsets that nobody reads lie behind the only record of the partition, in a file of their own: its time is another.
    for (let round = 0; round < 5; round += 1) {
      await using aborted = await beginForeignTransaction(kafka.brokers, { topic, partition: 1 }, ['never']);
      await aborted.end('abort');
    }
    const last = await ask('?limit=1');
    expect(bodies(last)).toEqual(['b']);
    expect(bodies(await ask())).toEqual(['a', 'b']);

    const { position } = await ask();
    expect(await from(position)).toEqual({ events: [], position });
    await using open = await beginForeignTransaction(kafka.brokers, { topic, partition: 1 }, ['c']);
    await append(1, 'd');
    await append(0, 'e');
    // What lies behind an open transaction comes when it ends, and nothing comes twice.
    const before = await from(position);
    expect(bodies(before)).toEqual(['e']);
    await open.end('commit');
    // The brokers write the end of a transaction after they have answered.
    const after = await eventually(async () => {
      const events = await from(before.position);
      expect(bodies(events).toSorted()).toEqual(['c', 'd']);
      return events;
    });
    expect(bodies(await from(after.position))).toEqual([]);
  });

  it('A50: a position behind the end of a topic on Kafka is refused, and what retention took is told', async () => {
    const { position } = await ask();
    const [, first = '', second = ''] = /^1:(\d+),(\d+)$/.exec(position) ?? [];
    const { status, text } = await harness.api.request(
      'GET',
      `${path}/events?position=1:${Number(first) + 1},${second}`,
    );
    expect(status).toBe(400);
    expect(text).toContain(`and the log of the source ends at ${first}`);
    await append(0, 'f', 'g', 'h');
    const identity = (await log.describeTopic(topic, waiting))?.identity ?? '';
    await log.trim({ topic, identity, partition: 0 }, Number(first) + 2, waiting);
    const told = await from(position);
    expect(told.skipped).toBe(2);
    expect([...bodies(told), ...bodies(await from(told.position))]).toEqual(['h']);
  });
});
