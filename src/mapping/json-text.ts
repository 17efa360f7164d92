import { Buffer } from 'node:buffer';
import { endOfString, isBlank } from './json-lexer.ts';

/** A valid JSON value [start, end) without the white space between its tokens; every token stays as it was written. */
export function compactJson(bytes: Uint8Array, start: number, end: number): Buffer {
  const compact = Buffer.alloc(end - start);
  let length = 0;
  for (let at = start; at < end;) {
    const byte = bytes[at] as number;
    const next = byte === 0x22 ? endOfString(bytes, at + 1) : at + 1;
    if (!isBlank(byte)) while (at < next) compact[length++] = bytes[at++] as number;
    at = next;
  }
  return compact.subarray(0, length);
}

/** The characters of a valid JSON string [start, end), its quotes included. */
export function unescapeJson(bytes: Buffer, start: number, end: number): string {
  return JSON.parse(bytes.toString('utf8', start, end)) as string;
}

/** Whether [start, end) has a backslash. */
export function hasEscape(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] === 0x5c) return true;
  return false;
}
