import { Kafka, logLevel, Partitioners, type Message, type Producer } from 'kafkajs';
import { v4 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultBranch, parseSourceId } from '../../src/core/ids.ts';
import { sourceTopic } from '../../src/core/topic-name.ts';
import { openCluster, whyNoCluster, type Cluster } from '../support/cluster.ts';
import { rootToken } from '../support/installation.ts';
import { logsRequest } from '../support/otlp-messages.ts';
import { Shop } from '../support/shop.ts';

const missing = await whyNoCluster();
if (missing !== undefined) console.warn(`skipped, ${missing}`);

interface Traced {
  readonly eventId: string;
  readonly sinks: readonly { readonly sinkId: string; readonly state: string }[];
}

const id = { type: 'uuid', name: 'id' };
const path = { type: 'path', name: 'n', path: 'n', rawString: true };

describe.skipIf(missing !== undefined)('trace in a cluster', () => {
  let cluster: Cluster;
  let producer: Producer;

  beforeAll(async () => {
    cluster = await openCluster();
    const kafka = new Kafka({ brokers: cluster.brokers.split(','), logLevel: logLevel.NOTHING });
    producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner });
    await producer.connect();
  }, 400_000);

  afterAll(async () => {
    await producer.disconnect();
    await cluster[Symbol.asyncDispose]();
  });

  const send = async (name: string, messages: Message[]): Promise<void> => {
    const topic = sourceTopic({ branchId: defaultBranch, sourceId: parseSourceId(name) });
    await producer.send({ topic, acks: -1, messages });
  };
  const idsIn = async (shop: Shop, tableId: string): Promise<ReadonlySet<string>> =>
    new Set((await shop.api.rows(tableId)).map((row) => String(row['id'])));
  const traced = async (shop: Shop, ids: Iterable<string>): Promise<readonly object[]> => {
    const told: object[] = [];
    for (const eventId of ids) {
      const query = `eventId=${eventId}`;
      const { events } = await shop.api.call<{ events: readonly Traced[] }>('GET', `${shop.path}/trace?${query}`);
      const states = events.flatMap(({ sinks }) => sinks.map(({ sinkId, state }) => [sinkId, state] as const));
      told.push({ eventId: events[0]?.eventId, ...Object.fromEntries(states) });
    }
    return told;
  };

  it('W6: trace finds events of producers, packed ones too, in the state in which the tables show them', async () => {
    const first = await cluster.start('ingest,map,stage,import,admin', { MILLRACE_PARTITIONS: '2' });
    let shop = new Shop({ url: first.admin, token: rootToken }, 'shop');
    await shop.create([
      { sinkId: 'all', tableId: 'in.c-shop.all', columns: [id] },
      { sinkId: 'strict', tableId: 'in.c-shop.strict', columns: [id, path] },
    ]);
    const early = Array.from({ length: 20 }, () => v4());
    const late = Array.from({ length: 20 }, () => v4());
    const event = (given: string, at: number): Message => ({
      partition: at % 2,
      value: at % 5 === 0 ? '{"m":1}' : '{"n":"1"}',
      headers: { 'millrace-id': given, 'content-type': 'application/json' },
    });
    await send('shop', early.map(event));
    let tele = new Shop({ url: first.admin, token: rootToken }, 'tele');
    await tele.create([{ sinkId: 'everything', tableId: 'in.c-tele.everything', columns: [id] }], {}, 'otlp');
    const spans = { tableId: 'in.c-tele.spans', mapping: { columns: [id] } };
    const allowedSignals = ['traces'];
    await tele.api.task('POST', `${tele.path}/sinks`, { name: 'spans', sinkId: 'spans', allowedSignals, table: spans });
    await send('tele', [{ partition: 0, value: logsRequest(4), headers: { 'millrace-signal': 'logs' } }]);
    first.kill('SIGKILL');
    await first.ended;
    await send('shop', late.map(event));
    await send('tele', [{ partition: 1, value: logsRequest(1), headers: { 'millrace-signal': 'logs' } }]);
    const { admin } = await cluster.start('ingest,map,stage,import,admin', { MILLRACE_PARTITIONS: '2' });
    shop = new Shop({ url: admin, token: rootToken }, 'shop');
    tele = new Shop({ url: admin, token: rootToken }, 'tele');
    for (const sinkId of ['all', 'strict']) await shop.flush(sinkId);
    for (const sinkId of ['everything', 'spans']) await tele.flush(sinkId);

    const strict = await idsIn(shop, 'in.c-shop.strict');
    const sent = [...early, ...late];
    expect(await idsIn(shop, 'in.c-shop.all')).toEqual(new Set(sent));
    expect(await traced(shop, sent)).toEqual(
      sent.map((eventId) => ({ eventId, all: 'row', strict: strict.has(eventId) ? 'row' : 'dead' })),
    );
    const packed = await idsIn(tele, 'in.c-tele.everything');
    expect([strict.size, packed.size]).toEqual([32, 5]);
    expect(await traced(tele, packed)).toEqual(
      [...packed].map((eventId) => ({ eventId, everything: 'row', spans: 'filtered' })),
    );
  }, 400_000);
});
