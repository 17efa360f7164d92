import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCluster, whyNoCluster, type Cluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { rootToken } from '../support/installation.ts';
import { startKafka, whereIsKafka, type StartedKafka } from '../support/kafka.ts';
import { numberColumns, Shop } from '../support/shop.ts';

const missing = await whyNoCluster();
if (missing !== undefined) console.warn(`skipped, ${missing}`);
const canRun = missing === undefined && (await whereIsKafka()).kind === 'started';

const within = { withinMs: 90_000, everyMs: 200 };

describe.skipIf(!canRun)('a partition on Kafka whose broker is away', () => {
  let kafka: StartedKafka;
  let cluster: Cluster;

  beforeAll(async () => {
    kafka = await startKafka();
    cluster = await openCluster({ ownKafka: kafka });
  }, 400_000);

  afterAll(async () => {
    await cluster[Symbol.asyncDispose]();
    await kafka[Symbol.asyncDispose]();
  });

  it('D8: is told by the metrics of the process that has events for it, until it takes them', async () => {
    const { admin } = await cluster.start('ingest,map,stage,import,admin', {
      MILLRACE_PARTITIONS: '1',
      MILLRACE_APPEND_TIMEOUT: '2s',
    });
    const shop = new Shop({ url: admin, token: rootToken });
    await shop.create([{ sinkId: 'orders', tableId: 'in.c-shop.orders', columns: numberColumns }]);
    const url = await shop.url();
    const send = async (n: number): Promise<number> =>
      (await fetch(url, { method: 'POST', body: JSON.stringify({ n }) })).status;
    const refusing = async (): Promise<readonly string[]> => {
      const page = await (await fetch(`${admin}/metrics`)).text();
      return page.match(/(?<=^millrace_log_append_alarms){topic="source.*(?= 1$)/gm) ?? [];
    };
    await eventually(async () => expect(await send(1)).toBe(200), within);
    expect(await refusing()).toEqual([]);

    await kafka.kill();
    await eventually(async () => expect(await send(2)).toBe(503), within);
    const source = '{topic="source.1.shop",partition="0",condition="refusing"}';
    await eventually(async () => expect(await refusing()).toEqual([source]), within);

    await kafka.start();
    await eventually(async () => expect(await send(3)).toBe(200), within);
    await eventually(async () => expect(await refusing()).toEqual([]), within);
  });
});
