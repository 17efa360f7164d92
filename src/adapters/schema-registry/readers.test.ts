import avro from 'avsc';
import { describe, expect, it } from 'vitest';
import { limits } from '../../core/limits.ts';
import { avroReader } from './avro-reader.ts';
import { readJson } from './json-reader.ts';
import { protobufReader } from './protobuf-reader.ts';
import { protobufSchema } from './protobuf-schema.ts';

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
const avroType = (schema: unknown): avro.Type => avro.Type.forSchema(schema as avro.Schema);
const readAvro = (schema: unknown, bytes: readonly number[]): string =>
  text(avroReader(avroType(schema))(Uint8Array.from(bytes)));

describe('Avro as JSON', () => {
  it('every kind of value has its JSON form', () => {
    const type = avroType({
      type: 'record',
      name: 'All',
      fields: [
        { name: 'none', type: 'null' },
        { name: 'flag', type: 'boolean' },
        { name: 'small', type: 'int' },
        { name: 'float', type: 'float' },
        { name: 'double', type: 'double' },
        { name: 'text', type: 'string' },
        { name: 'raw', type: 'bytes' },
        { name: 'four', type: { type: 'fixed', name: 'Four', size: 4 } },
        { name: 'suit', type: { type: 'enum', name: 'Suit', symbols: ['HEARTS', 'SPADES'] } },
        { name: 'list', type: { type: 'array', items: 'int' } },
        { name: 'map', type: { type: 'map', values: 'string' } },
        { name: 'maybe', type: ['null', 'string'] },
        { name: 'at', type: { type: 'long', logicalType: 'timestamp-millis' } },
        { name: 'price', type: { type: 'bytes', logicalType: 'decimal', precision: 4, scale: 2 } },
      ],
    });
    const value = {
      none: null,
      flag: true,
      small: -70_000,
      float: 1.5,
      double: Number.NaN,
      text: 'Kč "1"\n',
      raw: Buffer.from([1, 2, 255]),
      four: Buffer.from([0, 1, 2, 3]),
      suit: 'SPADES',
      list: [1, 2, 3],
      map: { a: 'b', '"': 'c' },
      maybe: 'yes',
      at: 1_700_000_000_000,
      price: Buffer.from([4, 210]),
    };
    expect(JSON.parse(text(avroReader(type)(type.toBuffer(value))))).toEqual({
      ...value,
      double: 'NaN',
      raw: 'AQL/',
      four: 'AAECAw==',
      price: 'BNI=',
    });
  });

  it('a long keeps its digits up to 64 bits', () => {
    const highest = [0xfe, ...Array<number>(8).fill(0xff), 0x01];
    const lowest = [0xff, ...Array<number>(8).fill(0xff), 0x01];
    expect(readAvro('long', highest)).toBe('9223372036854775807');
    expect(readAvro('long', lowest)).toBe('-9223372036854775808');
    expect(() => readAvro('long', Array<number>(11).fill(0xff))).toThrow('more than 64 bits');
  });

  it('a union whose branches are records says which one it is', () => {
    const record = (name: string) => ({ type: 'record', name, fields: [{ name: 'n', type: 'int' }] });
    expect(readAvro([record('A'), record('B')], [2, 8])).toBe('{"B":{"n":4}}');
  });

  it('blocks with a size before them are read, too', () => {
    expect(readAvro({ type: 'array', items: 'int' }, [3, 4, 2, 4, 0])).toBe('[1,2]');
  });

  it('D8: a count that lies, a schema that holds itself and values of no bytes come to an end', () => {
    const huge = [0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f];
    expect(() => readAvro({ type: 'array', items: 'int' }, huge)).toThrow('bytes end');
    expect(() => readAvro({ type: 'array', items: 'null' }, huge)).toThrow(/more than \d+ values/);
    expect(() => readAvro('bytes', huge)).toThrow('bytes end');
    const list = { type: 'record', name: 'List', fields: [{ name: 'next', type: ['null', 'List'] }] };
    expect(() => readAvro(list, Array<number>(100_000).fill(2))).toThrow(`deeper than ${limits.jsonNesting}`);
    const itself = { type: 'record', name: 'Itself', fields: [{ name: 'self', type: 'Itself' }] };
    expect(() => readAvro(itself, [])).toThrow(`deeper than ${limits.jsonNesting}`);
    const wide = { type: 'record', name: 'Wide', fields: [{ name: 'n'.repeat(1000), type: 'boolean' }] };
    const many = [0xc0, 0x9a, 0x0c, ...Array<number>(100_000).fill(1), 0];
    expect(() => readAvro({ type: 'array', items: wide }, many)).toThrow(`over ${limits.eventBytes} bytes`);
  });

  it.each([
    ['boolean', [2], 'neither 0 nor 1'],
    ['string', [2, 0xff], 'not valid UTF-8'],
    ['string', [1], 'negative'],
    [['null', 'int'], [4], 'a branch that a union does not have'],
    [{ type: 'enum', name: 'E', symbols: ['A'] }, [2], 'a symbol that an enum does not have'],
    ['int', [2, 2], '1 bytes are left'],
  ])('D9: %j does not read %j', (schema, bytes, why) => {
    expect(() => readAvro(schema, bytes)).toThrow(why);
  });
});

const shop = `syntax = "proto3";
package shop;
import "google/protobuf/timestamp.proto";
enum Kind { NONE = 0; GIFT = 1; }
message Order {
  int64 order_id = 1;
  uint64 big = 2;
  Kind kind = 3;
  bytes raw = 4;
  repeated double prices = 5;
  map<int64, string> notes = 6;
  optional string coupon = 7;
  Item item = 8;
  google.protobuf.Timestamp at = 9;
  oneof paid { string card = 10; bool cash = 11; }
  message Item { string name = 1; }
}
message Other { bool is_other = 1; }
`;

describe('Protobuf as JSON', () => {
  const schema = protobufSchema(shop, []);
  const read = protobufReader(schema);
  const encode = (place: readonly number[], value: object): Uint8Array => {
    const type = schema.message(place);
    if (type === undefined) throw new Error('there is no such message');
    return type.encode(type.fromObject(value)).finish();
  };
  const json = (bytes: Uint8Array): unknown => JSON.parse(text(read(bytes))) as unknown;

  it('every kind of value has the form of the JSON mapping; integers of 64 bits keep their digits', () => {
    const order = {
      orderId: '9223372036854775807',
      big: '18446744073709551615',
      kind: 'GIFT',
      raw: 'AQL/',
      prices: [1.5, 'NaN', '-Infinity'],
      notes: { '-9223372036854775808': 'low' },
      coupon: '',
      item: { name: 'Kč' },
      at: { seconds: '1700000000', nanos: 5 },
      cash: false,
    };
    const sent = { ...order, prices: [1.5, Number.NaN, -Infinity] };
    expect(json(Buffer.concat([Buffer.of(0), encode([0], sent)]))).toEqual(order);
  });

  it('what has no presence is always there; what has it, when it was set', () => {
    const empty = { orderId: '0', big: '0', kind: 'NONE', raw: '', prices: [], notes: {} };
    expect(json(Uint8Array.of(0))).toEqual(empty);
    expect(json(new Uint8Array(0))).toEqual(empty);
  });

  it('the message is found by its place, or is the first one where an encoder leaves the place out', () => {
    const other = encode([1], { isOther: true });
    expect(json(Buffer.concat([Buffer.of(2, 2), other]))).toEqual({ isOther: true });
    expect(json(Buffer.concat([Buffer.of(4, 0, 0), encode([0, 0], { name: 'x' })]))).toEqual({ name: 'x' });
    expect(json(encode([0], { coupon: 'x' }))).toMatchObject({ coupon: 'x' });
    expect(() => read(Buffer.of(2, 8))).toThrow('a message that its schema does not have');
  });

  it('D8: bytes and schemas that would take without end do not', () => {
    const node = protobufSchema('syntax = "proto3"; message Node { Node next = 1; }', []);
    let nested: Uint8Array = new Uint8Array(0);
    const writer = node.message([0]);
    for (let depth = 0; depth < 1000; depth += 1) {
      const length = nested.length;
      const prefix = length < 128 ? [0x0a, length] : [0x0a, (length & 0x7f) | 0x80, length >> 7];
      nested = Buffer.concat([Buffer.from(prefix), nested]);
    }
    expect(writer).toBeDefined();
    expect(() => protobufReader(node)(nested)).toThrow(/nest/);
    const fields = Array.from({ length: 200 }, (_, index) => `int32 ${'x'.repeat(100)}${index} = ${index + 1};`);
    const wide = protobufSchema(
      `syntax = "proto3"; message All { repeated One ones = 1; message One { ${fields.join('')} } }`,
      [],
    );
    const ones = Buffer.alloc(20_000, Buffer.of(0x0a, 0));
    expect(() => protobufReader(wide)(ones)).toThrow(/over \d+ bytes|values/);
    expect(() => read(Uint8Array.of(0, 0x22, 0xff, 0xff, 0xff, 0xff, 0x07))).toThrow('out of range');
  });

  it('D9: an import that is not given is named', () => {
    expect(() => protobufSchema('syntax = "proto3"; import "other.proto"; message A {}', [])).toThrow('"other.proto"');
    const imports = [{ name: 'other.proto', text: 'syntax = "proto3"; message B { int32 n = 1; }' }];
    const found = protobufSchema('syntax = "proto3"; import "other.proto"; message A { B b = 1; }', imports);
    expect(text(protobufReader(found)(Uint8Array.of(0x0a, 2, 8, 7)))).toBe('{"b":{"n":7}}');
    expect(found.message([1])).toBeUndefined();
  });
});

describe('JSON as JSON', () => {
  it('stays as it was written, digits and spaces, and must be JSON', () => {
    const value = Buffer.from('{ "n": 9007199254740993.10 }');
    expect(readJson(value)).toBe(value);
    expect(() => readJson(Buffer.from('{'))).toThrow('not JSON');
    expect(() => readJson(Uint8Array.of(0x22, 0xff, 0x22))).toThrow('not valid UTF-8');
    expect(() => readJson(new Uint8Array(0))).toThrow('not JSON');
  });
});
