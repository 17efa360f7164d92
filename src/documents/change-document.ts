import { isDeepStrictEqual } from 'node:util';
import type { Catalog } from '../ports/catalog.ts';
import type { Waiting } from '../ports/waiting.ts';
import { plain, type DocumentKind } from './document-kind.ts';
import { readDocument, type StoredDocument } from './read-document.ts';
import { Tries, type DocumentPlace } from './tries.ts';

export interface DocumentChange<Document extends object> {
  readonly kind: DocumentKind<Document>;
  readonly id: string;
  /**
   * The document after the change, computed anew for every try; undefined leaves it as it is. A part that it keeps, it
   * keeps whole, so that fields which this release does not know stay. May throw a refusal, and may read what must be
   * read after the document (ends of a topic).
   */
  readonly change: (before: Document | undefined) => Document | undefined | Promise<Document | undefined>;
  /** The document as it was read last, to begin with; without it the document is read first. */
  readonly known?: StoredDocument<Document> | undefined;
}

/**
 * Changes one document by compare-and-set on the revision that was read, starting over on a conflict. After an unclear answer it looks
 * whether its own write happened. Answers the document as it stands, undefined when there is none. `catalog.contended` when others come
 * before it again and again, `catalog.newerDocument` when only a newer release may write it.
 */
export async function changeDocument<Document extends object>(
  catalog: Catalog,
  { kind, id, change, known }: DocumentChange<Document>,
  options: Waiting,
): Promise<StoredDocument<Document> | undefined> {
  const tries = new Tries({ collection: kind.collection, id });
  let before = known ?? (await readDocument(catalog, { kind, id }, options));
  let unclear: { readonly stored: unknown; readonly value: Document } | undefined;
  for (;;) {
    const after = await change(before?.value);
    if (after === undefined) return before;
    if (before !== undefined) kind.requireWritable(before.value, id);
    const value = kind.sealed(after);
    try {
      const write = { collection: kind.collection, id, expected: before?.revision, value };
      const result = await catalog.compareAndSet(write, options);
      if (result.kind === 'written') return { revision: result.revision, value: after };
      tries.conflict();
    } catch (thrown) {
      tries.unclear(thrown, options);
      unclear = { stored: plain(value), value: after };
    }
    const found = await catalog.get(kind.collection, id, options);
    if (unclear !== undefined && isDeepStrictEqual(found?.value, unclear.stored))
      return found && { revision: found.revision, value: unclear.value };
    tries.requireLeft();
    before = found && { revision: found.revision, value: kind.parse(found.value, id) };
  }
}

export interface DocumentValue<Document extends object> {
  readonly kind: DocumentKind<Document>;
  readonly id: string;
  readonly value: Document;
}

/** Writes a document whatever was there. */
export async function putDocument<Document extends object>(
  catalog: Catalog,
  { kind, id, value }: DocumentValue<Document>,
  options: Waiting,
): Promise<void> {
  await changeDocument(catalog, { kind: kind.unread(), id, change: () => value }, options);
}

/** Makes a document where there is none; false when there is another one. After an unclear answer it looks again. */
export async function createDocument<Document extends object>(
  catalog: Catalog,
  { kind, id, value }: DocumentValue<Document>,
  options: Waiting,
): Promise<boolean> {
  const change = (before: object | undefined): object | undefined => (before === undefined ? value : undefined);
  const found = await changeDocument<object>(catalog, { kind: kind.unread(), id, change }, options);
  return found?.value === value || kind.isSame(found?.value, value);
}

/**
 * The document, made where there is none, and written in the format of this release where it has an older one: for a document whose format
 * says who may work on more than itself. `catalog.newerDocument` when only a newer release may write it.
 */
export async function ensureDocument<Document extends object>(
  catalog: Catalog,
  { kind, id, value }: DocumentValue<Document>,
  options: Waiting,
): Promise<Document> {
  const change = (before: Document | undefined): Document | undefined => {
    if (before === undefined) return value;
    kind.requireWritable(before, id);
    return kind.isOlder(before) ? before : undefined;
  };
  return (await changeDocument(catalog, { kind, id, change }, options))?.value ?? value;
}

/**
 * Removes a document while it is still this one; false when it is another by now. True when there is none (any more).
 * `catalog.newerDocument` when only a newer release may.
 */
export async function removeUnchanged<Document extends object>(
  catalog: Catalog,
  { kind, id, value }: DocumentValue<Document>,
  options: Waiting,
): Promise<boolean> {
  kind.requireWritable(value, id);
  const isThis = (found: unknown): boolean => kind.isSame(found, value);
  return remove(catalog, { collection: kind.collection, id }, { options, isWanted: isThis });
}

/** Removes a document, whatever its revision; does nothing when there is none. After an unclear answer it looks again. */
export async function removeDocument(catalog: Catalog, place: DocumentPlace, options: Waiting): Promise<void> {
  await remove(catalog, place, { options, isWanted: () => true });
}

/** False when what is there is not to be removed. */
async function remove(
  catalog: Catalog,
  { collection, id }: DocumentPlace,
  { options, isWanted }: { readonly options: Waiting; readonly isWanted: (found: unknown) => boolean },
): Promise<boolean> {
  for (const tries = new Tries({ collection, id }); ; tries.requireLeft()) {
    const found = await catalog.get(collection, id, options);
    if (found === undefined) return true;
    if (!isWanted(found.value)) return false;
    try {
      if (await catalog.remove(collection, id, found.revision, options)) return true;
      tries.conflict();
    } catch (thrown) {
      tries.unclear(thrown, options);
    }
  }
}
