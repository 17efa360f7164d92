import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MillraceError } from '../../core/millrace-error.ts';
import type { SchemaEncoder, SchemaFormat, SchemaText } from '../../ports/schema-registry.ts';
import {
  openSchemaRegistryForTests,
  whyNoSchemaRegistry,
  type SchemaRegistryForTests,
} from '../../../test/support/schema-registry.ts';
import { registerSchema } from './schema-encoder.ts';
import { openSchemaRegistry } from './schema-registry.ts';

const missing = await whyNoSchemaRegistry();
if (missing !== undefined) process.stdout.write(`skipped: ${missing}\n`);

const avro = JSON.stringify({
  type: 'record',
  name: 'Order',
  namespace: 'shop',
  fields: [
    { name: 'number', type: 'long' },
    { name: 'note', type: ['null', 'string'], default: null },
    { name: 'scan', type: ['null', 'bytes'], default: null },
    { name: 'state', type: { type: 'enum', name: 'State', symbols: ['NEW', 'PAID'] }, default: 'NEW' },
    {
      name: 'items',
      type: { type: 'array', items: { type: 'record', name: 'Item', fields: [{ name: 'price', type: 'double' }] } },
      default: [],
    },
    { name: 'tags', type: { type: 'map', values: 'int' }, default: {} },
  ],
});
const proto = `syntax = "proto3";
package shop;
enum State { NEW = 0; PAID = 1; }
message Order {
  int64 order_number = 1; int32 count = 2; repeated Item items = 3; State state = 4; bytes scan = 5;
  map<string, uint32> tags = 6; double total = 7;
  message Item { float price = 1; }
}`;
const jsonSchema = JSON.stringify({
  type: 'object',
  properties: {
    number: { type: 'integer' },
    at: { type: 'string', format: 'date-time' },
    items: { type: 'array', items: { type: 'object', required: ['price'] } },
  },
  required: ['number'],
});

describe.skipIf(missing !== undefined)('a schema that is registered to encode with it', () => {
  let registry: SchemaRegistryForTests;
  const signal = AbortSignal.timeout(300_000);

  beforeAll(async () => {
    registry = await openSchemaRegistryForTests();
  });
  afterAll(() => registry[Symbol.asyncDispose]());

  const register = (format: SchemaFormat, text: string, rest: Partial<SchemaText> = {}): Promise<SchemaEncoder> =>
    registerSchema({ url: registry.url }, { format, text, subject: `${randomUUID()}-value`, ...rest }, { signal });
  /** What mapping makes of the value, or why there is none. */
  const there = async (encoder: SchemaEncoder, format: SchemaFormat, text: string | Uint8Array): Promise<string> => {
    const encoded = await encoder.encode(Buffer.from(text));
    if (encoded.kind === 'unfit') return encoded.problem;
    const value = Buffer.from(encoded.value);
    expect([value[0], value.readUInt32BE(1)]).toEqual([0, encoder.schemaId]);
    // The first message of its file, as one byte; a field never begins with it.
    if (format === 'protobuf') expect(value[5]).toBe(0);
    await using reader = openSchemaRegistry({ url: registry.url });
    const found = await reader.find(encoder.schemaId, format, { signal });
    if (found.kind !== 'schema') return found.problem;
    const decoded = found.decode(value.subarray(5));
    return decoded.kind === 'json' ? Buffer.from(decoded.text).toString() : decoded.problem;
  };

  it('Avro: what is encoded is decoded to the same JSON, with what has a default', async () => {
    const encoder = await register('avro', avro);
    const whole =
      '{"number":17,"note":"a","scan":"/wA=","state":"PAID","items":[{"price":1.5}],"tags":{"a":1,"__proto__":2}}';
    expect(await there(encoder, 'avro', whole)).toBe(whole);
    expect(await there(encoder, 'avro', '{"number":-1}')).toBe(
      '{"number":-1,"note":null,"scan":null,"state":"NEW","items":[],"tags":{}}',
    );
  });

  it.each([
    ['{"number":"x"}', 'field "number": "x" is no long'],
    ['{"number":9007199254740993}', 'field "number": 9007199254740992 is no long: beyond 2^53'],
    ['{}', 'field "number": it is missing'],
    ['{"number":1,"nmae":"x"}', 'field "nmae": the schema has no such field'],
    ['{"number":1,"items":[{"price":1},{"price":"2"}]}', 'field "items.1.price": "2" is no double'],
    ['{"number":1,"tags":{"a":1.5}}', 'field "tags.a": 1.5 is no int'],
    ['{"number":1,"state":"GONE"}', 'field "state": "GONE" is no '],
    ['{"number":1,"scan":"no base64!"}', 'field "scan": "no base64!" is no base64'],
    ['[1]', 'a list is no shop.Order'],
    ['{"number":1', 'it is no JSON'],
    ['null', 'null is no shop.Order'],
  ])('Avro: %s does not fit, and it is said where', async (text, problem) => {
    expect(await there(await register('avro', avro), 'avro', text)).toContain(problem);
  });

  it('Protobuf: what is encoded is decoded to the same JSON, with all digits, under either name of a field', async () => {
    const encoder = await register('protobuf', proto);
    const whole =
      '{"orderNumber":"-9007199254740993","count":-5,"items":[{"price":1.5}],"state":"PAID","scan":"/wA=","tags":{"a":4294967295},"total":"NaN"}';
    expect(await there(encoder, 'protobuf', whole)).toBe(whole);
    expect(await there(encoder, 'protobuf', whole.replace('orderNumber', 'order_number'))).toBe(whole);
    expect(await there(encoder, 'protobuf', '{}')).toContain('"orderNumber":"0","count":0,"items":[],"state":"NEW"');
  });

  it.each([
    ['{"order_numbr":1}', 'field "order_numbr": the message Order has no such field'],
    ['{"orderNumber":9007199254740993}', 'field "orderNumber": 9007199254740992 is no int64: beyond 2^53 write'],
    ['{"orderNumber":"9223372036854775808"}', 'field "orderNumber": "9223372036854775808" is no int64'],
    ['{"count":2147483648}', 'field "count": 2147483648 is no int32'],
    ['{"count":1.5}', 'field "count": 1.5 is no int32'],
    ['{"tags":{"a":-1}}', 'field "tags.a": -1 is no uint32'],
    ['{"items":[{},{"price":1e39}]}', 'field "items.1.price": 1e+39 is no float'],
    ['{"state":"GONE"}', 'field "state": "GONE" is no value of the enum State'],
    ['{"items":{}}', 'field "items": an object is no list'],
    ['[]', 'a list is no object, which the message Order is'],
  ])('Protobuf: %s does not fit, and it is said where', async (text, problem) => {
    expect(await there(await register('protobuf', proto), 'protobuf', text)).toContain(problem);
  });

  it('JSON Schema: a text that fits stays as it was written; another one is refused, and it is said where', async () => {
    const encoder = await register('json-schema', jsonSchema);
    const text = '{ "number": 12345678901234567890, "at": "today" }';
    expect(await there(encoder, 'json-schema', text)).toBe(text);
    expect(await there(encoder, 'json-schema', '{"number":"x"}')).toContain('field "number" must be integer');
    expect(await there(encoder, 'json-schema', '{}')).toContain("must have required property 'number'");
    expect(await there(encoder, 'json-schema', '{"number":1,"items":[{}]}')).toContain('field "items.0" must have');
    expect(await there(encoder, 'json-schema', Buffer.of(0x22, 0xff, 0x22))).toBe('it is not valid UTF-8');
    const named = jsonSchema.replace('{', '{"$schema":"http://json-schema.org/draft-07/schema#",');
    expect(await there(await register('json-schema', named), 'json-schema', text)).toBe(text);
  });

  it('keeps the id of a schema that is there, and what the subject says of compatibility', async () => {
    const subject = `${randomUUID()}-value`;
    const config = `${registry.url}/config/${subject}`;
    const levelOf = async (): Promise<unknown> => (await fetch(config)).json();
    const first = await register('avro', avro, { subject });
    expect(await levelOf()).toEqual(await (await fetch(`${registry.url}/config`)).json());
    const body = JSON.stringify({ compatibility: 'FULL' });
    await fetch(config, { method: 'PUT', body, headers: { 'content-type': 'application/json' } });
    expect((await register('avro', avro, { subject })).schemaId).toBe(first.schemaId);
    const other = avro.replace('"name":"number","type":"long"', '"name":"number","type":"string"');
    const refused = await register('avro', other, { subject }).catch((thrown: unknown) => thrown);
    expect(refused).toMatchObject({ code: 'input.invalid' });
    expect((refused as MillraceError).message).toMatch(/^the schema registry refuses the schema \(409\): /);
    expect(await levelOf()).toMatchObject({ compatibilityLevel: 'FULL' });
  });

  it.each([
    ['avro', '{"type":"record"', 'the schema cannot be read: '],
    ['avro', '{"type":"record","name":"A","fields":[{"name":"a","type":"lnog"}]}', 'lnog'],
    ['protobuf', 'message A { strong a = 1; }', 'the schema cannot be '],
    ['protobuf', 'syntax = "proto3"; import "other.proto"; message A {}', 'it imports "other.proto"'],
    ['protobuf', 'syntax = "proto3"; enum A { B = 0; }', 'it has no message'],
    ['json-schema', '{"type":"nmuber"}', 'the schema cannot be used: '],
    ['json-schema', 'not JSON', 'the schema cannot be '],
    [
      'json-schema',
      '{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object"}',
      'field "$schema": "https://json-schema.org/draft/2020-12/schema" is no draft that is known, which draft-07 alone is',
    ],
    ['json-schema', '{"$schema":7}', 'field "$schema": 7 is no draft that is known'],
  ] as const)('a schema of %s that cannot be used is refused: %s', async (format, text, problem) => {
    const refused = await register(format, text).catch((thrown: unknown) => thrown);
    expect(refused).toBeInstanceOf(MillraceError);
    expect(refused).toMatchObject({ code: 'input.invalid' });
    expect((refused as MillraceError).message).toContain(problem);
  });

  it('a registry that is not there is unavailable, and what is no registry refuses', async () => {
    const schema = { format: 'avro', text: avro, subject: 'x' } as const;
    await expect(registerSchema({ url: 'http://127.0.0.1:1' }, schema, { signal })).rejects.toMatchObject({
      code: 'schemas.unavailable',
    });
    const elsewhere = { url: registry.url.replace('/ccompat', '/elsewhere') };
    await expect(registerSchema(elsewhere, schema, { signal })).rejects.toMatchObject({ code: 'schemas.refused' });
  });
});
