import { Buffer } from 'node:buffer';
import type { AnyValue, KeyValue } from '../wire/messages.ts';
import { doubleText, listText, stringText } from './json-text.ts';

/** A value as natural JSON (3.5): bytes as standard base64, a value without content as null. */
export function anyValueText(value: AnyValue | undefined): string {
  if (value === undefined) return 'null';
  switch (value.value) {
    case 'string_value':
      return stringText(value.string_value);
    case 'bool_value':
      return String(value.bool_value);
    case 'int_value':
      return String(value.int_value);
    case 'double_value':
      return doubleText(value.double_value);
    case 'array_value':
      return listText((value.array_value?.values ?? []).map(anyValueText));
    case 'kvlist_value':
      return attributesText(value.kvlist_value?.values ?? []);
    case 'bytes_value':
      return `"${base64(value.bytes_value)}"`;
    // An index into a table that only profiles have.
    case 'string_value_strindex':
    case undefined:
      return 'null';
    default:
      return value.value satisfies never;
  }
}

/** Attributes as a JSON object; of a key that is there twice, which the definitions forbid, the last one counts. */
export function attributesText(attributes: readonly KeyValue[]): string {
  const unique = hasRepeatedKey(attributes) ? lastOfEach(attributes) : attributes;
  let text = '';
  for (const { key, value } of unique) text += `${text === '' ? '' : ','}${stringText(key)}:${anyValueText(value)}`;
  return `{${text}}`;
}

/** Lists that are not longer are compared pair by pair, which is quicker than a set. */
const few = 8;

function hasRepeatedKey(attributes: readonly KeyValue[]): boolean {
  if (attributes.length > few) return new Set(attributes.map(({ key }) => key)).size < attributes.length;
  for (let at = 1; at < attributes.length; at += 1)
    for (let before = 0; before < at; before += 1) if (attributes[at]?.key === attributes[before]?.key) return true;
  return false;
}

function lastOfEach(attributes: readonly KeyValue[]): Iterable<KeyValue> {
  return new Map(attributes.map((attribute) => [attribute.key, attribute])).values();
}

function base64(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? '' : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
