import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { parseHostRule, type HostRule } from '../core/host-rule.ts';
import { formatByteSize, parseByteSize } from '../core/settings/byte-size.ts';
import { formatDuration, parseDuration } from '../core/settings/duration.ts';
import { Secret } from './secrets.ts';

/**
 * How the text of a variable becomes a value. `rule` is said in errors and on the reference page; `schema` takes the
 * text and gives the value, or an issue whose message completes `VARIABLE="text": …`.
 */
export interface Primitive<Value> {
  readonly rule: string;
  readonly schema: z.ZodType<Value, string>;
}

function primitive<Value>(rule: string, parse: (text: string) => Value | undefined): Primitive<Value> {
  const schema = z.string().transform((text, context) => {
    const value = parse(text.trim());
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message: `must be ${rule}` });
    return z.NEVER;
  });
  return { rule, schema };
}

/** A whole number; digits only. */
export function integer(min: number, max: number): Primitive<number> {
  return primitive(`a whole number from ${min} to ${max}`, (text) => inRange(parseDigits(text), min, max));
}

/** A share; a decimal number. */
export function ratio(): Primitive<number> {
  return primitive('a number from 0 to 1 such as 0.01', (text) =>
    inRange(/^\d{1,3}(\.\d{1,15})?$/.test(text) ? Number(text) : undefined, 0, 1),
  );
}

/** A port to listen on. */
export function port(): Primitive<number> {
  const rule = 'a port from 0 to 65535, where 0 picks a free one';
  return primitive(rule, (text) => inRange(parseDigits(text), 0, 65_535));
}

function parseDigits(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** Bytes: a number, or one with a unit of 1024 (`16KB`, `1MB`). */
export function size(min: string, max: string): Primitive<number> {
  const [least = 0, most = 0] = [min, max].map(parseByteSize);
  return primitive(`a size from ${formatByteSize(least)} to ${formatByteSize(most)}`, (text) =>
    inRange(parseByteSize(text), least, most),
  );
}

/** Milliseconds of a duration with a unit (`30s`, `1m30s`). */
export function duration(minMs: number, maxMs: number): Primitive<number> {
  const rule = `a duration from ${formatDuration(minMs)} to ${formatDuration(maxMs)}`;
  return primitive(rule, (text) => {
    const parsed = parseDuration(text);
    return parsed.kind === 'duration' ? inRange(parsed.ms, minMs, maxMs) : undefined;
  });
}

function inRange(value: number | undefined, min: number, max: number): number | undefined {
  return value !== undefined && value >= min && value <= max ? value : undefined;
}

export function choice<const Value extends string>(values: readonly Value[]): Primitive<Value> {
  return primitive(`one of ${values.join(', ')}`, (text) => values.find((value) => value === text));
}

/** A path of the file system. */
export function path(): Primitive<string> {
  return primitive('a path', (text) => (text.includes('\0') ? undefined : text));
}

/** Something to bind a listener to. */
export function host(): Primitive<string> {
  return primitive('an IP address or a host name, without port', (text) =>
    ipaddr.isValid(text) || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text) ? text : undefined,
  );
}

/** An address that others use, without a slash at the end. */
export function httpUrl(): Primitive<string> {
  return primitive('a URL that begins with http:// or https://, without user, password or query', (text) => {
    const url = URL.parse(text);
    if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') return undefined;
    if (url.username !== '' || url.password !== '') return undefined;
    return text.replace(/\/+$/, '');
  });
}

/** Addresses and networks, separated by commas. */
export function networks(): Primitive<readonly string[]> {
  return primitive('IP addresses and networks such as 10.0.0.0/8, separated by commas', (text) => {
    const items = split(text);
    return items.every((item) => ipaddr.isValid(item) || ipaddr.isValidCIDR(item)) ? items : undefined;
  });
}

/** What may be asked although it is no public address. */
export function hostRules(): Primitive<readonly HostRule[]> {
  return list(
    'names, addresses or networks such as api.internal, api.internal:8443, 10.0.0.7, [::1]:80 or 10.0.0.0/8, separated by commas',
    parseHostRule,
  );
}

/** Origins as browsers send them, separated by commas, or `*`. */
export function origins(): Primitive<readonly string[]> {
  return primitive('"*", "none", or origins such as https://example.com, separated by commas', (text) => {
    if (text === 'none') return [];
    const items = split(text);
    return items.every((item) => item === '*' || URL.parse(item)?.origin === item) ? items : undefined;
  });
}

/** Items of one kind, separated by commas. */
export function list<Item>(rule: string, parseItem: (text: string) => Item | undefined): Primitive<readonly Item[]> {
  return primitive(rule, (text) => {
    const items = split(text).map(parseItem);
    return items.every((item) => item !== undefined) ? items : undefined;
  });
}

function split(text: string): readonly string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** The API looks at no longer one. */
const longestToken = 500;

/** A token: visible ASCII without blanks. */
export function secret(): Primitive<Secret> {
  return primitive(`a token of at most ${longestToken} visible ASCII characters without blanks`, (text) =>
    text.length <= longestToken && /^[\x21-\x7e]+$/.test(text) ? new Secret(text) : undefined,
  );
}

/** Keys of 32 bytes each, hexadecimal or in Base64, separated by commas. */
export function keys(): Primitive<readonly Secret[]> {
  const rule = 'keys of 32 bytes each, hexadecimal or in Base64, separated by commas';
  return primitive(rule, (text) => {
    const given = text.split(',').map((key) => key.trim());
    const isRight = given.every((key) => /^(?:[0-9a-fA-F]{64}|[A-Za-z0-9+/]{43}=)$/.test(key));
    return isRight ? given.map((key) => new Secret(key)) : undefined;
  });
}

/** A text of a certain form. */
export function word(rule: string, form: RegExp): Primitive<string> {
  return primitive(rule, (text) => (form.test(text) ? text : undefined));
}

/** A switch. */
export function toggle(): Primitive<boolean> {
  return primitive('true or false', (text) => (text === 'true' || text === 'false' ? text === 'true' : undefined));
}
