import { styleText } from 'node:util';
import { parseJsonText } from '../core/parse-json-text.ts';

const colours: Readonly<Record<string, 'red' | 'yellow'>> = { fatal: 'red', error: 'red', warn: 'yellow' };
const controls = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * A line of the log as a person reads it on a terminal: when, what, and the fields beside it; of an error its message, and
 * the stack when it is a bug. Control characters become visible escapes.
 */
export function terminalLine(json: string): string {
  const { level, time, role, msg, err, ...fields } = parseJsonText(json) as Readonly<Record<string, unknown>>;
  const colour = colours[String(level)];
  const title = `${colour === undefined ? '' : `${String(level)}: `}${printable(String(msg))}`;
  const beside = [...Object.entries(fields), ...errorFields(err, fields)].map(
    ([name, value]) => `${name}=${textOf(value)}`,
  );
  const head = [
    styled('dim', String(time).slice(11, 19)),
    styled('dim', printable(String(role)).padEnd(5)),
    colour === undefined ? title : styled(colour, title),
    styled('dim', beside.join(' ')),
  ];
  return `${head.join('  ').trimEnd()}\n${stackOf(err)}`;
}

function errorFields(err: unknown, fields: object): readonly (readonly [string, unknown])[] {
  return isError(err) && !('detail' in fields) ? [['detail', err.message]] : [];
}

function stackOf(err: unknown): string {
  if (!isError(err) || (err.code !== undefined && err.code !== 'internal.bug')) return '';
  const lines = (typeof err.stack === 'string' ? err.stack : '').split('\n').slice(1);
  return lines.map((line) => `${styled('dim', printable(line))}\n`).join('');
}

function isError(
  err: unknown,
): err is { readonly message: unknown; readonly code?: unknown; readonly stack?: unknown } {
  return typeof err === 'object' && err !== null && 'message' in err;
}

function textOf(value: unknown): string {
  return printable(typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value));
}

function printable(text: string): string {
  return text.replaceAll(controls, (one) => `\\u${(one.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`);
}

function styled(format: 'dim' | 'red' | 'yellow', text: string): string {
  return text === '' ? '' : styleText(format, text, { validateStream: false });
}
