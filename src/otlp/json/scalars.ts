import { Buffer } from 'node:buffer';
import { otlpLimits } from '../otlp-limits.ts';
import type { Int64 } from '../wire/wire-reader.ts';

/** How a value that is no message stands in JSON. */
export interface Scalar<Value> {
  /** A type of the definitions, or of `id` which bytes these are. */
  readonly kind: string;
  readonly absent: Value;
  /** What is allowed, as the end of "must be". */
  readonly rule: string;
  /** Undefined for what is not allowed. */
  readonly read: (value: unknown) => Exclude<Value, undefined> | undefined;
}

export const text: Scalar<string> = {
  kind: 'string',
  absent: '',
  rule: 'a text',
  read: (value) => (typeof value === 'string' ? value : undefined),
};

export const bool: Scalar<boolean> = {
  kind: 'bool',
  absent: false,
  rule: 'true or false',
  read: (value) => (typeof value === 'boolean' ? value : undefined),
};

const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

export const double: Scalar<number> = {
  kind: 'double',
  absent: 0,
  rule: 'a number that 64 bits can hold, or one of "NaN", "Infinity", "-Infinity"',
  read: (value) => {
    if (value === 'NaN') return Number.NaN;
    if (value === 'Infinity') return Number.POSITIVE_INFINITY;
    if (value === '-Infinity') return Number.NEGATIVE_INFINITY;
    if (typeof value === 'string' && !number.test(value)) return undefined;
    if (typeof value !== 'number' && typeof value !== 'bigint' && typeof value !== 'string') return undefined;
    const read = Number(value);
    return Number.isFinite(read) ? read : undefined;
  },
};

export const uint32 = integer('uint32', 0, 2 ** 32 - 1);
export const fixed32 = integer('fixed32', 0, 2 ** 32 - 1);
export const int32 = integer('int32', -(2 ** 31), 2 ** 31 - 1);
export const sint32 = integer('sint32', -(2 ** 31), 2 ** 31 - 1);
export const uint64 = integer64('uint64', 0n, 2n ** 64n - 1n);
export const fixed64 = integer64('fixed64', 0n, 2n ** 64n - 1n);
export const int64 = integer64('int64', -(2n ** 63n), 2n ** 63n - 1n);
export const sfixed64 = integer64('sfixed64', -(2n ** 63n), 2n ** 63n - 1n);

/** Standard or URL alphabet, with or without padding. */
export const base64: Scalar<Uint8Array | undefined> = {
  kind: 'bytes',
  absent: undefined,
  rule: 'bytes as base64',
  read: (value) => {
    if (typeof value !== 'string' || !/^[\w+/-]*={0,2}$/.test(value)) return undefined;
    const padding = value.endsWith('==') ? 2 : Number(value.endsWith('='));
    const rest = (value.length - padding) % 4;
    return rest === 1 || (padding > 0 && rest !== 4 - padding) ? undefined : Buffer.from(value, 'base64');
  },
};

export const traceId = id('trace', otlpLimits.traceIdBytes);
export const spanId = id('span', otlpLimits.spanIdBytes);

/** By its name, or as a number, which may be one that the definitions do not know yet. */
export function enumeration(name: string, numbers: Readonly<Record<string, number>>): Scalar<number> {
  const known = new Map(Object.entries(numbers));
  return {
    kind: name,
    absent: 0,
    rule: `a whole number of 32 bits, or a name of ${name}`,
    read: (value) => (typeof value === 'string' ? known.get(value) : int32.read(value)),
  };
}

function id(name: string, bytes: number): Scalar<Uint8Array | undefined> {
  const pattern = new RegExp(`^(?:[0-9a-f]{${2 * bytes}})?$`, 'i');
  return {
    kind: `${name} id`,
    absent: undefined,
    rule: `a ${name} id of ${2 * bytes} hexadecimal digits, or empty`,
    read: (value) => (typeof value === 'string' && pattern.test(value) ? Buffer.from(value, 'hex') : undefined),
  };
}

const digits = /^-?\d{1,20}$/;

function integer(kind: string, least: number, most: number): Scalar<number> {
  return {
    kind,
    absent: 0,
    rule: `a whole number from ${least} to ${most}`,
    read: (value) => {
      const read = typeof value === 'string' && digits.test(value) ? Number(value) : value;
      // The sum has no -0.
      return typeof read === 'number' && Number.isInteger(read) && read >= least && read <= most ? read + 0 : undefined;
    },
  };
}

function integer64(kind: string, least: bigint, most: bigint): Scalar<Int64> {
  return {
    kind,
    absent: 0,
    rule: `a whole number from ${least} to ${most}, as a number or as text`,
    read: (value) => {
      if (typeof value === 'number') return Number.isSafeInteger(value) && value >= least ? value + 0 : undefined;
      if (typeof value === 'string' ? !digits.test(value) : typeof value !== 'bigint') return undefined;
      const wide = BigInt(value as string | bigint);
      if (wide < least || wide > most) return undefined;
      const read = Number(wide);
      return Number.isSafeInteger(read) ? read : wide;
    },
  };
}
