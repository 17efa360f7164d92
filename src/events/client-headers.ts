import { isUtf8 } from 'node:buffer';
import { reservedHeaders } from '../core/event.ts';
import { bearerToken } from './bearer-token.ts';

/**
 * The client's headers as received, a flat list, without those of reserved names and without an Authorization that
 * carries one of the secrets (A29). Where the value of another one has a secret, as the `X-Original-URI` of a proxy does,
 * `***` stands for it. Node reads bytes as Latin-1; what is UTF-8 becomes the text that was sent.
 */
export function clientHeaders(raw: readonly string[], secrets: readonly string[]): readonly string[] {
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const value = raw[at + 1] ?? '';
    if (isDropped(raw, at, secrets) || notAscii.test(value) || hasSecret(value, secrets))
      return rewritten(raw, secrets);
  }
  return raw;
}

const notAscii = /[\u0080-\u00ff]/;

function rewritten(raw: readonly string[], secrets: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    if (!isDropped(raw, at, secrets)) kept.push(raw[at] ?? '', textOf(cleaned(raw[at + 1] ?? '', secrets)));
  }
  return kept;
}

/** Most values are shorter than a secret, and not looked at. */
function hasSecret(value: string, secrets: readonly string[]): boolean {
  for (const secret of secrets) if (value.length >= secret.length && value.includes(secret)) return true;
  return false;
}

function cleaned(value: string, secrets: readonly string[]): string {
  let rest = value;
  for (const secret of secrets) rest = rest.replaceAll(secret, '***');
  return rest;
}

function textOf(value: string): string {
  if (!notAscii.test(value)) return value;
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : value;
}

const prefixLength = reservedHeaders.prefix.length;
const letterM = 0x6d;
const letterA = 0x61;

function isDropped(raw: readonly string[], at: number, secrets: readonly string[]): boolean {
  const name = raw[at] ?? '';
  // The first letter in lower case decides nearly always, without making a string.
  const first = name.charCodeAt(0) | 0x20;
  if (first === letterM) return name.slice(0, prefixLength).toLowerCase() === reservedHeaders.prefix;
  if (first !== letterA || name.length !== 'authorization'.length || name.toLowerCase() !== 'authorization')
    return false;
  return secrets.includes(bearerToken(raw[at + 1]) ?? '');
}
