import protobuf from 'protobufjs';
import { JsonWriter } from './json-writer.ts';
import type { ProtobufSchema } from './protobuf-schema.ts';
import { Undecodable } from './undecodable.ts';

const { Enum, MapField, Type, util } = protobuf;
type Type = protobuf.Type;
type Field = protobuf.Field;

/** Deepest place of a message inside of others that is looked for. */
const maxPlaceLength = 32;

/**
 * Makes a reader that writes the JSON of Protobuf's own mapping: names in lowerCamelCase, integers of 64 bits as texts, bytes in
 * base64, enums by name; fields without presence are always there, those with presence when they are set.
 */
export function protobufReader(schema: ProtobufSchema): (payload: Uint8Array) => Uint8Array {
  return (payload) => {
    const { type, from } = messageAt(schema, payload);
    const to = new JsonWriter(payload.length);
    writeMessage(to, type, fieldsOf(type.decode(payload.subarray(from))));
    return to.end();
  };
}

interface MessageAt {
  readonly type: Type;
  /** Where the message begins. */
  readonly from: number;
}

/**
 * Before the message stands its place in the schema: a count and indexes, or 0 for the first message. The encoder of
 * `@kafkajs/confluent-schema-registry` leaves it out. No message begins with a byte below 8.
 */
function messageAt(schema: ProtobufSchema, payload: Uint8Array): MessageAt {
  const [first = 0] = payload;
  if (first !== 0) {
    const found = messageAtPlace(schema, payload);
    if (found !== undefined) return found;
    if (first < 8) throw new Undecodable('it names a message that its schema does not have');
  }
  const type = schema.message([0]);
  if (type === undefined) throw new Undecodable('its schema has no message');
  return { type, from: first === 0 ? Math.min(1, payload.length) : 0 };
}

function messageAtPlace(schema: ProtobufSchema, payload: Uint8Array): MessageAt | undefined {
  let at = 0;
  const int = (): number => {
    let value = 0;
    for (let scale = 1; scale < 2 ** 35; scale *= 0x80) {
      const byte = payload[at++] ?? 1;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value % 2 === 0 ? value / 2 : -1;
    }
    return -1;
  };
  const count = int();
  if (count < 1 || count > maxPlaceLength) return undefined;
  const type = schema.message(Array.from({ length: count }, int));
  return type === undefined || at > payload.length ? undefined : { type, from: at };
}

type Fields = Readonly<Record<string, unknown>>;

/** A decoded message by the names of its fields; those that were not sent are not own properties. */
function fieldsOf(message: object): Fields {
  return message as Fields;
}

function writeMessage(to: JsonWriter, type: Type, message: Fields): void {
  to.value();
  to.open('{');
  let isFirst = true;
  for (const field of type.fieldsArray) {
    const isSent = Object.hasOwn(message, field.name);
    if (!isSent && hasPresence(field)) continue;
    to.raw(`${isFirst ? '' : ','}${JSON.stringify(field.name)}:`);
    isFirst = false;
    writeField(to, field, isSent ? message[field.name] : field.defaultValue);
  }
  to.close('}');
}

function hasPresence(field: Field): boolean {
  return field.hasPresence || (!field.repeated && !(field instanceof MapField) && field.resolvedType instanceof Type);
}

function writeField(to: JsonWriter, field: Field, value: unknown): void {
  if (field instanceof MapField) {
    const isLong = field.keyType.endsWith('64');
    const entries = Object.entries(typeof value === 'object' && value !== null ? value : {});
    to.open('{');
    for (const [index, [key, item]] of entries.entries()) {
      if (index > 0) to.raw(',');
      // The library keeps 64 bits in eight characters.
      to.string(isLong ? longText(key, field.keyType.startsWith('u')) : key);
      to.raw(':');
      writeValue(to, field, item);
    }
    to.close('}');
  } else if (field.repeated) {
    to.open('[');
    for (const [index, item] of (Array.isArray(value) ? value : []).entries()) {
      if (index > 0) to.raw(',');
      writeValue(to, field, item);
    }
    to.close(']');
  } else writeValue(to, field, value);
}

function longText(hash: string, isUnsigned: boolean): string {
  const { lo, hi } = util.LongBits.fromHash(hash);
  const bits = (BigInt(hi >>> 0) << 32n) | BigInt(lo >>> 0);
  return String(isUnsigned ? bits : BigInt.asIntN(64, bits));
}

function writeValue(to: JsonWriter, { resolvedType }: Field, value: unknown): void {
  if (resolvedType instanceof Type) return writeMessage(to, resolvedType, fieldsOf(Object(value) as object));
  to.value();
  switch (typeof value) {
    case 'number': {
      const name = resolvedType instanceof Enum ? resolvedType.valuesById[value] : undefined;
      return name === undefined ? to.number(value) : to.string(name);
    }
    case 'string':
      return to.string(value);
    case 'boolean':
      return to.raw(String(value));
    default:
      if (value instanceof Uint8Array) return to.bytes(value);
      if (Array.isArray(value)) return to.bytes(Uint8Array.from(value as readonly number[]));
      // An integer of 64 bits.
      return to.string(String(value));
  }
}
