import type avro from 'avsc';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAvroSchema, type LogicalReads } from './avro-logical.ts';
import { avroReader } from './avro-reader.ts';

/** What a value of the type below becomes. */
function shown(schema: unknown, value: unknown): string {
  const reads: LogicalReads = new WeakMap();
  const type = parseAvroSchema(schema as avro.Schema, { registry: {}, reads });
  return Buffer.from(avroReader(type, reads)(type.toBuffer(value))).toString();
}

const of = (logicalType: string, type: string, rest: object = {}): object => ({ type, logicalType, ...rest });
const at = Date.parse('2026-01-02T03:04:05.678Z');

describe('Avro: a logical type becomes what it means', () => {
  it.each([
    [of('date', 'int'), 20_455, '"2026-01-02"'],
    [of('date', 'int'), -1, '"1969-12-31"'],
    [of('time-millis', 'int'), 11_045_678, '"03:04:05.678"'],
    [of('time-micros', 'long'), 11_045_678_009, '"03:04:05.678009"'],
    [of('timestamp-millis', 'long'), at, '"2026-01-02T03:04:05.678Z"'],
    [of('timestamp-micros', 'long'), at * 1000 + 9, '"2026-01-02T03:04:05.678009Z"'],
    [of('timestamp-micros', 'long'), -1, '"1969-12-31T23:59:59.999999Z"'],
    [of('local-timestamp-millis', 'long'), at, '"2026-01-02T03:04:05.678"'],
    [of('local-timestamp-micros', 'long'), at * 1000, '"2026-01-02T03:04:05.678000"'],
    [of('uuid', 'string'), 'c3a1…', '"c3a1…"'],
    [
      of('uuid', 'fixed', { name: 'Id', size: 16 }),
      Buffer.from('01a1fe19bbe47000900c5a83f4aad91f', 'hex'),
      '"01a1fe19-bbe4-7000-900c-5a83f4aad91f"',
    ],
  ])('%j of %j is %s', (schema, value, json) => {
    expect(shown(schema, value)).toBe(json);
  });

  it('a decimal is its exact text, with all digits of its scale', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(2n ** 100n), max: 2n ** 100n }),
        fc.nat(40),
        fc.boolean(),
        (value, scale, isFixed) => {
          const bytes = Buffer.from(BigInt.asUintN(128, value).toString(16).padStart(32, '0'), 'hex');
          const rest = { precision: 40, scale, ...(isFixed ? { name: 'Price', size: 16 } : {}) };
          const text = JSON.parse(shown(of('decimal', isFixed ? 'fixed' : 'bytes', rest), bytes)) as string;
          expect(BigInt(text.replace('.', ''))).toBe(value);
          expect(text.split('.')[1]?.length ?? 0).toBe(scale);
          expect(text).toMatch(/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/);
        },
      ),
    );
    expect(shown(of('decimal', 'bytes', { precision: 4, scale: 2 }), Buffer.from([4, 226]))).toBe('"12.50"');
    expect(shown(of('decimal', 'bytes', { precision: 4, scale: 2 }), Buffer.from([251]))).toBe('"-0.05"');
    expect(shown(of('decimal', 'bytes', { precision: 4, scale: 2 }), Buffer.alloc(0))).toBe('"0.00"');
  });

  it('in records, lists, and unions, whose branches are told as without it', () => {
    const time = of('timestamp-millis', 'long');
    expect(shown(['null', time], at)).toBe('"2026-01-02T03:04:05.678Z"');
    expect(shown(['int', time], { long: at })).toBe('{"long":"2026-01-02T03:04:05.678Z"}');
    const price = of('decimal', 'fixed', { name: 'Price', size: 2, precision: 4, scale: 2 });
    const fields = [
      { name: 'was', type: price },
      { name: 'now', type: { type: 'array', items: 'Price' } },
      { name: 'n', type: 'long' },
    ];
    const value = { was: Buffer.from([4, 226]), now: [Buffer.from([0, 5])], n: 7 };
    expect(shown({ type: 'record', name: 'Item', fields }, value)).toBe('{"was":"12.50","now":["0.05"],"n":7}');
  });

  it.each([
    ['is not known', of('colour', 'long'), 5, '5'],
    ['is of another type', of('timestamp-millis', 'int'), 5, '5'],
    ['has a scale above its precision', of('decimal', 'bytes', { precision: 1, scale: 2 }), Buffer.from([5]), '"BQ=="'],
    ['has no precision', of('decimal', 'bytes'), Buffer.from([5]), '"BQ=="'],
    ['is a duration', of('duration', 'fixed', { name: 'D', size: 12 }), Buffer.alloc(12), '"AAAAAAAAAAAAAAAA"'],
    ['is a time after the year 9999', of('timestamp-millis', 'long'), 253_402_300_800_000, '253402300800000'],
    ['is no time of a day', of('time-millis', 'int'), -1, '-1'],
    ['is a day before the year 0', of('date', 'int'), -719_529, '-719529'],
  ])('what %s is what lies below', (...[, schema, value, json]) => {
    expect(shown(schema, value)).toBe(json);
  });
});
