import type { Int64 } from '../wire/wire-reader.ts';

/** A time in both forms; each empty where there is none. */
export interface TimeText {
  /** RFC 3339 in UTC, with as many digits of the second as it needs (3.5). */
  readonly text: string;
  /** Nanoseconds since the epoch. */
  readonly nanos: string;
}

const none: TimeText = { text: '', nanos: '' };
const nanosPerSecond = 1_000_000_000n;

/** Nanoseconds since the epoch, without a sign; 0 says that there is no time. It keeps the last one: many are given twice. */
export function timeOf(nanos: Int64): TimeText {
  if (nanos !== lastNanos) {
    lastTime = Number(nanos) === 0 ? none : newTime(BigInt(nanos));
    lastNanos = nanos;
  }
  return lastTime;
}

/** The same as RFC 3339 alone. */
export function timeText(nanos: Int64): string {
  return timeOf(nanos).text;
}

let lastNanos: Int64 = 0;
let lastTime = none;

function newTime(nanos: bigint): TimeText {
  const seconds = nanos / nanosPerSecond;
  const second = Number(seconds);
  const digits = String(Number(nanos - seconds * nanosPerSecond) + 1_000_000_000).slice(1);
  let end = 9;
  while (end > 0 && digits.charCodeAt(end - 1) === 0x30) end -= 1;
  const fraction = end === 0 ? '' : `.${digits.slice(0, end)}`;
  return { text: `${secondText(second)}${fraction}Z`, nanos: second === 0 ? String(nanos) : `${second}${digits}` };
}

let lastSecond = Number.NaN;
let lastText = '';

/** Without `Z`. It keeps the last one, because records come in the order of time. */
function secondText(second: number): string {
  if (second !== lastSecond) {
    lastSecond = second;
    lastText = new Date(second * 1000).toISOString().slice(0, 19);
  }
  return lastText;
}

/** A field behind others that has the nanoseconds as digits; left out where there is no time. */
export function nanosField(name: string, { nanos }: TimeText): string {
  return nanos === '' ? '' : `,"${name}":"${nanos}"`;
}
