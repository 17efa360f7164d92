import * as fc from 'fast-check';
import protobuf from 'protobufjs';
import type { Signal } from '../../src/core/event.ts';
import { requestTypes } from './otlp-definitions.ts';

/** A request as its fields, and how its sender likes to write JSON. */
export interface SentRequest {
  readonly protobuf: Uint8Array;
  readonly json: string;
}

interface Style {
  readonly isSnakeCase: boolean;
  readonly isLongAsNumber: boolean;
  readonly isEnumAsName: boolean;
  readonly isIdUpperCase: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

const style = fc.record({
  isSnakeCase: fc.boolean(),
  isLongAsNumber: fc.boolean(),
  isEnumAsName: fc.boolean(),
  isIdUpperCase: fc.boolean(),
});

/** Any request of a signal, made of the definitions. */
export function sentRequests(signal: Signal): fc.Arbitrary<SentRequest> {
  const type = requestTypes[signal];
  return fc.tuple(messagesOf(type, 0), style).map(([fields, style]) => ({
    protobuf: type.encode(type.fromObject(fields)).finish(),
    json: JSON.stringify(jsonOf(type, fields, style)),
  }));
}

const deepest = 13;

function messagesOf(type: protobuf.Type, depth: number): fc.Arbitrary<Fields> {
  const fields = type.fieldsArray.filter((field) => {
    field.resolve();
    return depth < deepest || !(field.resolvedType instanceof protobuf.Type);
  });
  const alone = fields.filter(({ partOf }) => partOf === null || partOf === undefined);
  const record: Record<string, fc.Arbitrary<Fields>> = {};
  for (const field of alone) record[field.name] = maybe(field, depth);
  for (const { name } of type.oneofsArray) {
    const cases = fields.filter(({ partOf }) => partOf?.name === name);
    record[`oneof ${name}`] = fc.oneof(fc.constant({}), ...cases.map((field) => one(field, depth)));
  }
  return fc.record(record).map((parts) => Object.assign({}, ...Object.values(parts)) as Fields);
}

function maybe(field: protobuf.Field, depth: number): fc.Arbitrary<Fields> {
  return fc.oneof({ weight: 1, arbitrary: fc.constant({}) }, { weight: 4, arbitrary: one(field, depth) });
}

function one(field: protobuf.Field, depth: number): fc.Arbitrary<Fields> {
  const value = valueOf(field, depth);
  const content = field.repeated ? fc.array(value, { maxLength: depth > 5 ? 1 : 2 }) : value;
  return content.map((made) => ({ [field.name]: made }));
}

/** 64 bits as text, so that nothing is lost. */
function valueOf(field: protobuf.Field, depth: number): fc.Arbitrary<unknown> {
  const { resolvedType } = field;
  if (resolvedType instanceof protobuf.Type) return messagesOf(resolvedType, depth + 1);
  if (resolvedType instanceof protobuf.Enum) return fc.constantFrom(...Object.values(resolvedType.values), 77);
  const unsigned = fc.oneof(fc.constantFrom(0n, 2n ** 53n, 2n ** 63n, 2n ** 64n - 1n), fc.bigInt(0n, 2n ** 64n - 1n));
  const signed = fc.oneof(
    fc.constantFrom(0n, -1n, -(2n ** 63n), 2n ** 63n - 1n),
    fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
  );
  switch (field.type) {
    case 'string':
      return fc.oneof(fc.constantFrom('', '__proto__', 'key'), fc.string({ unit: 'grapheme', maxLength: 8 }));
    case 'bool':
      return fc.boolean();
    case 'double':
      return fc.oneof(fc.double(), fc.constantFrom(NaN, Infinity, 5e-324)).map((value) => value + 0);
    case 'uint32':
    case 'fixed32':
      return fc.integer({ min: 0, max: 2 ** 32 - 1 });
    case 'int32':
    case 'sint32':
      return fc.oneof(fc.constantFrom(-(2 ** 31), 2 ** 31 - 1), fc.integer());
    case 'uint64':
    case 'fixed64':
      return unsigned.map(String);
    case 'int64':
    case 'sfixed64':
      return signed.map(String);
    case 'bytes': {
      const length = idBytes(field.name);
      if (length === undefined) return fc.uint8Array({ maxLength: 6 });
      return fc.oneof(fc.constant(new Uint8Array()), fc.uint8Array({ minLength: length, maxLength: length }));
    }
    default:
      throw new Error(`The definitions have a field of type ${field.type}, which this test does not make.`);
  }
}

function idBytes(name: string): number | undefined {
  if (/trace_?id$/i.test(name)) return 16;
  return /span_?id$/i.test(name) ? 8 : undefined;
}

function jsonOf(type: protobuf.Type, fields: Fields, style: Style): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const field = type.fields[name]!;
      const json = field.repeated
        ? (value as unknown[]).map((item) => jsonValue(field, item, style))
        : jsonValue(field, value, style);
      return [style.isSnakeCase ? name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : name, json];
    }),
  );
}

function jsonValue({ name, type, resolvedType }: protobuf.Field, value: unknown, style: Style): unknown {
  if (resolvedType instanceof protobuf.Type) return jsonOf(resolvedType, value as Fields, style);
  if (resolvedType instanceof protobuf.Enum)
    return style.isEnumAsName ? (resolvedType.valuesById[value as number] ?? value) : value;
  if (type === 'double') return Number.isFinite(value) ? value : String(value);
  if (type.endsWith('64')) return style.isLongAsNumber ? rawJson(value as string) : value;
  if (type !== 'bytes') return value;
  const bytes = Buffer.from(value as Uint8Array);
  if (idBytes(name) === undefined) return bytes.toString(style.isIdUpperCase ? 'base64url' : 'base64');
  return style.isIdUpperCase ? bytes.toString('hex').toUpperCase() : bytes.toString('hex');
}

function rawJson(text: string): unknown {
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text);
}
