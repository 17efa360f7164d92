import { defaultBranch, type SourceId } from '../../src/core/ids.ts';
import { sourceDocumentId } from '../../src/documents/document-id.ts';
import { sourceDocuments } from '../../src/documents/source-document.ts';
import type { Catalog } from '../../src/ports/catalog.ts';
import { putRaw } from './put-raw.ts';

/** Makes a source of the default branch one of type otlp, as a release has it that serves them. */
export async function makeOtlp(catalog: Catalog, sourceId: string): Promise<void> {
  const id = sourceDocumentId({ branchId: defaultBranch, sourceId: sourceId as SourceId });
  const { signal } = new AbortController();
  const found = await catalog.get('source', id, { signal });
  await putRaw(catalog, { collection: 'source', id, value: { ...sourceDocuments.parse(found?.value), type: 'otlp' } });
}
