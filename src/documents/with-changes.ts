import { isDeepStrictEqual } from 'node:util';

export interface Changes<Document> {
  /** The document that the change was made of. */
  readonly before: Document;
  readonly after: Document;
}

/**
 * `found` with the changes that were made to an earlier reading of it. For changes that take longer than a
 * compare-and-set: what others have written meanwhile stays, at every depth. Lists are taken as a whole.
 */
export function withChanges<Document extends object>(found: Document, { before, after }: Changes<Document>): Document {
  return changed(found, { before, after }) as Document;
}

function changed(found: object, { before, after }: Changes<object>): object {
  const [now, was] = [
    new Map<string, unknown>(Object.entries(found)),
    new Map<string, unknown>(Object.entries(before)),
  ];
  for (const key of was.keys()) if (!(key in after)) now.delete(key);
  for (const [key, value] of Object.entries(after) as readonly [string, unknown][]) {
    const [known, knownBefore] = [now.get(key), was.get(key)];
    if (isDeepStrictEqual(value, knownBefore)) continue;
    const areParts = isPart(known) && isPart(knownBefore) && isPart(value);
    now.set(key, areParts ? changed(known, { before: knownBefore, after: value }) : value);
  }
  return Object.fromEntries(now);
}

function isPart(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
