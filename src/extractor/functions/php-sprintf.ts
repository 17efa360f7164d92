import { ExtractorError } from '../values/extractor-error.ts';
import { integerOf, numberOf } from '../values/loose.ts';

const directive = /%(?:(\d+)\$)?((?:[-+0 ]|'.)*)(\d*)(?:\.(\d+))?(.)/gs;

/** Widths and precisions beyond that are a mistake, or an attack. */
const longest = 1000;

interface Directive {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
}

/** `sprintf` of PHP, https://www.php.net/manual/en/function.sprintf.php. */
export function phpSprintf(format: string, args: readonly string[]): string {
  let at = 0;
  return format.replaceAll(directive, (...match: readonly string[]) => {
    const [whole = '', place, flags = '', width = '', precision, letter = ''] = match;
    if (letter === '%') return '%';
    const argument = args[place === undefined ? at++ : Number(place) - 1];
    if (argument === undefined) throw failed(`${args.length + 2} arguments are required, ${args.length + 1} given`);
    const known = { flags, width: Number(width), precision: precision === undefined ? undefined : Number(precision) };
    if (known.width > longest || (known.precision ?? 0) > longest)
      throw failed(`Width and precision of "${whole}" must be ${longest} or less`);
    return padded(textOf(letter, argument, known), known, isNumber(letter));
  });
}

function failed(text: string): ExtractorError {
  return new ExtractorError(`User script error: ${text}`);
}

function isNumber(letter: string): boolean {
  return 'duxXobeEfFgG'.includes(letter);
}

function textOf(letter: string, argument: string, { flags, precision }: Directive): string {
  const integer = integerOf(argument);
  switch (letter) {
    case 's':
      return precision === undefined ? argument : argument.slice(0, precision);
    case 'd':
      return integer >= 0 && flags.includes('+') ? `+${integer}` : String(integer);
    case 'u':
    case 'x':
    case 'X':
    case 'o':
    case 'b': {
      const text = unsigned(integer).toString(radixOf(letter));
      return letter === 'X' ? text.toUpperCase() : text;
    }
    case 'c':
      return String.fromCodePoint(((integer % 256) + 256) % 256);
    case 'e':
    case 'E':
      return exponential(argument, letter, precision ?? 6);
    case 'f':
    case 'F':
      return signed(numberOf(argument).toFixed(Math.min(precision ?? 6, 53)), flags);
    case 'g':
    case 'G':
      return signed(String(Number(numberOf(argument).toPrecision(Math.min(Math.max(precision ?? 6, 1), 53)))), flags);
    default:
      throw failed(`Unknown format specifier "${letter}"`);
  }
}

function unsigned(integer: number): bigint {
  return BigInt.asUintN(64, BigInt(integer));
}

function radixOf(letter: string): number {
  if (letter === 'u') return 10;
  if (letter === 'o') return 8;
  return letter === 'b' ? 2 : 16;
}

function exponential(argument: string, letter: string, precision: number): string {
  const text = numberOf(argument).toExponential(Math.min(precision, 53));
  return letter === 'E' ? text.toUpperCase() : text;
}

function signed(text: string, flags: string): string {
  return flags.includes('+') && !text.startsWith('-') ? `+${text}` : text;
}

function padded(text: string, { flags, width }: Directive, isNumeric: boolean): string {
  // Of several the last one counts.
  const pad = [...flags.matchAll(/'(.)|([0 ])/gs)].at(-1)?.slice(1).join('') ?? ' ';
  if (flags.replaceAll(/'./gs, '').includes('-')) return text.padEnd(width, pad === '0' && isNumeric ? '0' : pad);
  const sign = pad === '0' && isNumeric ? (/^[+-]/.exec(text)?.[0] ?? '') : '';
  return sign + text.slice(sign.length).padStart(width - sign.length, pad);
}
