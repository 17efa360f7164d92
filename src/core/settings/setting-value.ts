import { shortened } from '../shortened.ts';
import { formatByteSize, parseByteSize } from './byte-size.ts';
import { formatDuration, parseDuration } from './duration.ts';
import type { Setting, SettingKind, SettingValue } from './setting.ts';

/** A value as it may be kept, in its canonical text; or a sentence about key, value and rule. */
export type ParsedSettingValue =
  { readonly kind: 'value'; readonly value: SettingValue } | { readonly kind: 'invalid'; readonly message: string };

/**
 * Checks a value from a request against the setting's type and range. A number is bytes for a size and nanoseconds for
 * a duration; the fraction of a number is cut off for an int.
 */
export function parseSettingValue({ key, kind }: Setting, value: unknown): ParsedSettingValue {
  const fail = (message: string): ParsedSettingValue => ({ kind: 'invalid', message });
  const ok = (parsed: SettingValue): ParsedSettingValue => ({ kind: 'value', value: parsed });
  const wrongType = fail(`invalid "${key}" value: found type "${typeName(value)}", expected "${settingType(kind)}"`);
  const outOfRange = (shown: unknown): ParsedSettingValue =>
    fail(`Invalid "${key}" value "${shortened(String(shown), 50)}": must be ${rangeText(kind)}`);
  switch (kind.kind) {
    case 'bool':
      return typeof value === 'boolean' ? ok(value) : wrongType;
    case 'int': {
      if (typeof value !== 'number' || !Number.isFinite(value)) return wrongType;
      const int = Math.trunc(value);
      return int >= kind.min && int <= kind.max ? ok(int) : outOfRange(value);
    }
    case 'size': {
      if (typeof value !== 'number' && typeof value !== 'string') return wrongType;
      const bytes = typeof value === 'number' ? Math.trunc(value) : parseByteSize(value);
      if (bytes === undefined) return fail(`Invalid "${key}" value "${shortened(String(value), 20)}": invalid syntax`);
      return bytes >= kind.minBytes && bytes <= kind.maxBytes ? ok(formatByteSize(bytes)) : outOfRange(value);
    }
    case 'duration': {
      if (typeof value !== 'number' && typeof value !== 'string') return wrongType;
      const parsed = typeof value === 'number' ? { kind: 'duration' as const, ms: value / 1e6 } : parseDuration(value);
      if (parsed.kind === 'invalid') return fail(`Invalid "${key}": ${parsed.message}`);
      const { ms } = parsed;
      return ms >= kind.minMs && ms <= kind.maxMs ? ok(formatDuration(ms)) : outOfRange(value);
    }
    case 'choice':
      if (typeof value !== 'string') return wrongType;
      return kind.values.includes(value) ? ok(value) : outOfRange(value);
    case 'contentType':
      if (typeof value !== 'string') return wrongType;
      return isContentType(value, kind.maxLength) ? ok(value) : outOfRange(value);
    case 'list':
      if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) return wrongType;
      return value.length >= kind.minItems ? ok(value) : outOfRange(JSON.stringify(value));
    default:
      return kind satisfies never;
  }
}

/** The type that the API names for a setting. */
export function settingType(kind: SettingKind): 'string' | 'int' | 'bool' | '[]string' {
  if (kind.kind === 'int' || kind.kind === 'bool') return kind.kind;
  return kind.kind === 'list' ? '[]string' : 'string';
}

/** What a value must be, as the end of a sentence: `from 1s to 30m0s`, `one of "none", "gzip"`. */
export function rangeText(kind: SettingKind): string {
  switch (kind.kind) {
    case 'bool':
      return 'true or false';
    case 'int':
      return kind.max === Number.MAX_SAFE_INTEGER ? `at least ${kind.min}` : `from ${kind.min} to ${kind.max}`;
    case 'size':
      return `from ${formatByteSize(kind.minBytes)} to ${formatByteSize(kind.maxBytes)}`;
    case 'duration':
      return `from ${formatDuration(kind.minMs)} to ${formatDuration(kind.maxMs)}`;
    case 'choice':
      return `one of ${kind.values.map((value) => `"${value}"`).join(', ')}`;
    case 'contentType':
      return `empty or a content type such as "application/json", at most ${kind.maxLength} characters`;
    case 'list':
      return `a list of at least ${kind.minItems} texts`;
    default:
      return kind satisfies never;
  }
}

/** RFC 9110, 8.3.1: type/subtype of tokens, with parameters of visible ASCII. */
const contentType = /^[a-zA-Z0-9!#$%&'*+.^_`|~-]+\/[a-zA-Z0-9!#$%&'*+.^_`|~-]+( *;[ -~]*)?$/;

/** Empty stands for none. */
function isContentType(text: string, maxLength: number): boolean {
  return text === '' || (text.length <= maxLength && contentType.test(text));
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}
