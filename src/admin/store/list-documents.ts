import type { Catalog, Collection, Versioned } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/event-log.ts';

const pageSize = 500;

/** All documents of a prefix, ascending by id, read in pages. */
export async function listDocuments(
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
