import { Kafka, logLevel, Partitioners, type Admin } from 'kafkajs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultBranch, parseSourceId } from '../../src/core/ids.ts';
import { sourceTopic } from '../../src/core/topic-name.ts';
import { openCluster, whyNoCluster, type Cluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { expectConserved } from '../support/exactly-once.ts';
import { rootToken } from '../support/installation.ts';
import type { ProductProcess } from '../support/process.ts';
import { Shop } from '../support/shop.ts';

const missing = await whyNoCluster();
if (missing !== undefined) console.warn(`skipped, ${missing}`);

const columns = [{ type: 'path', name: 'n', path: 'n' }];
const topic = sourceTopic({ branchId: defaultBranch, sourceId: parseSourceId('shop') });
const within = { everyMs: 200 };

describe.skipIf(missing !== undefined)('a source topic on Kafka that gets more partitions from outside', () => {
  let cluster: Cluster;
  let kafka: Kafka;
  let admin: Admin;
  let sent = 0;

  beforeAll(async () => {
    cluster = await openCluster();
    kafka = new Kafka({ brokers: cluster.brokers.split(','), logLevel: logLevel.NOTHING });
    admin = kafka.admin();
    await admin.connect();
  }, 400_000);

  afterAll(async () => {
    await admin.disconnect();
    await cluster[Symbol.asyncDispose]();
  });

  const start = (): Promise<ProductProcess> =>
    cluster.start('ingest,map,stage,import,admin', { MILLRACE_PARTITIONS: '2' });
  const shopOf = (running: ProductProcess) => new Shop({ url: running.admin, token: rootToken });
  const growTo = async (count: number): Promise<void> => {
    await admin.createPartitions({ topicPartitions: [{ topic, count }] });
    await eventually(async () => {
      const [found] = (await admin.fetchTopicMetadata({ topics: [topic] })).topics;
      expect(found?.partitions.filter(({ leader }) => leader >= 0)).toHaveLength(count);
    }, within);
  };
  /** Ten events into each partition; answers their numbers. */
  const produce = async (partitions: number): Promise<readonly number[]> => {
    const numbers = Array.from({ length: 10 * partitions }, () => (sent += 1));
    const messages = numbers.map((n) => ({ value: JSON.stringify({ n }), partition: n % partitions }));
    // One that has just come knows all partitions; what it sends again, because a leader is not ready yet, is stored once.
    const createPartitioner = Partitioners.DefaultPartitioner;
    const producer = kafka.producer({ createPartitioner, idempotent: true, maxInFlightRequests: 1 });
    await producer.connect();
    await producer.send({ topic, acks: -1, messages });
    await producer.disconnect();
    return numbers;
  };
  const expectRows = (shop: Shop, tableId: string, numbers: readonly number[]) =>
    eventually(async () => expect(await shop.numbersIn(tableId)).toEqual(numbers), within);

  it('D2, D3, D4: is followed by its sinks: while they run, while no process runs, and while one is disabled', async () => {
    const first = await start();
    let shop = shopOf(first);
    await shop.create([
      { sinkId: 'on', tableId: 'in.c-shop.on', columns },
      { sinkId: 'off', tableId: 'in.c-shop.off', columns },
    ]);
    const before = await produce(2);
    for (const sinkId of ['on', 'off']) await expectRows(shop, `in.c-shop.${sinkId}`, before);
    await shop.api.task('PUT', `${shop.sink('off')}/disable`);

    await growTo(4);
    const running = [...before, ...(await produce(4))];
    await expectRows(shop, 'in.c-shop.on', running);
    await shop.flush('on');
    expectConserved(await shop.progress('on'), running.length);

    first.kill('SIGKILL');
    await first.ended;
    await growTo(6);
    const down = await produce(6);
    shop = shopOf(await start());
    await expectRows(shop, 'in.c-shop.on', [...running, ...down]);

    await shop.api.task('PUT', `${shop.sink('off')}/enable`);
    const enabled = await produce(6);
    await expectRows(shop, 'in.c-shop.off', [...before, ...enabled]);
    const all = [...running, ...down, ...enabled];
    await expectRows(shop, 'in.c-shop.on', all);
    for (const sinkId of ['on', 'off']) await shop.flush(sinkId);
    expectConserved(await shop.progress('on'), all.length);
    expectConserved(await shop.progress('off'), before.length + enabled.length);
  }, 400_000);
});
