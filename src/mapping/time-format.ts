import { timeCodes, type TimeCode } from './time-codes.ts';

/** A strftime format made ready, or the rule that it breaks. */
export type TimeFormat =
  | { readonly kind: 'format'; readonly parts: readonly (string | TimeCode)[] }
  | { readonly kind: 'invalid'; readonly rule: string };

/** Reads a format such as `%Y-%m-%d`; the codes are those of `time-codes.ts`. Positions in a rule count from 1. */
export function parseTimeFormat(text: string): TimeFormat {
  const parts: (string | TimeCode)[] = [];
  let at = 0;
  for (let percent = text.indexOf('%'); percent >= 0; percent = text.indexOf('%', at)) {
    if (percent > at) parts.push(text.slice(at, percent));
    const code = String.fromCodePoint(...firstCodePoint(text, percent + 1));
    if (code === '') return invalid(`"%" at position ${percent + 1} is without a code (write "%%" for a percent sign)`);
    const write = timeCodes.get(code);
    if (write === undefined) return invalid(`unknown code "%${code}" at position ${percent + 1}, ${known()}`);
    parts.push(write);
    at = percent + 2;
  }
  if (at < text.length) parts.push(text.slice(at));
  return { kind: 'format', parts };
}

/** Writes a time (its UTC fields) in a format. */
export function formatTime({ parts }: Extract<TimeFormat, { kind: 'format' }>, date: Date): string {
  let text = '';
  for (const part of parts) text += typeof part === 'string' ? part : part(date);
  return text;
}

function firstCodePoint(text: string, at: number): readonly number[] {
  const point = text.codePointAt(at);
  return point === undefined ? [] : [point];
}

function invalid(rule: string): TimeFormat {
  return { kind: 'invalid', rule };
}

function known(): string {
  return `known are ${[...timeCodes.keys()].join(' ')}`;
}
