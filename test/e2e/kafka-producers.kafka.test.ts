import { SchemaRegistry as Schemas, SchemaType } from '@kafkajs/confluent-schema-registry';
import { Kafka, logLevel, Partitioners, type Message, type Producer } from 'kafkajs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sourceTopic } from '../../src/core/topic-name.ts';
import { parseSourceId, defaultBranch } from '../../src/core/ids.ts';
import { openCluster, whyNoCluster, type Cluster } from '../support/cluster.ts';
import { startCuttingProxy, type CuttingProxy } from '../support/cutting-proxy.ts';
import { eventually } from '../support/eventually.ts';
import { expectConserved } from '../support/exactly-once.ts';
import { rootToken } from '../support/installation.ts';
import { logsRequest } from '../support/otlp-messages.ts';
import { Shop, type Column } from '../support/shop.ts';
import {
  openSchemaRegistryForTests,
  whyNoSchemaRegistry,
  type SchemaRegistryForTests,
} from '../support/schema-registry.ts';

const missing = (await whyNoCluster()) ?? (await whyNoSchemaRegistry());
if (missing !== undefined) console.warn(`skipped, ${missing}`);

const columns: readonly Column[] = [
  { type: 'uuid', name: 'id' },
  { type: 'datetime', name: 'at' },
  { type: 'headers', name: 'headers' },
  { type: 'body', name: 'body' },
];
const columnsByPath: readonly Column[] = [
  { type: 'path', name: 'n', path: 'n' },
  { type: 'path', name: 'big', path: 'big', rawString: true },
];
const arrival = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const jsonSchema = '{"$schema":"http://json-schema.org/draft-07/schema#","type":"object"}';
const big = 9_007_199_254_740_993n;

describe.skipIf(missing !== undefined)('records of Kafka producers', () => {
  let cluster: Cluster;
  let registry: SchemaRegistryForTests;
  let wayToRegistry: CuttingProxy;
  let schemas: Schemas;
  let producer: Producer;
  let admin: string;

  beforeAll(async () => {
    registry = await openSchemaRegistryForTests();
    schemas = new Schemas({ host: registry.url });
    wayToRegistry = await startCuttingProxy(registry.url);
    cluster = await openCluster({ schemaRegistryUrl: `${wayToRegistry.endpoint}${new URL(registry.url).pathname}` });
    const kafka = new Kafka({ brokers: cluster.brokers.split(','), logLevel: logLevel.NOTHING });
    producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner });
    await producer.connect();
    admin = (await cluster.start('ingest,map,stage,import,admin')).admin;
  }, 400_000);

  afterAll(async () => {
    await producer.disconnect();
    await cluster[Symbol.asyncDispose]();
    await wayToRegistry[Symbol.asyncDispose]();
    await registry[Symbol.asyncDispose]();
  });

  const openShop = async (name: string, format: string, sinkColumns = columnsByPath): Promise<Shop> => {
    const shop = new Shop({ url: admin, token: rootToken }, name);
    await shop.create([{ sinkId: 'all', tableId: `in.c-${name}.all`, columns: sinkColumns }]);
    const settings = [{ key: 'kafka.value.format', value: format }];
    await shop.api.call('PATCH', `${shop.path}/settings`, { settings });
    if (format !== 'raw') await untilDecoded(shop, name);
    return shop;
  };
  const deadLetters = async (shop: Shop, name: string) =>
    (await shop.api.rows('sys.c-millrace.dead_letters')).filter(({ source }) => source === name);
  /** A setting takes effect within two seconds: until then such a record is no dead letter, or one for another reason. */
  const untilDecoded = (shop: Shop, name: string): Promise<void> =>
    eventually(
      async () => {
        await send(name, [{ value: 'probe' }]);
        await shop.flush('all');
        expect((await deadLetters(shop, name)).map(({ reason }) => reason)).toContain('undecodable');
      },
      { everyMs: 500 },
    );
  const send = async (name: string, messages: Message[]): Promise<void> => {
    const topic = sourceTopic({ branchId: defaultBranch, sourceId: parseSourceId(name) });
    await producer.send({ topic, messages: messages.map((message) => ({ partition: 0, ...message })) });
  };
  /** The rows of the table when there are so many, and the numbers that belong to them. */
  const rows = async (shop: Shop, name: string, count: number) => {
    await eventually(async () => expect((await shop.progress('all')).totals.imported).toBe(count), {
      withinMs: 60_000,
      everyMs: 200,
    });
    await shop.flush('all');
    const found = await shop.api.rows(`in.c-${name}.all`);
    const dead = name === 'raw' || name === 'beside' ? 0 : (await deadLetters(shop, name)).length;
    expectConserved(await shop.progress('all'), found.length, dead);
    return found;
  };

  it('D2, D3: raw records become rows with an id of their place and their own time, mapped twice the same', async () => {
    const shop = await openShop('raw', 'raw', columns);
    const timestamp = String(arrival);
    await send('raw', [
      { value: '{"n":1}', timestamp },
      { key: 'k', value: 'not JSON', headers: { 'X-A': ['1', '2'], b: Buffer.from('č') }, timestamp },
      { key: 'k', value: null, timestamp },
      { value: Buffer.from(''), headers: { 'millrace-remote': 'x' }, timestamp },
    ]);
    const first = await rows(shop, 'raw', 4);
    expect(first.map(({ body }) => String(body)).toSorted()).toEqual(['', '', 'not JSON', '{"n":1}']);
    expect(new Set(first.map(({ at }) => at))).toEqual(new Set(['2026-01-02T03:04:05.678Z']));
    expect(first.map(({ headers }) => String(headers)).toSorted()).toEqual([
      '{"B":"č","X-A":"1, 2"}',
      '{}',
      '{}',
      '{}',
    ]);
    expect(new Set(first.map(({ id }) => id)).size).toBe(4);
    await shop.createSink({ sinkId: 'again', tableId: 'in.c-raw.again', columns, backfill: 'earliest' });
    await eventually(
      async () => expect(await shop.api.rows('in.c-raw.again')).toEqual(expect.arrayContaining([...first])),
      { everyMs: 200 },
    );
  });

  it('A53, D3, D4: of requests of OpenTelemetry each record is a row, as the Collector writes them', async () => {
    const shop = new Shop({ url: admin, token: rootToken }, 'telemetry');
    const columnsOfLogs: readonly Column[] = [
      { type: 'uuid', name: 'id' },
      { type: 'path', name: 'body', path: 'body', rawString: true },
      { type: 'headers', name: 'headers' },
    ];
    const sink = { sinkId: 'all', tableId: 'in.c-telemetry.all', columns: columnsOfLogs };
    await shop.create([sink], {}, 'otlp');
    const headers = { 'millrace-signal': 'logs', tenant: 'a' };
    const json = '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":"json"}},{}]}]}]}';
    const nameless = logsRequest(1);
    await send('telemetry', [{ value: logsRequest(200), headers }, { value: json }, { value: nameless }]);
    await eventually(async () => {
      const { accepted, imported, dead } = (await shop.progress('all')).totals;
      expect({ accepted, imported, dead }).toEqual({ accepted: 203, imported: 202, dead: 1 });
    });
    const found = await rows(shop, 'telemetry', 202);
    const numbers = Array.from({ length: 200 }, (_, at) => String(at));
    expect(found.map(({ body }) => String(body)).toSorted()).toEqual([...numbers, 'json', 'null'].toSorted());
    expect(new Set(found.map((row) => row['headers']))).toEqual(new Set(['{"Tenant":"a"}', '{}']));
    expect(new Set(found.map(({ id }) => id)).size).toBe(202);
    expect(await deadLetters(shop, 'telemetry')).toMatchObject([
      { reason: 'undecodable', body: nameless.toString('base64') },
    ]);
    await shop.createSink({ ...sink, sinkId: 'again', tableId: 'in.c-telemetry.again', backfill: 'earliest' });
    await eventually(
      async () => expect(await shop.api.rows('in.c-telemetry.again')).toEqual(expect.arrayContaining([...found])),
      { everyMs: 200 },
    );
  });

  it('Avro, JSON Schema and Protobuf arrive as JSON, with all digits; events over HTTP as they are', async () => {
    const fields = ['n', 'big'].map((name) => ({ name, type: 'long' }));
    const register = (type: Exclude<SchemaType, SchemaType.UNKNOWN>, schema: string) =>
      schemas.register({ type, schema }, { subject: `${type}-value` });
    const avro = await register(SchemaType.AVRO, JSON.stringify({ type: 'record', name: 'A', namespace: 'a', fields }));
    const json = await register(SchemaType.JSON, jsonSchema);
    const proto = await register(SchemaType.PROTOBUF, 'syntax = "proto3"; message A { int32 n = 1; int64 big = 2; }');
    const named = (id: number, payload: Buffer): Buffer => {
      const header = Buffer.alloc(5);
      header.writeUInt32BE(id, 1);
      return Buffer.concat([header, payload]);
    };
    const varint = (value: bigint): number[] =>
      value < 0x80n ? [Number(value)] : [Number(value & 0x7fn) | 0x80, ...varint(value >> 7n)];
    const values = {
      avro: [await schemas.encode(avro.id, { n: 1, big: 2 }), named(avro.id, Buffer.of(4, ...varint(big << 1n)))],
      'json-schema': [
        await schemas.encode(json.id, { n: 1, big: 2 }),
        named(json.id, Buffer.from(`{"n":2,"big":${big}}`)),
      ],
      protobuf: [
        await schemas.encode(proto.id, { n: 1, big: 2 }),
        named(proto.id, Buffer.of(0, 8, 2, 16, ...varint(big))),
      ],
    };
    for (const [format, [first, second]] of Object.entries(values)) {
      const shop = await openShop(format, format);
      await send(format, [{ value: first ?? null }, { value: second ?? null }]);
      const body = JSON.stringify({ n: 3, big: 4 });
      await fetch(await shop.url(), { method: 'POST', body, headers: { 'content-type': 'application/json' } });
      const found = await rows(shop, format, 3);
      expect(found.map((row) => `${row['n']}:${row['big']}`).toSorted()).toEqual(['1:2', `2:${big}`, '3:4']);
    }
  });

  it('D2, D6: a broken record is the only dead letter; a registry that is away holds up its sources alone', async () => {
    const shop = await openShop('healing', 'avro', [{ type: 'path', name: 'n', path: 'n' }]);
    const other = await openShop('beside', 'raw', [{ type: 'body', name: 'body' }]);
    const schema = { type: 'record', name: 'Late', namespace: 'late', fields: [{ name: 'n', type: 'int' }] };
    const { id } = await schemas.register({ type: SchemaType.AVRO, schema: JSON.stringify(schema) });
    const [first, second] = [await schemas.encode(id, { n: 1 }), await schemas.encode(id, { n: 2 })];
    wayToRegistry.fateOf = () => ({ kind: 'cut', afterBytes: 0 });
    await send('healing', [{ value: first }, { value: 'broken' }, { value: second }]);
    await send('beside', [{ value: 'goes on' }]);
    await eventually(
      async () => {
        const { errors } = await shop.progress('all');
        expect(errors).toMatchObject([{ role: 'map', code: 'schemas.unavailable' }]);
      },
      { everyMs: 200 },
    );
    expect(await rows(other, 'beside', 1)).toEqual([{ body: 'goes on' }]);
    wayToRegistry.fateOf = () => ({ kind: 'pass' });
    const found = await rows(shop, 'healing', 2);
    expect(found.map(({ n }) => String(n)).toSorted()).toEqual(['1', '2']);
    const probe = Buffer.from('probe').toString('base64');
    expect((await deadLetters(shop, 'healing')).filter(({ body }) => body !== probe)).toMatchObject([
      {
        source: 'healing',
        reason: 'undecodable',
        message: expect.stringContaining('names no schema') as string,
        body: Buffer.from('broken').toString('base64'),
      },
    ]);
    await eventually(async () => expect((await shop.progress('all')).errors).toEqual([]));
  }, 400_000);
});
