import { Kafka, logLevel, Partitioners, type Producer } from 'kafkajs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultBranch, parseSourceId } from '../../src/core/ids.ts';
import { sourceTopic } from '../../src/core/topic-name.ts';
import { openCluster, whyNoCluster, type Cluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { beginForeignTransaction, type ForeignTransaction } from '../support/foreign-transaction.ts';
import { rootToken } from '../support/installation.ts';
import { Shop } from '../support/shop.ts';

const missing = await whyNoCluster();
if (missing !== undefined) console.warn(`skipped, ${missing}`);

const columns = [{ type: 'path', name: 'n', path: 'n' }];

describe.skipIf(missing !== undefined)('acknowledged events behind an open transaction of another producer', () => {
  let cluster: Cluster;
  let producer: Producer;
  let admin: string;
  let shops = 0;

  beforeAll(async () => {
    cluster = await openCluster();
    const kafka = new Kafka({ brokers: cluster.brokers.split(','), logLevel: logLevel.NOTHING });
    producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner });
    await producer.connect();
    admin = (await cluster.start('ingest,map,stage,import,admin')).admin;
  }, 400_000);

  afterAll(async () => {
    await producer.disconnect();
    await cluster[Symbol.asyncDispose]();
  });

  const within = { everyMs: 200 };
  const event = (n: number) => JSON.stringify({ n });
  const send = (topic: string, numbers: readonly number[]) =>
    producer.send({ topic, acks: -1, messages: numbers.map((n) => ({ value: event(n), partition: 0 })) });

  /** Three events, which are imported; a transaction with one that stays open; five that are acknowledged behind it. */
  const openShop = async () => {
    shops += 1;
    const name = `shop-${shops}`;
    const shop = new Shop({ url: admin, token: rootToken }, name);
    const tableId = `in.c-${name}.all`;
    await shop.create([{ sinkId: 'all', tableId, columns }]);
    const topic = sourceTopic({ branchId: defaultBranch, sourceId: parseSourceId(name) });
    await send(topic, [1, 2, 3]);
    await eventually(async () => expect(await shop.numbersIn(tableId)).toEqual([1, 2, 3]), within);
    const transaction = await beginForeignTransaction(cluster.brokers, { topic, partition: 0 }, [event(100)]);
    await send(topic, [4, 5, 6, 7, 8]);
    return { shop, tableId, topic, transaction };
  };
  const expectRows = (shop: Shop, tableId: string, numbers: readonly number[]) =>
    eventually(async () => expect(await shop.numbersIn(tableId)).toEqual(numbers), within);
  const expectNumbers = (shop: Shop, { imported, none }: { readonly imported: number; readonly none: number }) =>
    eventually(async () => {
      const { delivered, alarm, totals } = await shop.progress('all');
      const rest = { staged: 0, inFlight: 0, holes: 0, givenUp: 0, difference: 0 };
      expect(totals).toMatchObject({ accepted: imported + none, imported, none, ...rest });
      expect({ delivered, alarm }).toEqual({ delivered: true, alarm: undefined });
    }, within);
  const before = [1, 2, 3, 4, 5, 6, 7, 8];
  const rowsAfter = { commit: [...before, 100], abort: before };
  const ended = async (transaction: ForeignTransaction, outcome: 'commit' | 'abort') => {
    await transaction.end(outcome);
    await transaction[Symbol.asyncDispose]();
  };

  it.each(['commit', 'abort'] as const)(
    'D2, D4: are delivered though the sink is disabled before it ends in %s; what comes after the disabling is not',
    async (outcome) => {
      const { shop, tableId, topic, transaction } = await openShop();
      await shop.api.task('PUT', `${shop.sink('all')}/disable`);
      const { totals, delivered } = await shop.progress('all');
      expect({ delivered, accepted: totals.accepted, inFlight: totals.inFlight }).toEqual({
        delivered: false,
        accepted: 9,
        inFlight: 6,
      });
      await send(topic, [9, 10]);
      await ended(transaction, outcome);
      await expectRows(shop, tableId, rowsAfter[outcome]);
      await expectNumbers(shop, { imported: rowsAfter[outcome].length, none: 9 - rowsAfter[outcome].length });
    },
  );

  it('D2: are waited for by a flush, which ends when they are in the table', async () => {
    const { shop, tableId, transaction } = await openShop();
    const { taskId } = await shop.api.call<{ taskId: string }>('POST', `${shop.sink('all')}/flush`);
    const statusOf = async () => (await shop.api.call('GET', `/v1/tasks/${taskId}`))['status'];
    // Events of another source pass all roles meanwhile.
    const other = await openShop();
    await ended(other.transaction, 'commit');
    await expectRows(other.shop, other.tableId, rowsAfter.commit);
    expect([await statusOf(), await shop.numbersIn(tableId)]).toEqual(['processing', [1, 2, 3]]);
    await ended(transaction, 'commit');
    await eventually(async () => expect(await statusOf()).toBe('success'), within);
    expect(await shop.numbersIn(tableId)).toEqual(rowsAfter.commit);
  });

  it('D2: are delivered though the sink is deleted before it ends', async () => {
    const { shop, tableId, transaction } = await openShop();
    await shop.api.task('DELETE', shop.sink('all'));
    await ended(transaction, 'commit');
    await expectRows(shop, tableId, rowsAfter.commit);
  });

  it('D2: are taken by a sink that is enabled while it is open, in one interval or the other, once', async () => {
    const { shop, tableId, topic, transaction } = await openShop();
    await shop.api.task('PUT', `${shop.sink('all')}/disable`);
    await shop.api.task('PUT', `${shop.sink('all')}/enable`);
    await send(topic, [9, 10]);
    await ended(transaction, 'commit');
    await expectRows(shop, tableId, [...before, 9, 10, 100]);
    await shop.flush('all');
    // The end of the transaction has an offset of its own.
    await expectNumbers(shop, { imported: 11, none: 1 });
  });

  it('D3: are in the table once though the sink is deleted and made again while it is open', async () => {
    const { shop, tableId, topic, transaction } = await openShop();
    await shop.api.task('DELETE', shop.sink('all'));
    await shop.createSink({ sinkId: 'all', tableId, columns });
    await send(topic, [9, 10]);
    await shop.api.task('DELETE', shop.sink('all'));
    await shop.api.task('PUT', `${shop.sink('all')}/undelete`);
    await send(topic, [11]);
    await ended(transaction, 'commit');
    await expectRows(shop, tableId, [...before, 9, 10, 11, 100]);
    await shop.flush('all');
    await expectRows(shop, tableId, [...before, 9, 10, 11, 100]);
  });
});
