import { readFileSync } from 'node:fs';
import { whyUnread } from '../../core/why-unread.ts';
import type { Environment } from '../config.ts';

/** A text that stands elsewhere: `{ env: NAME }` or `{ file: PATH }`. */
export class Reference {
  /** As a person finds it: `the variable NAME`. */
  readonly place: string;
  /** Undefined when there is none. */
  readonly text: string | undefined;
  /** What to say of the place when there is none: `is not set`. */
  readonly lack: string;

  constructor({ place, text, lack }: Pick<Reference, 'place' | 'text' | 'lack'>) {
    this.place = place;
    this.text = text;
    this.lack = lack;
  }
}

/** A copy of `value` with a Reference in every place where a file refers to a variable or another file. */
export function resolveReferences(value: unknown, environment: Environment): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => resolveReferences(item, environment));
  if (typeof value !== 'object' || value === null) return value;
  return (
    referenceOf(value, environment) ??
    Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolveReferences(item, environment)]))
  );
}

/** What editors leave at the end of a file. */
const lineEnd = /\r?\n$/;

function referenceOf(value: object, environment: Environment): Reference | undefined {
  const entries: [string, unknown][] = Object.entries(value);
  const [[kind, name] = []] = entries;
  if (entries.length !== 1 || typeof name !== 'string') return undefined;
  if (kind === 'env') {
    const text = environment[name];
    const lack = text === undefined ? 'is not set' : 'is empty';
    return new Reference({ place: `the variable ${name}`, text: text === '' ? undefined : text, lack });
  }
  if (kind !== 'file') return undefined;
  const place = `the file "${name}"`;
  try {
    const text = readFileSync(name, 'utf8').replace(lineEnd, '');
    return new Reference({ place, text: text === '' ? undefined : text, lack: 'is empty' });
  } catch (thrown) {
    return new Reference({ place, text: undefined, lack: `cannot be read: ${whyUnread(thrown)}` });
  }
}
