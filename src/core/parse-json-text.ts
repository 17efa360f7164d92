/**
 * What `JSON.parse` makes of a text, right also where that of V8 13.6 (Node 24) is wrong: it may give a key with an escape the
 * name of a key that an earlier text had at the same place, silently (`docs/upstream/v8-json-parse-escaped-keys.md`). All of `src`
 * reads JSON here.
 */
export function parseJsonText(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return hasEscapedKey(text) ? new ValidJson(text).read() : value;
}

/**
 * The same for an object or an array whose integers count digit by digit: one that a number does not hold exactly is a bigint.
 * Much slower where the text has one, so for texts of some kilobytes.
 */
export function parseExactJsonText(text: string): unknown {
  if (!mayHaveLongInteger.test(text)) return parseJsonText(text);
  const value: unknown = JSON.parse(text);
  return typeof value === 'object' && value !== null ? new ValidJson(text, exactNumber).read() : value;
}

/** Also true of some strings. Without 16 digits in a row and without an exponent an integer is exact. */
const mayHaveLongInteger = /[[,:][ \n\r\t]*-?\d(?:\d{15}|[\d.]*[eE])/;

function exactNumber(token: string): unknown {
  const value: unknown = JSON.parse(token);
  if (typeof value !== 'number' || Number.isSafeInteger(value) || !Number.isInteger(value)) return value;
  const [, digits = '', fraction = '', exponent = '0'] = /^(-?\d+)(?:\.(\d+))?(?:[eE](.+))?$/.exec(token) ?? [];
  const zeros = Number(exponent) - fraction.length;
  if (zeros >= 0) return BigInt(digits + fraction) * 10n ** BigInt(zeros);
  const all = digits + fraction;
  // Digits behind the point are cut off only where all of them are 0.
  return /^0*$/.test(all.slice(zeros)) ? BigInt(all.slice(0, zeros)) : value;
}

/** Whether a key of a valid JSON text has a backslash. A backslash stands in a string, and a string before a colon is a key. */
function hasEscapedKey(text: string): boolean {
  for (let at = text.indexOf('\\'); at >= 0; at = text.indexOf('\\', at)) {
    at = endOfString(text, at);
    if (text.charCodeAt(afterBlanks(text, at)) === colon) return true;
  }
  return false;
}

type Container = unknown[] | { [key: string]: unknown };

/** Reads a text that is known to be a valid object or array, however deep it is nested. */
class ValidJson {
  readonly #text: string;
  readonly #scalarOf: (token: string) => unknown;
  readonly #open: Container[] = [];
  #at = 0;
  /** The key that waits for its value. */
  #key: string | undefined;

  constructor(text: string, scalarOf: (token: string) => unknown = (token) => JSON.parse(token)) {
    this.#text = text;
    this.#scalarOf = scalarOf;
  }

  read(): unknown {
    let closed: Container | undefined;
    do closed = this.#token();
    while (closed === undefined || this.#open.length > 0);
    return closed;
  }

  /** Takes one token; gives the container that ends with it. */
  #token(): Container | undefined {
    this.#at = afterBlanks(this.#text, this.#at);
    switch (this.#text.charCodeAt(this.#at)) {
      case openBrace:
        return this.#enter({});
      case openBracket:
        return this.#enter([]);
      case closeBrace:
      case closeBracket:
        this.#at++;
        return this.#open.pop();
      case comma:
      case colon:
        this.#at++;
        return undefined;
      case quote:
        return this.#keyOrValue(this.#string());
      default:
        return this.#put(this.#scalar());
    }
  }

  #enter(container: Container): undefined {
    this.#at++;
    if (this.#open.length > 0) this.#put(container);
    this.#open.push(container);
  }

  #keyOrValue(text: string): undefined {
    if (this.#key !== undefined || Array.isArray(this.#open.at(-1))) this.#put(text);
    else this.#key = text;
  }

  #put(value: unknown): undefined {
    const container = this.#open.at(-1);
    if (Array.isArray(container)) container.push(value);
    else if (container !== undefined && this.#key !== undefined) setField(container, this.#key, value);
    this.#key = undefined;
  }

  #string(): string {
    const start = this.#at;
    this.#at = endOfString(this.#text, start + 1);
    const token = this.#text.slice(start, this.#at);
    return token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1);
  }

  #scalar(): unknown {
    const start = this.#at;
    while (!endsScalar(this.#text.charCodeAt(this.#at))) this.#at++;
    return this.#scalarOf(this.#text.slice(start, this.#at));
  }
}

function setField(object: { [key: string]: unknown }, key: string, value: unknown): void {
  // An assignment to this one would be no field.
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { configurable: true, enumerable: true, writable: true, value });
}

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function endsScalar(code: number): boolean {
  return code === comma || code === closeBracket || code === closeBrace || isBlank(code);
}

function afterBlanks(text: string, at: number): number {
  while (isBlank(text.charCodeAt(at))) at++;
  return at;
}

/** The place after the quote that ends the string in which `at` stands, not within an escape. */
function endOfString(text: string, at: number): number {
  let end = text.indexOf('"', at);
  for (let tries = 0; isEscaped(text, end, at); tries++) {
    if (tries === few) return endAfterMany(text, end + 1);
    end = text.indexOf('"', end + 1);
  }
  return end + 1;
}

/** So many escaped quotes are looked for one by one: of more, each would cost as much as many characters. */
const few = 16;

/** The same for a place that no escape reaches over. */
function endAfterMany(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); code !== quote; code = text.charCodeAt(at)) at += code === 0x5c ? 2 : 1;
  return at + 1;
}

/** Whether an odd number of backslashes stands between `from` and `at`, right before `at`. */
function isEscaped(text: string, at: number, from: number): boolean {
  let before = at;
  while (before > from && text.charCodeAt(before - 1) === 0x5c) before--;
  return (at - before) % 2 === 1;
}
