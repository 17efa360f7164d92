import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SchemaRegistry as Producer, SchemaType } from '@kafkajs/confluent-schema-registry';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  openSchemaRegistryForTests,
  whyNoSchemaRegistry,
  type SchemaRegistryForTests,
} from '../../../test/support/schema-registry.ts';
import type { SchemaFormat, SchemaLookup, SchemaRegistry } from '../../ports/schema-registry.ts';
import { checkSchemaRegistry } from './check-registry.ts';
import { openSchemaRegistry } from './schema-registry.ts';

const missing = await whyNoSchemaRegistry();
if (missing !== undefined) process.stdout.write(`skipped: ${missing}\n`);

const never = { signal: new AbortController().signal };

/** What the lookup decodes a whole value to, magic byte and id before it. */
function decoded(lookup: SchemaLookup, value: Buffer): unknown {
  if (lookup.kind === 'unusable') return lookup;
  const result = lookup.decode(value.subarray(5));
  return result.kind === 'json' ? JSON.parse(Buffer.from(result.text).toString()) : result;
}

describe.skipIf(missing !== undefined)('a schema registry on a real server', () => {
  let server: SchemaRegistryForTests;
  let registry: SchemaRegistry;
  let producer: Producer;
  const subject = (name: string): string => `${name}-${process.pid}-${Date.now()}`;

  beforeAll(async () => {
    server = await openSchemaRegistryForTests();
    registry = openSchemaRegistry({ url: server.url });
    producer = new Producer({ host: server.url });
  }, 600_000);

  afterAll(async () => {
    await registry[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  const register = async (type: Exclude<SchemaType, SchemaType.UNKNOWN>, schema: string): Promise<number> =>
    (await producer.register({ type, schema }, { subject: subject('millrace') })).id;

  it('Avro: what a producer encodes comes out', async () => {
    const fields = [
      { name: 'name', type: 'string' },
      { name: 'total', type: ['null', 'long'] },
    ];
    const schema = JSON.stringify({ type: 'record', name: 'Order', namespace: 'shop', fields });
    const id = await register(SchemaType.AVRO, schema);
    const value = await producer.encode(id, { name: 'Kč', total: 12 });
    expect(decoded(await registry.find(id, 'avro', never), value)).toEqual({ name: 'Kč', total: 12 });
  });

  it('JSON Schema: what a producer encodes comes out', async () => {
    const id = await register(
      SchemaType.JSON,
      JSON.stringify({ type: 'object', properties: { n: { type: 'number' } } }),
    );
    const value = await producer.encode(id, { n: 1.5 });
    expect(decoded(await registry.find(id, 'json-schema', never), value)).toEqual({ n: 1.5 });
  });

  it('Protobuf: what a producer encodes comes out', async () => {
    const schema = 'syntax = "proto3"; package shop; message Order { string name = 1; int32 n = 2; }';
    const id = await register(SchemaType.PROTOBUF, schema);
    const value = await producer.encode(id, { name: 'Kč', n: 3 });
    expect(decoded(await registry.find(id, 'protobuf', never), value)).toEqual({ name: 'Kč', n: 3 });
  });

  it('Avro: a schema is read with all that it refers to', async () => {
    const [item, order] = [subject('item'), subject('order')];
    const itemSchema = { type: 'record', name: 'Item', namespace: 'shop', fields: [{ name: 'n', type: 'int' }] };
    await producer.register({ type: SchemaType.AVRO, schema: JSON.stringify(itemSchema) }, { subject: item });
    const orderSchema = {
      type: 'record',
      name: 'Order',
      namespace: 'shop',
      fields: [{ name: 'item', type: 'shop.Item' }],
    };
    const references = [{ name: 'shop.Item', subject: item, version: 1 }];
    const { id } = await producer.register(
      { type: SchemaType.AVRO, schema: JSON.stringify(orderSchema), references },
      { subject: order },
    );
    const value = await producer.encode(id, { item: { n: 7 } });
    expect(decoded(await registry.find(id, 'avro', never), value)).toEqual({ item: { n: 7 } });
  });

  it('D9: an id that is unknown, or of another format, says so', async () => {
    expect(await registry.find(2_000_000_000, 'avro', never)).toMatchObject({
      kind: 'unusable',
      problem: 'the registry does not know it',
    });
    const id = await register(SchemaType.JSON, '{"type":"object","properties":{}}');
    expect(await registry.find(id, 'avro', never)).toMatchObject({
      kind: 'unusable',
      problem: 'it is JSON, and the source asks for avro',
    });
  });

  it('its check finds nothing wrong with it, and says what is wrong with another place', async () => {
    const good = await checkSchemaRegistry({ url: server.url }, never);
    expect(good.map(({ kind, about }) => `${kind} ${about}`)).toEqual(['good connection', 'good formats']);
    const origin = await checkSchemaRegistry({ url: new URL(server.url).origin }, never);
    expect(origin).toMatchObject([
      { kind: 'bad', text: expect.stringMatching(/^There is no schema registry/) as string },
    ]);
    const nobody = await checkSchemaRegistry({ url: 'http://127.0.0.1:1' }, never);
    expect(nobody).toMatchObject([{ kind: 'bad', text: expect.stringContaining('does not answer') as string }]);
  });

  it('D9: a URL where no registry is, is refused: no record is given up for it', async () => {
    await using wrong = openSchemaRegistry({ url: new URL(server.url).origin });
    await expect(wrong.find(1, 'avro', never)).rejects.toMatchObject({ code: 'schemas.refused' });
  });
});

describe('a schema registry that does not do what it should', () => {
  const servers: Server[] = [];

  afterEach(() => {
    for (const server of servers.splice(0)) server.close().closeAllConnections();
  });

  const silence: RequestListener = () => undefined;

  /** Only silence is given up soon: on a busy machine an answer may take its time. */
  const find = async (listener: RequestListener, format: SchemaFormat = 'avro'): Promise<SchemaLookup> => {
    const answerMs = listener === silence ? 500 : 30_000;
    const server = createServer(listener).listen(0, '127.0.0.1');
    servers.push(server);
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    await using registry = openSchemaRegistry({ url: `http://127.0.0.1:${port}`, answerMs });
    return await registry.find(1, format, never);
  };
  const answer =
    (status: number, body: unknown): RequestListener =>
    (_, response) =>
      response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));

  it.each([
    ['500', answer(500, {}), 'schemas.unavailable'],
    ['429', answer(429, {}), 'schemas.unavailable'],
    ['401', answer(401, {}), 'schemas.refused'],
    ['404 of something else', answer(404, '<html>'), 'schemas.refused'],
    ['a page', answer(200, '<html>'), 'schemas.refused'],
    ['JSON of something else', answer(200, { hello: 1 }), 'schemas.refused'],
    [
      'a connection that ends',
      ((request) => request.socket.destroy()) satisfies RequestListener,
      'schemas.unavailable',
    ],
    ['silence', silence, 'schemas.unavailable'],
    ['an answer without end', answer(200, 'x'.repeat(9 * 1024 * 1024)), 'schemas.refused'],
  ])('D6: %s', async (_, listener, code) => {
    await expect(find(listener)).rejects.toMatchObject({ code });
  });

  it('D6: nobody listens', async () => {
    await using registry = openSchemaRegistry({ url: 'http://127.0.0.1:1' });
    await expect(registry.find(1, 'avro', never)).rejects.toMatchObject({ code: 'schemas.unavailable' });
  });

  it.each<[string, SchemaFormat, string, string]>([
    ['nested too deep', 'avro', '['.repeat(200_000) + ']'.repeat(200_000), ''],
    ['too long', 'avro', `"${'x'.repeat(2 ** 20)}"`, 'over 1048576 bytes'],
    ['of no known type', 'avro', '"thing"', 'thing'],
    ['no Protobuf', 'protobuf', 'message {', ''],
    ['nested too deep', 'protobuf', 'message A {'.repeat(50_000), ''],
  ])('D8, D9: a schema that is %s cannot serve (%s)', async (...[, format, schema, problem]) => {
    const schemaType = format === 'avro' ? 'AVRO' : 'PROTOBUF';
    const found = await find(answer(200, { schema, schemaType }), format);
    expect(found).toMatchObject({ kind: 'unusable', problem: expect.stringContaining(problem) as string });
  });

  it('D8: references that go in circles or on and on come to an end', async () => {
    let asked = 0;
    const endless: RequestListener = (_, response) => {
      asked += 1;
      const references = [{ name: `R${asked}`, subject: `s${asked}`, version: 1 }];
      response.end(JSON.stringify({ schema: '"string"', references }));
    };
    expect(await find(endless)).toMatchObject({ kind: 'unusable' });
    expect(asked).toBeLessThan(110);
    const circle = { schema: '"string"', references: [{ name: 'R', subject: 's', version: 1 }] };
    expect(await find(answer(200, circle))).toMatchObject({ kind: 'schema' });
  });
});
