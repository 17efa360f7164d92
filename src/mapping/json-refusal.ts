import { Buffer } from 'node:buffer';
import { limits } from '../core/limits.ts';
import type { JsonFault } from './json-scan.ts';

/** Why a body is not JSON, and where: `place` is `line:column`, both from 1, columns counted in characters. */
export function invalidJson(body: Uint8Array, fault: JsonFault): { readonly message: string; readonly place: string } {
  const place = placeOf(body, fault.at);
  return { message: `cannot parse request json: ${describe(body, fault)} at ${place}`, place };
}

function describe(body: Uint8Array, fault: JsonFault): string {
  switch (fault.kind) {
    case 'empty':
      return 'the body is empty';
    case 'end':
      return 'unexpected end of the body';
    case 'nesting':
      return `more than ${limits.jsonNesting} levels of arrays and objects`;
    case 'syntax':
      return `unexpected ${describeByte(body[fault.at] ?? 0)}`;
    default:
      return fault.kind satisfies never;
  }
}

function describeByte(byte: number): string {
  if (byte > 0x20 && byte < 0x7f) return `character '${String.fromCharCode(byte)}'`;
  return `byte 0x${byte.toString(16).padStart(2, '0')}`;
}

function placeOf(body: Uint8Array, at: number): string {
  const before = Buffer.from(body.buffer, body.byteOffset, at);
  let line = 1;
  for (let next = before.indexOf(0x0a); next >= 0; next = before.indexOf(0x0a, next + 1)) line++;
  return `${line}:${before.toString('utf8', before.lastIndexOf(0x0a) + 1).length + 1}`;
}
