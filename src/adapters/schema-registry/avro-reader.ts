import avro from 'avsc';
import type { LogicalReads } from './avro-logical.ts';
import { AvroBytes } from './avro-bytes.ts';
import { JsonWriter } from './json-writer.ts';
import { Undecodable } from './undecodable.ts';

const { types } = avro;
type Type = avro.Type;
type Read = (from: AvroBytes, to: JsonWriter) => void;

/**
 * Makes a reader of Avro's binary encoding that writes JSON. The library's own readers do not check where the bytes end: a
 * count that lies makes them go on for ever, and their numbers end at 2^53.
 */
export function avroReader(type: Type, logical: LogicalReads = new WeakMap()): (payload: Uint8Array) => Uint8Array {
  const read = new AvroReaders(logical).of(type);
  return (payload) => {
    const from = new AvroBytes(payload);
    const to = new JsonWriter(payload.length);
    read(from, to);
    if (from.left > 0) throw new Undecodable(`${from.left} bytes are left after the value`);
    return to.end();
  };
}

/** A reader for each type of a schema, made once: types may hold themselves. */
class AvroReaders {
  readonly #made = new Map<Type, Read>();
  readonly #logical: LogicalReads;

  constructor(logical: LogicalReads) {
    this.#logical = logical;
  }

  of(type: Type): Read {
    const known = this.#made.get(type);
    if (known !== undefined) return known;
    let made: Read | undefined;
    const read: Read = (from, to) => {
      made ??= this.#make(type);
      to.value();
      made(from, to);
    };
    this.#made.set(type, read);
    return read;
  }

  #make(type: Type): Read {
    const logical = this.#logical.get(type);
    if (logical !== undefined) return logical;
    if (type instanceof types.LogicalType) return this.of(type.underlyingType);
    if (type instanceof types.RecordType) return this.#record(type);
    if (type instanceof types.ArrayType) return this.#array(type);
    if (type instanceof types.MapType) return this.#map(type);
    if (type instanceof types.WrappedUnionType || type instanceof types.UnwrappedUnionType) return this.#union(type);
    if (type instanceof types.EnumType) return enumReader(type);
    if (type instanceof types.FixedType) return (from, to) => to.bytes(from.fixed(type.size));
    const read = primitives[type.typeName];
    if (read === undefined) throw new Undecodable(`its schema has the type "${type.typeName}", which is not known`);
    return read;
  }

  #record({ fields }: avro.types.RecordType): Read {
    const cells = fields.map(({ name, type }) => ({ key: `${JSON.stringify(name)}:`, read: this.of(type) }));
    return (from, to) => {
      to.open('{');
      for (const [index, { key, read }] of cells.entries()) {
        to.raw(index === 0 ? key : `,${key}`);
        read(from, to);
      }
      to.close('}');
    };
  }

  #array({ itemsType }: avro.types.ArrayType): Read {
    const read = this.of(itemsType);
    return (from, to) => {
      to.open('[');
      let isFirst = true;
      for (let count = blockCount(from); count > 0; count = blockCount(from)) {
        for (let left = count; left > 0; left -= 1) {
          if (!isFirst) to.raw(',');
          isFirst = false;
          read(from, to);
        }
      }
      to.close(']');
    };
  }

  #map({ valuesType }: avro.types.MapType): Read {
    const read = this.of(valuesType as Type); // the driver's declaration says any
    return (from, to) => {
      to.open('{');
      let isFirst = true;
      for (let count = blockCount(from); count > 0; count = blockCount(from)) {
        for (let left = count; left > 0; left -= 1) {
          if (!isFirst) to.raw(',');
          isFirst = false;
          to.string(from.string());
          to.raw(':');
          read(from, to);
        }
      }
      to.close('}');
    };
  }

  /** As the library shows it: a union whose branches differ in kind is the bare value, another one `{"branch": value}`. */
  #union(type: avro.types.WrappedUnionType | avro.types.UnwrappedUnionType): Read {
    const isWrapped = type instanceof types.WrappedUnionType;
    const branches = type.types.map((branch) => ({
      key: isWrapped && branch.typeName !== 'null' ? `${JSON.stringify(branch.branchName)}:` : undefined,
      read: this.of(branch),
    }));
    return (from, to) => {
      const branch = branches[from.int()];
      if (branch === undefined) throw new Undecodable('it names a branch that a union does not have');
      if (branch.key === undefined) return branch.read(from, to);
      to.open('{');
      to.raw(branch.key);
      branch.read(from, to);
      to.close('}');
    };
  }
}

const primitives: Readonly<Record<string, Read | undefined>> = {
  null: (_from, to) => to.raw('null'),
  boolean: (from, to) => to.raw(String(from.boolean())),
  int: (from, to) => to.raw(String(from.int())),
  long: (from, to) => to.raw(String(from.long())),
  float: (from, to) => to.number(from.float()),
  double: (from, to) => to.number(from.double()),
  bytes: (from, to) => to.bytes(from.bytes()),
  string: (from, to) => to.string(from.string()),
};

function enumReader({ symbols }: avro.types.EnumType): Read {
  return (from, to) => {
    const symbol = symbols[from.int()];
    if (symbol === undefined) throw new Undecodable('it names a symbol that an enum does not have');
    to.string(symbol);
  };
}

/** Items in the block that follows; a negative count has the block's size behind it. */
function blockCount(from: AvroBytes): number {
  const count = from.int();
  if (count >= 0) return count;
  from.int();
  return -count;
}
