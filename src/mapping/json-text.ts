import { Buffer } from 'node:buffer';
import { parseJsonText } from '../core/parse-json-text.ts';
import { endOfString, isBlank } from './json-lexer.ts';

/** A valid JSON value without the white space between its tokens; every token stays as it was written. */
export function compactJson(json: Uint8Array): Buffer {
  const compact = Buffer.alloc(json.length);
  let length = 0;
  for (let at = 0; at < json.length;) {
    const byte = json[at] as number;
    const next = byte === 0x22 ? endOfString(json, at + 1) : at + 1;
    if (isBlank(byte)) at = next;
    else while (at < next) compact[length++] = json[at++] as number;
  }
  return compact.subarray(0, length);
}

/** The characters of a valid JSON string, given with its quotes. */
export function unescapeJson(json: Uint8Array): string {
  return parseJsonText(Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString()) as string;
}

/** Whether [start, end) has a backslash. */
export function hasEscape(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] === 0x5c) return true;
  return false;
}
