import { Buffer } from 'node:buffer';
import { limits } from '../core/limits.ts';
import { parseJsonText } from '../core/parse-json-text.ts';
import { holdsManyValues } from './holds-many-values.ts';
import { invalidJson } from './json-refusal.ts';
import { JsonScanner } from './json-scanner.ts';
import type { JsonValue } from './json-value.ts';
import { PathTrie } from './path-trie.ts';
import { notUtf8 } from './refusals.ts';

/** A JSON body as a value, or why it is none. */
export type JsonBody =
  { readonly kind: 'json'; readonly value: JsonValue } | { readonly kind: 'fault'; readonly message: string };

const prefix = 'cannot parse request json: ';

/**
 * Parses a whole JSON body, under the rules and with the messages of `path` columns, except for what a value in memory
 * brings: the last of duplicate keys counts, and a number beyond the range of doubles, or more values than
 * `limits.decodedValues`, is a fault.
 */
export function parseJsonBody(body: Uint8Array, isUtf8: boolean): JsonBody {
  if (!isUtf8) return { kind: 'fault', message: `${prefix}${notUtf8}` };
  if (holdsManyValues(body))
    return { kind: 'fault', message: `${prefix}it holds more than ${limits.decodedValues} values` };
  let value: JsonValue;
  try {
    value = parseJsonText(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString()) as JsonValue;
  } catch (thrown) {
    return syntaxFault(body, thrown);
  }
  switch (excess(value, 0)) {
    case 'nesting':
      return syntaxFault(body, undefined);
    case 'number':
      return { kind: 'fault', message: `${prefix}it holds a number beyond the range of a template (1.8e308)` };
    default:
      return { kind: 'json', value };
  }
}

/** What the scanner of `path` columns says about the same body: it knows the place. */
function syntaxFault(body: Uint8Array, thrown: unknown): JsonBody {
  const { fault } = new JsonScanner(new PathTrie()).scan(body);
  if (fault !== undefined) return { kind: 'fault', message: invalidJson(body, fault).message };
  return { kind: 'fault', message: `${prefix}${thrown instanceof Error ? thrown.message : 'it is nested too deep'}` };
}

function excess(value: JsonValue, depth: number): 'nesting' | 'number' | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'number';
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === limits.jsonNesting) return 'nesting';
  if (Array.isArray(value)) {
    for (const inner of value as readonly JsonValue[]) {
      const found = isLeaf(inner) ? undefined : excess(inner, depth + 1);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  const object = value as { readonly [name: string]: JsonValue };
  for (const name in object) {
    const inner = object[name] ?? null;
    const found = isLeaf(inner) ? undefined : excess(inner, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isLeaf(value: JsonValue): boolean {
  return typeof value === 'string' || typeof value === 'boolean' || value === null;
}
