import { incarnationCounter } from '../../src/documents/counter-document.ts';
import type { Catalog } from '../../src/ports/catalog.ts';

const never = { signal: new AbortController().signal };

/** Makes a catalog one that has handed out these incarnations, whatever became of them. */
export async function handOutUpTo(catalog: Catalog, last: number): Promise<void> {
  const before = await catalog.get('meta', incarnationCounter, never);
  const at = { collection: 'meta', id: incarnationCounter, expected: before?.revision } as const;
  await catalog.compareAndSet({ ...at, value: { last, taker: 'before' } }, never);
}
