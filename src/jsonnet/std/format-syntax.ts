/** What a code asks for; `i` and `u` are `d`, capital letters are told by `capitals`. */
type Conversion = 'd' | 'o' | 'x' | 'e' | 'f' | 'g' | 'c' | 's' | '%';

/** One `%` code: `%(key)#0- +width.precision` and its letter. */
export interface FormatCode {
  readonly key: string | undefined;
  /** `#` */
  readonly alternative: boolean;
  /** `0` without `-` */
  readonly zero: boolean;
  /** `-` */
  readonly left: boolean;
  /** ` ` */
  readonly blank: boolean;
  /** `+` */
  readonly plus: boolean;
  /** `*` takes it from the values. */
  readonly width: number | '*';
  readonly precision: number | '*' | undefined;
  readonly conversion: Conversion;
  readonly capitals: boolean;
}

/** Text between codes as it is, and codes; or why the text is no format. */
export type Format =
  | { readonly kind: 'parts'; readonly parts: readonly (string | FormatCode)[] }
  | { readonly kind: 'fault'; readonly message: string };

const truncated: Format = { kind: 'fault', message: 'Truncated format code.' };
const flags = /[#0\- +]*/y;
const size = /\*|\d*/y;
const conversions: ReadonlyMap<string, Conversion> = new Map<string, Conversion>([
  ['d', 'd'],
  ['i', 'd'],
  ['u', 'd'],
  ['o', 'o'],
  ['x', 'x'],
  ['X', 'x'],
  ['e', 'e'],
  ['E', 'e'],
  ['f', 'f'],
  ['F', 'f'],
  ['g', 'g'],
  ['G', 'g'],
  ['c', 'c'],
  ['s', 's'],
  ['%', '%'],
]);

/** Reads a format as `std.format` has it: that of Python's operator `%`. */
export function parseFormat(text: string): Format {
  const parts: (string | FormatCode)[] = [];
  let from = 0;
  for (let at = text.indexOf('%'); at >= 0; at = text.indexOf('%', from)) {
    if (at > from) parts.push(text.slice(from, at));
    const read = plainCodes.get(text.charAt(at + 1)) ?? readCode(text, at + 1);
    if ('kind' in read) return read;
    parts.push(read.code);
    from = at + 1 + read.length;
  }
  if (from < text.length) parts.push(text.slice(from));
  return { kind: 'parts', parts };
}

interface ReadCode {
  readonly code: FormatCode;
  /** Without the `%` before it. */
  readonly length: number;
}

function readCode(text: string, start: number): Format | ReadCode {
  let at = start;
  let key: string | undefined;
  if (text[at] === '(') {
    const end = text.indexOf(')', at);
    if (end < 0) return truncated;
    key = text.slice(at + 1, end);
    at = end + 1;
  }
  const given = matchAt(flags, text, at);
  at += given.length;
  const width = matchAt(size, text, at);
  at += width.length;
  let precision: string | undefined;
  if (text[at] === '.') {
    precision = matchAt(size, text, at + 1);
    at += 1 + precision.length;
  }
  // The length of C's numbers says nothing here.
  if (/[hlL]/.test(text.charAt(at))) at++;
  const codePoint = text.codePointAt(at);
  if (codePoint === undefined) return truncated;
  const letter = String.fromCodePoint(codePoint);
  const conversion = conversions.get(letter);
  if (conversion === undefined) return { kind: 'fault', message: `Unrecognised conversion type: ${letter}` };
  const left = given.includes('-');
  const code: FormatCode = {
    key,
    alternative: given.includes('#'),
    zero: given.includes('0') && !left,
    left,
    blank: given.includes(' '),
    plus: given.includes('+'),
    width: sizeOf(width),
    precision: precision === undefined ? undefined : sizeOf(precision),
    conversion,
    capitals: letter >= 'A' && letter <= 'Z',
  };
  return { code, length: at + 1 - start };
}

/** The codes that are nothing but a letter. */
const plainCodes: ReadonlyMap<string, ReadCode> = new Map(
  [...conversions.keys()].flatMap((letter) => {
    const read = readCode(letter, 0);
    return 'kind' in read ? [] : [[letter, read] as const];
  }),
);

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

function sizeOf(text: string): number | '*' {
  return text === '*' ? '*' : Number(text);
}
