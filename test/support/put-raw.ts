import type { Catalog, CatalogWrite } from '../../src/ports/catalog.ts';

/** Writes whatever it is, be it a document that no release has written. */
export async function putRaw(
  catalog: Catalog,
  { collection, id, value }: Omit<CatalogWrite, 'expected'>,
): Promise<void> {
  const { signal } = new AbortController();
  const expected = (await catalog.get(collection, id, { signal }))?.revision;
  const { kind } = await catalog.compareAndSet({ collection, id, expected, value }, { signal });
  if (kind === 'conflict') throw new Error(`somebody else writes "${id}" of ${collection}, too`);
}
