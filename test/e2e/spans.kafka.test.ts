import { Kafka, logLevel, Partitioners } from 'kafkajs';
import { expect, it } from 'vitest';
import { defaultBranch, parseSourceId } from '../../src/core/ids.ts';
import { sourceTopic } from '../../src/core/topic-name.ts';
import { openCluster, whyNoCluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { rootToken } from '../support/installation.ts';
import { madeTrace, namesOf, post } from '../support/made-trace.ts';
import { Shop } from '../support/shop.ts';
import { SpanServer, type ReceivedSpan } from '../support/span-server.ts';

const missing = await whyNoCluster();
if (missing !== undefined) console.warn(`skipped, ${missing}`);

it.skipIf(missing !== undefined)(
  'H1, H3: in a cluster a request, and a record of a producer, are followed through the processes of all roles',
  { timeout: 400_000 },
  async () => {
    await using server = await SpanServer.start();
    await using cluster = await openCluster();
    const traces = { MILLRACE_TRACES_URL: server.url, MILLRACE_TRACES_RATIO: '0' };
    const { admin } = await cluster.start('ingest,admin', traces);
    await cluster.start('map,stage,import', traces);
    const shop = new Shop({ url: admin, token: rootToken }, 'shop');
    await shop.create([{ sinkId: 'rows', tableId: 'in.c-shop.rows' }]);

    const [requested, produced] = [madeTrace(), madeTrace()];
    expect(await post(await shop.url(), '{"n":1}', { traceparent: requested.traceparent })).toBe(200);
    const producer = new Kafka({ brokers: cluster.brokers.split(','), logLevel: logLevel.NOTHING }).producer({
      createPartitioner: Partitioners.DefaultPartitioner,
    });
    await producer.connect();
    const topic = sourceTopic({ branchId: defaultBranch, sourceId: parseSourceId('shop') });
    const { traceparent } = produced;
    await producer.send({ topic, acks: -1, messages: [{ value: '{"n":2}', headers: { traceparent } }] });
    await producer.disconnect();

    const names = ['import shop/rows', 'map shop/rows', 'stage shop/rows', 'upload shop/rows'];
    await eventually(() => expect(namesOf(server.of(requested.traceId))).toEqual(['accept shop', ...names]));
    await eventually(() => expect(namesOf(server.of(produced.traceId))).toEqual(names));
    const instancesOf = (span: ReceivedSpan | undefined): unknown => span?.resource['service.instance.id'];
    const [accept, ...others] = ['accept shop', ...names].map((name) =>
      server.of(requested.traceId).find((span) => span.name === name),
    );
    expect(new Set(others.map(instancesOf)).size).toBe(1);
    expect(instancesOf(others[0])).not.toBe(instancesOf(accept));
    expect(server.of(produced.traceId).find(({ name }) => name.startsWith('map'))?.parentId).toBe(produced.spanId);
    expect(await shop.numbersIn('in.c-shop.rows')).toEqual([1, 2]);
  },
);
