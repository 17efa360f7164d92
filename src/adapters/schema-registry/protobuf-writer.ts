import protobuf from 'protobufjs';
import { bytesOf, isObject, shown, Unfit } from './unfit.ts';

const { Enum, MapField, Type, util } = protobuf;
type Enum = protobuf.Enum;
type Field = protobuf.Field;
type Type = protobuf.Type;
type Path = readonly string[];

/**
 * Makes of a value in Protobuf's JSON mapping what the library encodes. It checks all itself: the library drops what it does not know and
 * cuts numbers that are too large.
 */
export function protobufValue(type: Type, value: unknown, path: Path = []): object {
  if (!isObject(value)) throw new Unfit(path, `${shown(value)} is no object, which the message ${type.name} is`);
  const message: Record<string, unknown> = {};
  for (const [key, given] of Object.entries(value)) {
    const field = ownField(type, key) ?? ownField(type, util.camelCase(key));
    if (field === undefined) throw new Unfit([...path, key], `the message ${type.name} has no such field`);
    if (given !== null) message[field.name] = fieldValue(field, given, [...path, key]);
  }
  return message;
}

function ownField({ fields }: Type, name: string): Field | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

function fieldValue(field: Field, given: unknown, path: Path): unknown {
  if (field instanceof MapField) return mapValue(field, given, path);
  if (!field.repeated) return singleValue(field, given, path);
  if (!Array.isArray(given)) throw new Unfit(path, `${shown(given)} is no list`);
  return given.map((item, at) => singleValue(field, item, [...path, String(at)]));
}

function mapValue(field: protobuf.MapField, given: unknown, path: Path): unknown {
  if (!isObject(given)) throw new Unfit(path, `${shown(given)} is no object, which a map is`);
  const isText = field.keyType === 'string';
  return Object.fromEntries(
    Object.entries(given).map(([key, item]) => {
      if (!isText) integer(field.keyType, key, [...path, key]);
      return [key, singleValue(field, item, [...path, key])];
    }),
  );
}

function singleValue(
  { type, resolvedType }: Pick<Field, 'type' | 'resolvedType'>,
  given: unknown,
  path: Path,
): unknown {
  if (resolvedType instanceof Type) return protobufValue(resolvedType, given, path);
  if (resolvedType instanceof Enum) return enumValue(resolvedType, given, path);
  switch (type) {
    case 'double':
    case 'float':
      return floating(type, given, path);
    case 'bool':
      if (typeof given === 'boolean') return given;
      break;
    case 'string':
      if (typeof given === 'string') return given;
      break;
    case 'bytes':
      if (typeof given === 'string') return bytesOf(given, path);
      break;
    default:
      return integer(type, given, path);
  }
  throw new Unfit(path, `${shown(given)} is no ${type}`);
}

function enumValue({ name, values, valuesById }: Enum, given: unknown, path: Path): number {
  if (typeof given === 'string' && Object.hasOwn(values, given)) return Number(values[given]);
  if (typeof given === 'number' && Object.hasOwn(valuesById, given)) return given;
  throw new Unfit(path, `${shown(given)} is no value of the enum ${name}`);
}

const notNumbers: ReadonlySet<unknown> = new Set(['NaN', 'Infinity', '-Infinity']);
const largestFloat = 3.4028234663852886e38;

function floating(type: 'double' | 'float', given: unknown, path: Path): number {
  if (notNumbers.has(given)) return Number(given);
  const isFit = typeof given === 'number' && (type === 'double' || Math.abs(given) <= largestFloat);
  if (isFit) return given;
  throw new Unfit(path, `${shown(given)} is no ${type}`);
}

/** As a number where it has 32 bits. A text may have all digits of 64; a number of JSON may not. */
function integer(type: string, given: unknown, path: Path): unknown {
  const isLong = type.endsWith('64');
  const isUnsigned = type.startsWith('u') || type.startsWith('fixed');
  const isExact = typeof given === 'string' ? /^-?[0-9]{1,20}$/.test(given) : Number.isSafeInteger(given);
  const bits = isLong ? 64 : 32;
  const isKnown = /^(u|s|sfixed|fixed)?(int)?(32|64)$/.test(type);
  if (isKnown && isExact) {
    const value = BigInt(given as string | number);
    const cut = isUnsigned ? BigInt.asUintN(bits, value) : BigInt.asIntN(bits, value);
    if (cut === value) return isLong ? util.LongBits.from(String(value)).toLong(isUnsigned) : Number(value);
  }
  const hint = isLong && Number.isInteger(given) ? ': beyond 2^53 write its digits as a text' : '';
  throw new Unfit(path, `${shown(given)} is no ${type}${hint}`);
}
