import { isDeepStrictEqual } from 'node:util';
import { plain } from '../../documents/document-kind.ts';
import { Tries } from '../../documents/tries.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { inLanes } from './in-lanes.ts';
import { documentsToMove, movedDocument, type FoundDocument, type MovedTopic } from './moved-documents.ts';

export interface DocumentsMove extends Waiting {
  readonly from: Catalog;
  readonly to: Catalog;
  readonly topics: readonly MovedTopic[];
}

/** Copies every document that means something elsewhere, into a catalog that nobody else writes. */
export async function moveDocuments({ from, to, topics, signal }: DocumentsMove): Promise<void> {
  await inLanes(documentsToMove(from, { signal }), (found) =>
    put(to, { ...found, value: movedDocument(found, topics) }, { signal }),
  );
}

async function put(catalog: Catalog, { collection, id, value }: FoundDocument, options: Waiting): Promise<void> {
  for (const tries = new Tries({ collection, id }); ; tries.requireLeft()) {
    const found = await catalog.get(collection, id, options);
    if (found !== undefined && isDeepStrictEqual(found.value, plain(value as object))) return;
    try {
      const write = { collection, id, expected: found?.revision, value: value as object };
      if ((await catalog.compareAndSet(write, options)).kind === 'written') return;
      tries.conflict();
    } catch (thrown) {
      tries.unclear(thrown, options);
    }
  }
}
