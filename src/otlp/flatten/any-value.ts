import type { AnyValue, KeyValue } from '../wire/messages.ts';
import { bufferOf, type Bytes } from '../wire/wire-bytes.ts';
import { isSameText } from '../wire/wire-text.ts';
import { constant, type JsonWriter } from './json-writer.ts';

const [none, yes, no] = [constant('null'), constant('true'), constant('false')];
const [openBrace, closeBrace, comma, quote] = [0x7b, 0x7d, 0x2c, 0x22];
const [openBracket, closeBracket] = [0x5b, 0x5d];

/** A value as natural JSON (3.5): bytes as standard base64, a value without content as null. */
export function writeAnyValue(out: JsonWriter, value: AnyValue | undefined): void {
  switch (value?.value) {
    case 'string_value':
      out.text(value.string_value);
      break;
    case 'bool_value':
      out.constant(value.bool_value ? yes : no);
      break;
    case 'int_value':
      out.integer(value.int_value);
      break;
    case 'double_value':
      out.double(value.double_value);
      break;
    case 'array_value':
      writeList(out, value.array_value?.values ?? [], writeAnyValue);
      break;
    case 'kvlist_value':
      writeAttributes(out, value.kvlist_value?.values ?? []);
      break;
    case 'bytes_value':
      writeBase64(out, value.bytes_value);
      break;
    // An index into a table that only profiles have.
    case 'string_value_strindex':
    case undefined:
      out.constant(none);
      break;
    default:
      value?.value satisfies undefined;
  }
}

/** Attributes as a JSON object; of a key that is there twice, which the definitions forbid, the last one counts. */
export function writeAttributes(out: JsonWriter, attributes: readonly KeyValue[]): void {
  const unique = hasRepeatedKey(attributes) ? lastOfEach(attributes) : attributes;
  out.byte(openBrace);
  let isFirst = true;
  for (const { key, value } of unique) {
    if (!isFirst) out.byte(comma);
    isFirst = false;
    out.key(key);
    writeAnyValue(out, value);
  }
  out.byte(closeBrace);
}

/** A JSON array. */
export function writeList<Item>(
  out: JsonWriter,
  items: readonly Item[],
  write: (out: JsonWriter, item: Item) => void,
): void {
  out.byte(openBracket);
  let isFirst = true;
  for (const item of items) {
    if (!isFirst) out.byte(comma);
    isFirst = false;
    write(out, item);
  }
  out.byte(closeBracket);
}

/** Lists that are not longer are compared pair by pair, which is quicker than a set. */
const few = 24;

function hasRepeatedKey(attributes: readonly KeyValue[]): boolean {
  const { length } = attributes;
  if (length > few) return new Set(attributes.map(({ key }) => String(key))).size < length;
  for (let at = 1; at < length; at += 1) {
    const { key } = attributes[at] as KeyValue;
    for (let before = 0; before < at; before += 1)
      if (isSameText((attributes[before] as KeyValue).key, key)) return true;
  }
  return false;
}

function lastOfEach(attributes: readonly KeyValue[]): readonly KeyValue[] {
  return [...new Map(attributes.map((attribute) => [String(attribute.key), attribute])).values()];
}

function writeBase64(out: JsonWriter, bytes: Bytes | undefined): void {
  out.byte(quote);
  if (bytes !== undefined) out.ascii(bufferOf(bytes).toString('base64'));
  out.byte(quote);
}
