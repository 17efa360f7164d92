import { parseJsonText } from '../core/parse-json-text.ts';

/** One step of a path. The text of an index step is its decimal without leading zeros. */
export interface PathStep {
  readonly kind: 'key' | 'index';
  readonly text: string;
}

export type PathResult =
  | { readonly kind: 'path'; readonly steps: readonly PathStep[] }
  | { readonly kind: 'invalid'; readonly position: number; readonly rule: string };

/**
 * Reads a path such as `order.items[0].sku`, `[0].a` or `a["b.c"].d`. A key ends at `.` or `[`; in brackets stands a
 * decimal index or a key in double quotes with the escapes of JSON. The empty path is the whole body. A fault comes
 * back with its position, counted in characters from 1.
 */
export function parsePath(path: string): PathResult {
  const steps: PathStep[] = [];
  let at = 0;
  while (at < path.length) {
    const read = path[at] === '[' ? readBracket(path, at) : readKey(path, at, steps.length > 0);
    if ('rule' in read) return { kind: 'invalid', position: read.at + 1, rule: read.rule };
    if (!read.step.text.isWellFormed()) return { kind: 'invalid', position: at + 1, rule: halfPair };
    steps.push(read.step);
    at = read.end;
  }
  return { kind: 'path', steps };
}

interface Fault {
  readonly at: number;
  readonly rule: string;
}

interface Read {
  readonly step: PathStep;
  readonly end: number;
}

const halfPair = 'the key contains half of a surrogate pair, which UTF-8 cannot write';
const emptyKey = 'a key must not be empty here (write [""] for the key without characters)';

function readKey(path: string, at: number, inside: boolean): Read | Fault {
  if (inside && path[at] !== '.') return { at, rule: 'expected "." or "[" after "]"' };
  const start = inside ? at + 1 : at;
  let end = start;
  while (end < path.length && path[end] !== '.' && path[end] !== '[') end++;
  if (end === start) return { at: start, rule: emptyKey };
  return { step: { kind: 'key', text: path.slice(start, end) }, end };
}

function readBracket(path: string, at: number): Read | Fault {
  if (path[at + 1] === '"') return readQuotedKey(path, at);
  const end = path.indexOf(']', at);
  if (end < 0) return { at, rule: '"[" without "]"' };
  const digits = path.slice(at + 1, end);
  if (!/^[0-9]+$/.test(digits)) {
    return { at: at + 1, rule: 'expected a decimal index or a key in double quotes between "[" and "]"' };
  }
  return { step: { kind: 'index', text: digits.replace(/^0+(?=[0-9])/, '') }, end: end + 1 };
}

function readQuotedKey(path: string, at: number): Read | Fault {
  const start = at + 1;
  let end = start + 1;
  while (end < path.length && path[end] !== '"') end += path[end] === '\\' ? 2 : 1;
  if (end >= path.length) return { at: start, rule: 'the quoted key has no closing quote' };
  const text = unquote(path.slice(start, end + 1));
  if (text === undefined) return { at: start, rule: 'the quoted key is not a valid JSON string' };
  if (path[end + 1] !== ']') return { at: end + 1, rule: 'expected "]" after the quoted key' };
  return { step: { kind: 'key', text }, end: end + 2 };
}

function unquote(quoted: string): string | undefined {
  try {
    const value: unknown = parseJsonText(quoted);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
