import { createHash, createHmac, getHashes } from 'node:crypto';
import { ExtractorError } from '../values/extractor-error.ts';
import { isList, isObject, type JsonValue } from '../values/json-value.ts';
import { integerOf, isEmpty, isNumeric, isTruthy, typeOf } from '../values/loose.ts';
import { phpDate } from './php-date.ts';
import { phpSprintf } from './php-sprintf.ts';
import { phpTime } from './php-time.ts';

/** Besides JSON values there are bytes: what a hash gives when its last argument asks for them. */
export type FunctionValue = JsonValue | Buffer;

interface Called {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly isPlaceholder: boolean;
}

interface KnownFunction {
  readonly least: number;
  readonly most: number;
  readonly call: (args: Arguments, now: number) => FunctionValue;
}

const any = Number.POSITIVE_INFINITY;

const functions: ReadonlyMap<string, KnownFunction> = new Map<string, KnownFunction>([
  ['md5', { least: 1, most: 2, call: (args) => digest(args, 'md5', 0) }],
  ['sha1', { least: 1, most: 2, call: (args) => digest(args, 'sha1', 0) }],
  ['hash', { least: 2, most: 3, call: (args) => digest(args, args.algorithm(0), 1) }],
  ['hash_hmac', { least: 3, most: 4, call: hmac }],
  ['base64_encode', { least: 1, most: 1, call: (args) => args.bytes(0).toString('base64') }],
  ['time', { least: 0, most: 0, call: (_args, now) => Math.floor(now / 1000) }],
  ['date', { least: 1, most: 2, call: (args, now) => phpDate(args.text(0), args.seconds(1, now)) }],
  ['strtotime', { least: 1, most: 2, call: (args, now) => phpTime(args.text(0), args.seconds(1, now)) ?? false }],
  ['sprintf', { least: 1, most: any, call: (args) => phpSprintf(args.text(0), args.texts(1)) }],
  ['concat', { least: 0, most: any, call: (args) => joined(args.all(), Buffer.alloc(0)) }],
  ['implode', { least: 1, most: 2, call: implode }],
  ['ifempty', { least: 2, most: 2, call: (args) => (isEmptyValue(args.at(0)) ? args.at(1) : args.at(0)) }],
  ['urlencode', { least: 1, most: 1, call: (args) => urlencode(args.text(0)) }],
]);

/** What a function gives for arguments that are evaluated already. */
export function callFunction(name: string, args: readonly FunctionValue[], called: Called): FunctionValue {
  const known = name === 'urlencode' && !called.isPlaceholder ? undefined : functions.get(name);
  if (known === undefined) throw failed(`Illegal function '${name}'!`);
  if (args.length < known.least || args.length > known.most) throw wrongCount(name, args.length, known);
  return known.call(new Arguments(name, args), called.now);
}

function wrongCount(name: string, given: number, { least, most }: KnownFunction): ExtractorError {
  if (name === 'ifempty') return failed("Bad argument count for function 'ifempty'!");
  const limit = given < least ? least : most;
  const word = least === most ? 'exactly' : given < least ? 'at least' : 'at most';
  return failed(`${name}() expects ${word} ${limit} argument${limit === 1 ? '' : 's'}, ${given} given`);
}

function failed(text: string): ExtractorError {
  return new ExtractorError(`User script error: ${text}`);
}

/** Arguments of one call, as the types that the function needs. */
class Arguments {
  readonly #name: string;
  readonly #values: readonly FunctionValue[];

  constructor(name: string, values: readonly FunctionValue[]) {
    this.#name = name;
    this.#values = values;
  }

  all(): readonly FunctionValue[] {
    return this.#values;
  }

  at(place: number): FunctionValue {
    return this.#values[place] ?? null;
  }

  has(place: number): boolean {
    return place < this.#values.length;
  }

  bytes(place: number): Buffer {
    const value = this.at(place);
    if (Buffer.isBuffer(value)) return value;
    if (isList(value) || isObject(value)) throw this.wrongType(place, 'string', value);
    return Buffer.from(scalarText(value));
  }

  text(place: number): string {
    return this.bytes(place).toString();
  }

  texts(from: number): readonly string[] {
    return this.#values.slice(from).map((_value, at) => this.text(from + at));
  }

  isTrue(place: number): boolean {
    const value = this.at(place);
    return Buffer.isBuffer(value) ? value.length > 0 : isTruthy(value);
  }

  /** The time of an argument that may be left out, in seconds. */
  seconds(place: number, now: number): number {
    const value = this.at(place);
    if (Buffer.isBuffer(value) || value === null) return Math.floor(now / 1000);
    if (!isNumeric(value) && typeof value !== 'boolean') throw this.wrongType(place, '?int', value);
    return integerOf(value);
  }

  algorithm(place: number): string {
    const name = this.text(place)
      .toLowerCase()
      .replace(/^sha512\//, 'sha512-');
    if (hashes.has(name)) return name;
    throw failed(`${this.#name}(): Argument #${place + 1} ($algo) must be a valid cryptographic hashing algorithm`);
  }

  wrongType(place: number, type: string, given: JsonValue): ExtractorError {
    const name = isObject(given) ? 'stdClass' : typeOf(given).replace('NULL', 'null');
    return failed(`${this.#name}(): Argument #${place + 1} must be of type ${type}, ${name} given`);
  }
}

const hashes: ReadonlySet<string> = new Set(getHashes());

function digest(args: Arguments, algorithm: string, place: number): FunctionValue {
  const hash = createHash(algorithm).update(args.bytes(place));
  return args.isTrue(place + 1) ? hash.digest() : hash.digest('hex');
}

function hmac(args: Arguments): FunctionValue {
  const hash = createHmac(args.algorithm(0), args.bytes(2)).update(args.bytes(1));
  return args.isTrue(3) ? hash.digest() : hash.digest('hex');
}

/** The pieces may stand before what joins them, and what joins them may be left out. */
function implode(args: Arguments): FunctionValue {
  const [first, second] = [args.at(0), args.at(1)];
  if (!Buffer.isBuffer(second) && isList(second)) return joined(second, args.bytes(0));
  if (!Buffer.isBuffer(first) && isList(first)) return joined(first, args.has(1) ? args.bytes(1) : Buffer.alloc(0));
  throw failed('implode(): Argument #2 ($array) must be of type ?array, string given');
}

function joined(pieces: readonly FunctionValue[], glue: Buffer): FunctionValue {
  const all = pieces.flatMap((piece, at) => (at === 0 ? [pieceOf(piece)] : [glue, pieceOf(piece)]));
  const bytes = Buffer.concat(all);
  return pieces.some((piece) => Buffer.isBuffer(piece)) ? bytes : bytes.toString();
}

function pieceOf(value: FunctionValue): Buffer {
  if (Buffer.isBuffer(value)) return value;
  if (isObject(value)) throw failed('Object of class stdClass could not be converted to string');
  return Buffer.from(isList(value) ? 'Array' : scalarText(value));
}

function scalarText(value: null | boolean | number | bigint | string): string {
  if (value === null || value === false) return '';
  return value === true ? '1' : String(value);
}

function isEmptyValue(value: FunctionValue): boolean {
  return Buffer.isBuffer(value) ? value.length === 0 : isEmpty(value);
}

function urlencode(text: string): string {
  return encodeURIComponent(text)
    .replaceAll(/[!'()*~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
}
