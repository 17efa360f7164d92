import { MillraceError } from '../core/millrace-error.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { Waiting } from '../ports/waiting.ts';
import type { DocumentKind } from './document-kind.ts';

/** A document with its revision. */
export interface StoredDocument<Document> {
  readonly revision: number;
  readonly value: Document;
}

/** Reads the document as it is now; undefined when there is none. */
export async function readDocument<Document extends object>(
  catalog: Catalog,
  { kind, id }: { readonly kind: DocumentKind<Document>; readonly id: string },
  options: Waiting,
): Promise<StoredDocument<Document> | undefined> {
  const found = await catalog.get(kind.collection, id, options);
  return found && { revision: found.revision, value: kind.parse(found.value, id) };
}

/** The document, which must be there: `catalog.invalidDocument` when it is not. */
export async function requireDocument<Document extends object>(
  catalog: Catalog,
  { kind, id }: { readonly kind: DocumentKind<Document>; readonly id: string },
  options: Waiting,
): Promise<Document> {
  const found = await readDocument(catalog, { kind, id }, options);
  if (found !== undefined) return found.value;
  const text = `there is no document "${id}" in collection "${kind.collection}"`;
  throw new MillraceError('catalog.invalidDocument', text);
}
