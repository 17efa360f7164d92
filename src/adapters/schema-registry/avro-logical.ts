import avro from 'avsc';
import type { AvroBytes } from './avro-bytes.ts';
import type { JsonWriter } from './json-writer.ts';

type Read = (from: AvroBytes, to: JsonWriter) => void;
type Registry = Record<string, avro.Type>;

/** What the types of a schema mean beyond what lies below them. */
export type LogicalReads = WeakMap<avro.Type, Read>;

/**
 * Parses a schema, and notes what its logical types mean. The library's own logical types would change which unions it takes for
 * ambiguous. One that is not known, or whose attributes do not fit, counts as what lies below it, as Avro says.
 */
export function parseAvroSchema(
  schema: avro.Schema,
  { registry, reads }: { readonly registry: Registry; readonly reads: LogicalReads },
): avro.Type {
  return avro.Type.forSchema(schema, {
    registry,
    typeHook(given, options) {
      const read = logicalRead(given);
      if (read === undefined) return undefined;
      const { logicalType: _, ...below } = given as unknown as Readonly<Record<string, unknown>>;
      const type = avro.Type.forSchema(below as unknown as avro.Schema, options);
      reads.set(type, read);
      return type;
    },
  });
}

function logicalRead(given: unknown): Read | undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined;
  const schema = given as Readonly<Record<string, unknown>>;
  const { logicalType, type } = schema;
  if (typeof logicalType !== 'string' || typeof type !== 'string') return undefined;
  const times = timeReads[`${logicalType} ${type}`];
  if (times !== undefined) return times;
  if (logicalType === 'decimal' && (type === 'bytes' || type === 'fixed')) return decimalRead(schema);
  if (logicalType === 'uuid' && type === 'fixed' && schema['size'] === 16) return uuidRead;
  return undefined;
}

/** The largest number of digits that is written out: a decimal has no more than its bytes can hold. */
const mostDigits = 10_000;

function decimalRead(schema: Readonly<Record<string, unknown>>): Read | undefined {
  const { type, size, precision, scale = 0 } = schema;
  if (!isCount(precision) || precision < 1 || precision > mostDigits || !isCount(scale) || scale > precision)
    return undefined;
  const take = (from: AvroBytes): Buffer => (type === 'bytes' ? from.bytes() : from.fixed(Number(size)));
  return (from, to) => {
    const bytes = take(from);
    // More bytes than the precision has use for: the digits would take far longer than their bytes.
    if (bytes.length > mostDigits) to.bytes(bytes);
    else to.string(decimalText(bytes, scale));
  };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** Two's complement, the highest byte first, as all the digits of the scale: `12.50`, `-0.05`. */
function decimalText(bytes: Buffer, scale: number): string {
  const unscaled = bytes.length === 0 ? 0n : BigInt.asIntN(8 * bytes.length, BigInt(`0x${bytes.toString('hex')}`));
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0');
  const sign = unscaled < 0n ? '-' : '';
  return scale === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

const uuidRead: Read = (from, to) => {
  const hex = from.fixed(16).toString('hex');
  to.string([hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-'));
};

const dayMs = 86_400_000;
/** First and last millisecond of the years 0000 to 9999, which have four digits. */
const [firstMs, lastMs] = [Date.parse('0000-01-01T00:00:00.000Z'), Date.parse('9999-12-31T23:59:59.999Z')];

/** Text as a column of type `datetime` has it, with so many digits of a second; a number that no such text has stays one. */
function instant(digits: 3 | 6 | 9, zone: 'Z' | ''): Read {
  const perMs = 10n ** BigInt(digits - 3);
  return (from, to) => {
    const value = from.long();
    const fraction = ((value % perMs) + perMs) % perMs;
    const ms = Number((value - fraction) / perMs);
    if (ms < firstMs || ms > lastMs) to.raw(String(value));
    else to.string(`${isoOf(ms).slice(0, -1)}${digits === 3 ? '' : String(fraction).padStart(digits - 3, '0')}${zone}`);
  };
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}

function clock(digits: 3 | 6, read: (from: AvroBytes) => bigint): Read {
  const perMs = 10n ** BigInt(digits - 3);
  return (from, to) => {
    const value = read(from);
    if (value < 0n || value >= BigInt(dayMs) * perMs) to.raw(String(value));
    else
      to.string(
        `${isoOf(Number(value / perMs)).slice(11, -1)}${digits === 3 ? '' : String(value % perMs).padStart(3, '0')}`,
      );
  };
}

const date: Read = (from, to) => {
  const days = from.int();
  const ms = days * dayMs;
  if (ms < firstMs || ms > lastMs) to.raw(String(days));
  else to.string(isoOf(ms).slice(0, 10));
};

/** By logical type and the type below it. A `uuid` of text is its text as it stands. */
const timeReads: Readonly<Record<string, Read | undefined>> = {
  'date int': date,
  'time-millis int': clock(3, (from) => BigInt(from.int())),
  'time-micros long': clock(6, (from) => from.long()),
  'timestamp-millis long': instant(3, 'Z'),
  'timestamp-micros long': instant(6, 'Z'),
  'timestamp-nanos long': instant(9, 'Z'),
  'local-timestamp-millis long': instant(3, ''),
  'local-timestamp-micros long': instant(6, ''),
  'local-timestamp-nanos long': instant(9, ''),
};
