import type { Catalog, Collection, Versioned } from '../ports/catalog.ts';
import type { Waiting } from '../ports/waiting.ts';
import type { DocumentKind } from './document-kind.ts';

const pageSize = 500;

interface DocumentsQuery<Document extends object> {
  readonly kind: DocumentKind<Document>;
  readonly prefix?: string;
}

/** All documents of a kind whose ids begin with `prefix`, ascending by id, read in pages. One that cannot be read makes it reject. */
export async function listDocuments<Document extends object>(
  catalog: Catalog,
  { kind, prefix = '' }: DocumentsQuery<Document>,
  options: Waiting,
): Promise<readonly Document[]> {
  const found = await list(catalog, { collection: kind.collection, prefix }, options);
  return found.map(({ id, value }) => kind.parse(value, id));
}

/** Documents of a kind, and apart from them those that this release cannot read. */
export interface ReadableDocuments<Document extends object> {
  readonly documents: readonly Document[];
  readonly unread: readonly Versioned[];
}

/** The same for work that goes on without those that cannot be read. */
export async function listReadable<Document extends object>(
  catalog: Catalog,
  { kind, prefix = '' }: DocumentsQuery<Document>,
  options: Waiting,
): Promise<ReadableDocuments<Document>> {
  const [documents, unread]: [Document[], Versioned[]] = [[], []];
  for (const found of await list(catalog, { collection: kind.collection, prefix }, options)) {
    const document = kind.tryParse(found.value, found.id);
    if (document === undefined) unread.push(found);
    else documents.push(document);
  }
  return { documents, unread };
}

interface TogetherQuery<Document extends object> {
  readonly kind: DocumentKind<Document>;
  /** Of all of the ids. */
  readonly prefix: string;
  /** Ascending. */
  readonly ids: readonly string[];
}

/**
 * Documents that lie close together in the order of ids: reads what lies between the first and the last of them, in pages. One that is
 * gone is left out; one that cannot be read makes it reject.
 */
export async function readTogether<Document extends object>(
  catalog: Catalog,
  { kind, prefix, ids }: TogetherQuery<Document>,
  options: Waiting,
): Promise<readonly Document[]> {
  const wanted = new Set(ids);
  const found: Document[] = [];
  const [first, last = ''] = [ids[0], ids.at(-1)];
  if (first === undefined) return found;
  const { collection } = kind;
  const begin = await catalog.get(collection, first, options);
  if (begin !== undefined) found.push(kind.parse(begin.value, first));
  for (let after = first; after < last;) {
    const limit = Math.min(pageSize, ids.length);
    const page = await catalog.list({ collection, prefix, after, limit }, options);
    for (const { id, value } of page) if (wanted.has(id)) found.push(kind.parse(value, id));
    if (page.length < limit) break;
    after = page.at(-1)?.id ?? last;
  }
  return found;
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
