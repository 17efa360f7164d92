import { quote } from './quote.ts';

/** The way from the value that is written to the one within it that is being written. */
export interface ValuePath {
  readonly parent: ValuePath | undefined;
  readonly key: string | number;
}

/** A path for a message, the outermost key first: `["a", 0]`. */
export function pathText(path: ValuePath | undefined): string {
  const keys: string[] = [];
  for (let at = path; at !== undefined; at = at.parent) {
    keys.push(typeof at.key === 'string' ? quote(at.key) : String(at.key));
  }
  return `[${keys.toReversed().join(', ')}]`;
}
