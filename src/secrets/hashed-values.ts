import { parseJsonText } from '../core/parse-json-text.ts';
import { jsonTokens } from '../core/json-tokens.ts';

/** A text or another plain value that is a secret, because the key that it stands under begins with `#`. */
export interface HashedValue {
  /** Keys from the root on, with dots: `parameters.#password`. */
  readonly path: string;
  /** A text itself; of a number or a boolean the JSON text. */
  readonly value: string;
}

interface Open {
  readonly isObject: boolean;
  readonly path: string;
  /** Of an array: it stands under such a key. */
  readonly isHashed: boolean;
  /** Of an object: the key whose value comes; undefined where a key comes. */
  key?: string | undefined;
}

/**
 * A valid JSON text with each hashed value as `change` answers it, everything else as it was written. A value is hashed by the nearest key
 * above it; elements of an array count as values of its key, those of an object have keys of their own. Null stays null.
 */
export function changeHashed(text: string, change: (found: HashedValue) => string): string {
  const pieces: string[] = [];
  const open: Open[] = [];
  let copied = 0;
  for (const { kind, from, to } of jsonTokens(text)) {
    const top = open.at(-1);
    switch (kind) {
      case '{':
      case '[':
        open.push({ isObject: kind === '{', path: pathOf(top), isHashed: isHashed(top) });
        break;
      case '}':
      case ']':
        open.pop();
        break;
      case ',':
        if (top !== undefined) top.key = undefined;
        break;
      case 'string':
      case 'scalar': {
        const token = text.slice(from, to);
        if (top?.isObject === true && top.key === undefined) {
          top.key = textOf(token);
        } else if (isHashed(top) && token !== 'null') {
          const value = kind === 'string' ? textOf(token) : token;
          pieces.push(text.slice(copied, from), JSON.stringify(change({ path: pathOf(top), value })));
          copied = to;
        }
        break;
      }
      case ':':
      case 'control':
      case 'wrong':
        break;
      default:
        kind satisfies never;
    }
  }
  return pieces.join('') + text.slice(copied);
}

/** The hashed values of a valid JSON text. */
export function hashedValues(text: string): readonly HashedValue[] {
  const found: HashedValue[] = [];
  changeHashed(text, (one) => {
    found.push(one);
    return '';
  });
  return found;
}

/** True for a key whose plain values are secrets. */
export function isHashedKey(key: string): boolean {
  return key.startsWith('#');
}

function isHashed(top: Open | undefined): boolean {
  if (top === undefined) return false;
  return top.isObject ? top.key !== undefined && isHashedKey(top.key) : top.isHashed;
}

function pathOf(top: Open | undefined): string {
  if (top === undefined) return '';
  const { path, key } = top;
  if (key === undefined) return path;
  return path === '' ? key : `${path}.${key}`;
}

function textOf(token: string): string {
  return String(parseJsonText(token));
}
