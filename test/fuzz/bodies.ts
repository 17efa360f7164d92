import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Dice } from './random.ts';

/** A body, and what its headers say of it. */
export interface Body {
  readonly bytes: Buffer;
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
  /** Where it goes below the path of its source. */
  readonly below?: string;
}

/** Keys that mean something to an engine, a mapping, or nobody. */
const keys = [
  'n',
  'a',
  'a.b',
  'a[0]',
  '',
  '__proto__',
  'constructor',
  'toString',
  '\\',
  '\\u5e74',
  '年',
  'e\u0301',
  ' ',
];

const scalars = [
  'null',
  'true',
  '0',
  '-0',
  '1e400',
  '-1.5e30',
  '12345678901234567890123',
  '0.1e-400',
  '""',
  '"\\ud800"',
  '"\\u0000"',
  '"\\u202e"',
  '"x\\u0022,\\u000a"',
] as const;

/** Texts that are nearly JSON. */
const broken = [
  '{',
  '[1,]',
  '{"a":1,}',
  '{"a" 1}',
  "{'a':1}",
  '{"a":NaN}',
  '{"a":01}',
  '"\\x"',
  '"\u0001"',
  'nul',
  '\uFEFF{"n":1}',
  '{"n":1}{"n":2}',
  '{"n":1}\n\n{',
  '//\n{}',
] as const;

function json(dice: Dice, depth: number): string {
  if (depth === 0 || dice.chance(40)) return dice.pick(scalars);
  const parts = Array.from({ length: dice.number(0, 5) }, () => json(dice, depth - 1));
  if (dice.chance(40)) return `[${parts.join(',')}]`;
  const key = (): string => JSON.stringify(keys[dice.number(0, keys.length - 1)]);
  return `{${parts.map((part) => `${dice.chance(20) ? key().replaceAll('a', '\\u0061') : key()}:${part}`).join(',')}}`;
}

function deep(dice: Dice): string {
  const depth = dice.number(200, 60_000);
  const [open, close] = dice.pick<readonly [string, string]>([
    ['[', ']'],
    ['{"a":', '}'],
    ['[{"a":', '}]'],
  ]);
  return open.repeat(depth) + '1' + (dice.chance(70) ? close.repeat(depth) : '');
}

function form(dice: Dice): string {
  const part = (): string =>
    `${dice.pick(['n', 'a[]', 'a[b]', 'a[b][c]', '[', 'a[', '%', '%zz', '__proto__[x]', '', '%F0%9F%98%80'])}=${dice.pick(['1', '', '%', '+', '%00', dice.text(1, 30)])}`;
  return Array.from({ length: dice.number(1, dice.chance(3) ? 5000 : 8) }, part).join('&');
}

function multipart(dice: Dice): string {
  const boundary = dice.pick(['x', 'x', 'y', '']);
  const part = (): string =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${dice.pick(['n', '', '"', '__proto__'])}"${dice.chance(30) ? '; filename="f"' : ''}\r\n\r\n${dice.text(0, 40)}\r\n`;
  return Array.from({ length: dice.number(0, 6) }, part).join('') + (dice.chance(70) ? `--${boundary}--\r\n` : '');
}

/** Some text, of a kind that a Content-Type names, or of another one. */
function plain(dice: Dice): { readonly text: string | Buffer; readonly type: string | undefined } {
  const lines = (): string =>
    Array.from({ length: dice.number(1, 60) }, () => json(dice, 2)).join(dice.pick(['\n', '\r\n', '\n\n']));
  switch (dice.number(0, 11)) {
    case 0:
      return { text: dice.pick(broken), type: 'application/json' };
    case 1:
      return { text: dice.chance(20) ? deep(dice) : dice.pick(broken), type: 'application/json; charset=utf-8' };
    case 2:
      return { text: lines(), type: 'application/x-ndjson' };
    case 3:
      return { text: form(dice), type: 'application/x-www-form-urlencoded' };
    case 4:
      return { text: multipart(dice), type: dice.pick(['multipart/form-data; boundary=x', 'multipart/form-data']) };
    case 5:
      return {
        text: dice.bytes(dice.number(0, 300)),
        type: dice.pick(['application/octet-stream', 'application/json']),
      };
    case 6:
      return { text: dice.text(0, 200), type: dice.pick(['text/plain', 'text/html', undefined]) };
    case 7:
      return { text: dice.chance(5) ? 'x'.repeat(dice.number(1, 2_000_000)) : '', type: undefined };
    case 8:
      return {
        text: `[${Array.from({ length: dice.number(0, 40) }, () => json(dice, 1)).join(',')}]`,
        type: 'application/json',
      };
    default:
      return { text: `{"n":${dice.pick(scalars)},"a":${json(dice, 4)}}`, type: 'application/json' };
  }
}

/** Bytes that become many. */
const bomb = gzipSync(Buffer.alloc(20_000_000));

/** A body as a stranger may send it: well formed or not, and called by its name or by another one. */
export function makeBody(dice: Dice): Body {
  const { text, type } = plain(dice);
  const bytes = typeof text === 'string' ? Buffer.from(text, dice.chance(2) ? 'latin1' : 'utf8') : text;
  const wrongType = dice.pick(['', 'a', 'application/json; charset=utf-16', 'APPLICATION/JSON', 'text/plain', '*/*']);
  const contentType = dice.chance(15) ? wrongType : type;
  if (!dice.chance(10)) return { bytes, contentType, contentEncoding: undefined };
  const packed = dice.pick([
    [gzipSync(bytes), 'gzip'],
    [gzipSync(bytes).subarray(0, -5), 'gzip'],
    [deflateSync(bytes), 'deflate'],
    [brotliCompressSync(bytes.subarray(0, 2000)), 'br'],
    [gzipSync(gzipSync(bytes)), 'gzip, gzip'],
    [dice.chance(5) ? bomb : gzipSync(bytes), 'gzip'],
    [bytes, 'gzip'],
    [bytes, 'nonsense'],
    [bytes, 'identity'],
  ] as const);
  return { bytes: packed[0], contentType, contentEncoding: packed[1] };
}
