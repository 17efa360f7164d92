import type { Catalog, Collection, Versioned } from '../ports/catalog.ts';
import type { Waiting } from '../ports/event-log.ts';
import type { DocumentKind } from './document-kind.ts';

const pageSize = 500;

/** All documents of a kind whose ids begin with `prefix`, ascending by id, read in pages. */
export async function listDocuments<Document extends object>(
  catalog: Catalog,
  { kind, prefix = '' }: { readonly kind: DocumentKind<Document>; readonly prefix?: string },
  options: Waiting,
): Promise<readonly Document[]> {
  const found = await list(catalog, { collection: kind.collection, prefix }, options);
  return found.map(({ value }) => kind.parse(value));
}

/** The ids of all documents of a collection that begin with `prefix`, ascending, whatever the documents hold. */
export async function listIds(
  catalog: Catalog,
  { collection, prefix }: { readonly collection: Collection; readonly prefix: string },
  options: Waiting,
): Promise<readonly string[]> {
  return (await list(catalog, { collection, prefix }, options)).map(({ id }) => id);
}

async function list(
  catalog: Catalog,
  { collection, prefix }: { readonly collection: Collection; readonly prefix: string },
  options: Waiting,
): Promise<readonly Versioned[]> {
  const all: Versioned[] = [];
  for (;;) {
    const after = all.at(-1)?.id;
    const query = { collection, prefix, limit: pageSize, ...(after === undefined ? {} : { after }) };
    const page = await catalog.list(query, options);
    all.push(...page);
    if (page.length < pageSize) return all;
  }
}
