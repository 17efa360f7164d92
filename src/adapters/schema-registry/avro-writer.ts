import avro from 'avsc';
import { bytesOf, isObject, shown, Unfit } from './unfit.ts';

const { types } = avro;
type Type = avro.Type;
type Path = readonly string[];

/**
 * Makes of a JSON value what the library encodes: texts in base64 become bytes. A field that the schema does not have is refused, which
 * the library would drop. The rest is `checkAvro`'s.
 */
export function avroValue(type: Type, value: unknown, path: Path = []): unknown {
  if (type instanceof types.RecordType) return recordValue(type, value, path);
  if (type instanceof types.ArrayType)
    return Array.isArray(value)
      ? value.map((item, at) => avroValue(type.itemsType, item, [...path, String(at)]))
      : value;
  if (type instanceof types.MapType) return isObject(value) ? mapValue(type, value, path) : value;
  if (type instanceof types.WrappedUnionType) return wrappedValue(type, value, path);
  if (type instanceof types.UnwrappedUnionType) {
    const branch = type.types.find((one) => mayHold(one, value));
    return branch === undefined ? value : avroValue(branch, value, path);
  }
  return holdsBytes(type) && typeof value === 'string' ? bytesOf(value, path) : value;
}

type Fields = Readonly<Record<string, unknown>>;

function recordValue(type: avro.types.RecordType, value: unknown, path: Path): unknown {
  // The library takes a list for a record without fields.
  if (!isObject(value)) throw new Unfit(path, problemOf(value, type));
  const { fields } = type;
  const known = new Set(fields.map(({ name }) => name));
  const unknown = Object.keys(value).find((name) => !known.has(name));
  if (unknown !== undefined) throw new Unfit([...path, unknown], 'the schema has no such field');
  const given = fields.filter(({ name }) => Object.hasOwn(value, name));
  return Object.fromEntries(given.map(({ name, type }) => [name, avroValue(type, value[name], [...path, name])]));
}

function mapValue(type: avro.types.MapType, value: Fields, path: Path): unknown {
  const valuesType = type.valuesType as Type; // the driver's declaration says any
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, avroValue(valuesType, item, [...path, key])]),
  );
}

function wrappedValue(type: avro.types.WrappedUnionType, value: unknown, path: Path): unknown {
  const [entry] = isObject(value) ? Object.entries(value) : [];
  const branch = entry && type.types.find(({ branchName }) => branchName === entry[0]);
  if (entry === undefined || branch === undefined) return value;
  return { [entry[0]]: avroValue(branch, entry[1], [...path, entry[0]]) };
}

/** Whether a branch of a union whose branches differ in kind is the one for this JSON value; a text is rather a text than bytes. */
function mayHold(type: Type, value: unknown): boolean {
  if (Array.isArray(value)) return type instanceof types.ArrayType;
  if (isObject(value)) return type instanceof types.RecordType || type instanceof types.MapType;
  return typeof value === 'string' && holdsBytes(type);
}

function holdsBytes(type: Type): boolean {
  return type instanceof types.BytesType || type instanceof types.FixedType;
}

/** Says where a value does not fit, and what would. */
export function checkAvro(type: Type, value: unknown): void {
  type.isValid(value, {
    errorHook: (path, found, wanted) => {
      throw new Unfit(path, problemOf(found, wanted));
    },
  });
}

function problemOf(found: unknown, wanted: Type): string {
  const name = wanted.branchName ?? wanted.typeName;
  if (found === undefined) return `it is missing, and the schema gives it no default; it must be ${name}`;
  const isLarge = name === 'long' && Number.isInteger(found);
  return `${shown(found)} is no ${name}${isLarge ? ': beyond 2^53 a number of JSON is not exact' : ''}`;
}
