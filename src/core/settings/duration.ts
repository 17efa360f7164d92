import { shortened } from '../shortened.ts';

const nanosecondsOf: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

const longest = 2n ** 63n - 1n;
const nanosecondsPerMs = 1_000_000n;
/** Characters; past them the arithmetic on exact numbers would cost more than a text from outside may. */
const longestText = 64;

export type ParsedDuration =
  { readonly kind: 'duration'; readonly ms: number } | { readonly kind: 'invalid'; readonly message: string };

/**
 * Reads the durations of Go: `1m0s`, `1.5h`, `300ms`, `-2s`, `0`. Milliseconds may have a fraction. The message of an
 * invalid one is Go's, because clients of the reference know it.
 */
export function parseDuration(text: string): ParsedDuration {
  const invalid = (what: string): ParsedDuration => ({ kind: 'invalid', message: `time: ${what}` });
  const bad = `invalid duration ${JSON.stringify(shortened(text, longestText))}`;
  if (text.length > longestText) return invalid(bad);
  const unsigned = text.replace(/^[-+]/, '');
  if (unsigned === '0') return { kind: 'duration', ms: 0 };
  if (unsigned === '') return invalid(bad);
  const part = /(\d+(?:\.\d*)?|\.\d+)([^\d.]*)/y;
  let nanoseconds = 0n;
  while (part.lastIndex < unsigned.length) {
    const match = part.exec(unsigned);
    if (match === null) return invalid(bad);
    const [, number = '', unit = ''] = match;
    const factor = nanosecondsOf[unit];
    if (unit === '') return invalid(`missing unit in duration ${JSON.stringify(text)}`);
    if (factor === undefined)
      return invalid(`unknown unit ${JSON.stringify(unit)} in duration ${JSON.stringify(text)}`);
    const [whole = '', fraction = ''] = number.split('.');
    nanoseconds += BigInt(whole) * factor + (BigInt(fraction) * factor) / 10n ** BigInt(fraction.length);
    if (nanoseconds > longest) return invalid(bad);
  }
  const ms = millisecondsOf(nanoseconds);
  return { kind: 'duration', ms: text.startsWith('-') ? -ms : ms };
}

/** Milliseconds of a whole number of nanoseconds. */
function millisecondsOf(nanoseconds: bigint): number {
  return Number(nanoseconds / nanosecondsPerMs) + Number(nanoseconds % nanosecondsPerMs) / 1e6;
}

/** Go's text of a duration: `1m0s`, `168h0m0s`, `50ms`, `1.5s`, `0s`. */
export function formatDuration(ms: number): string {
  const size = Math.abs(ms);
  const nanoseconds = BigInt(Math.floor(size)) * nanosecondsPerMs + BigInt(Math.round((size % 1) * 1e6));
  if (nanoseconds === 0n) return '0s';
  return (ms < 0 ? '-' : '') + positiveText(nanoseconds);
}

function positiveText(nanoseconds: bigint): string {
  if (nanoseconds < 1_000n) return `${nanoseconds}ns`;
  if (nanoseconds < nanosecondsPerMs) return `${decimal(nanoseconds, 3)}µs`;
  if (nanoseconds < 1_000_000_000n) return `${decimal(nanoseconds, 6)}ms`;
  const minute = 60_000_000_000n;
  const seconds = `${decimal(nanoseconds % minute, 9)}s`;
  const minutes = nanoseconds / minute;
  if (minutes === 0n) return seconds;
  return minutes < 60n ? `${minutes}m${seconds}` : `${minutes / 60n}h${minutes % 60n}m${seconds}`;
}

function decimal(value: bigint, digits: number): string {
  const factor = 10n ** BigInt(digits);
  const fraction = (value % factor).toString().padStart(digits, '0').replace(/0+$/, '');
  return fraction === '' ? `${value / factor}` : `${value / factor}.${fraction}`;
}
