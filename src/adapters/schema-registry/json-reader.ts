import { isUtf8 } from 'node:buffer';
import { parseJsonText } from '../../core/parse-json-text.ts';
import { Undecodable } from './undecodable.ts';

/**
 * The value is JSON already and stays as it was written. It is not checked against its schema, as little as other consumers do
 * by default: an expression or `uniqueItems` of a schema could hold up all mapping.
 */
export function readJson(payload: Uint8Array): Uint8Array {
  if (!isUtf8(payload)) throw new Undecodable('it is not valid UTF-8');
  try {
    parseJsonText(Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength).toString());
  } catch {
    throw new Undecodable('it is not JSON');
  }
  return payload;
}
