import { isDeepStrictEqual } from 'node:util';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Catalog, Collection } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/event-log.ts';
import { SeatLost } from '../seat/seat-lost.ts';

export interface DocumentChange<Document extends object> {
  readonly collection: Collection;
  readonly id: string;
  readonly parse: (value: unknown) => Document;
  /**
   * The document after the change, computed anew for every try; undefined leaves it as it is. May throw a refusal, and
   * may read what must be read after the document (ends of a topic).
   */
  readonly change: (before: Document | undefined) => Document | undefined | Promise<Document | undefined>;
}

/** How often an unclear answer of the catalog is followed by another look, before it goes to the caller. */
const maxUnclear = 3;

/**
 * Changes one document by compare-and-set on the revision that was read, starting over on a conflict. After an unclear
 * answer it looks whether its own write happened. Answers the document as it stands, undefined when there is none.
 */
export async function changeDocument<Document extends object>(
  catalog: Catalog,
  { collection, id, parse, change }: DocumentChange<Document>,
  options: Waiting,
): Promise<Document | undefined> {
  let unclear: { readonly value: object; readonly error: MillraceError; readonly times: number } | undefined;
  for (;;) {
    options.signal.throwIfAborted();
    const found = await catalog.get(collection, id, options);
    if (unclear !== undefined && found !== undefined && isDeepStrictEqual(found.value, plain(unclear.value)))
      return parse(found.value);
    if (unclear !== undefined && unclear.times >= maxUnclear) throw unclear.error;
    const before = found === undefined ? undefined : parse(found.value);
    const after = await change(before);
    if (after === undefined) return before;
    try {
      const write = { collection, id, expected: found?.revision, value: after };
      if ((await catalog.compareAndSet(write, options)).kind === 'written') return after;
    } catch (thrown) {
      const error = MillraceError.fromUnknown(thrown, 'catalog.unavailable');
      if (options.signal.aborted || !error.retryable || thrown instanceof SeatLost) throw thrown;
      unclear = { value: after, error, times: (unclear?.times ?? 0) + 1 };
    }
  }
}

/** What JSON makes of it, for comparing with what the catalog gives back. */
function plain(value: object): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}

/** Writes a document whatever was there. */
export async function putDocument(
  catalog: Catalog,
  { collection, id, value }: { readonly collection: Collection; readonly id: string; readonly value: object },
  options: Waiting,
): Promise<void> {
  await changeDocument<object>(catalog, { collection, id, parse: () => ({}), change: () => value }, options);
}

/** Makes a document where there is none; false when there is another one. After an unclear answer it looks again. */
export async function createDocument(
  catalog: Catalog,
  { collection, id, value }: { readonly collection: Collection; readonly id: string; readonly value: object },
  options: Waiting,
): Promise<boolean> {
  const change = (before: object | undefined): object | undefined => (before === undefined ? value : undefined);
  const found = await changeDocument<object>(catalog, { collection, id, parse: asObject, change }, options);
  return found === value || isDeepStrictEqual(found, plain(value));
}

function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}

/** Removes a document while it is still this one; false when it is another by now. True when there is none (any more). */
export async function removeUnchanged<Document extends object>(
  catalog: Catalog,
  { collection, id, parse, value }: Omit<DocumentChange<Document>, 'change'> & { readonly value: Document },
  options: Waiting,
): Promise<boolean> {
  for (let unclear = 0; ;) {
    const found = await catalog.get(collection, id, options);
    if (found === undefined) return true;
    if (!isDeepStrictEqual(plain(parse(found.value)), plain(value))) return false;
    try {
      if (await catalog.remove(collection, id, found.revision, options)) return true;
    } catch (thrown) {
      unclear += 1;
      const { retryable } = MillraceError.fromUnknown(thrown);
      if (options.signal.aborted || unclear > maxUnclear || !retryable || thrown instanceof SeatLost) throw thrown;
    }
  }
}

/** Removes a document, whatever its revision; does nothing when there is none. After an unclear answer it looks again. */
export async function removeDocument(
  catalog: Catalog,
  { collection, id }: { readonly collection: Collection; readonly id: string },
  options: Waiting,
): Promise<void> {
  for (let unclear = 0; ;) {
    const found = await catalog.get(collection, id, options);
    if (found === undefined) return;
    try {
      if (await catalog.remove(collection, id, found.revision, options)) return;
    } catch (thrown) {
      unclear += 1;
      const { retryable } = MillraceError.fromUnknown(thrown);
      if (options.signal.aborted || unclear > maxUnclear || !retryable || thrown instanceof SeatLost) throw thrown;
    }
  }
}
