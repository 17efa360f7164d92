import { sinkDocumentId, sourceDocumentId } from '../../documents/document-id.ts';
import { sinkDocuments } from '../../documents/sink-document.ts';
import { sourceDocuments } from '../../documents/source-document.ts';
import type { SinkKey, SourceKey } from '../../core/ids.ts';
import type { Sink } from '../../core/sink.ts';
import type { Source } from '../../core/source.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/event-log.ts';
import { changeDocument } from '../../documents/change-document.ts';

/** Changes a source's document; undefined leaves it. Answers it as it stands. */
export async function changeSource(
  catalog: Catalog,
  { key, change }: { readonly key: SourceKey; readonly change: (before: Source | undefined) => Source | undefined },
  options: Waiting,
): Promise<Source | undefined> {
  const id = sourceDocumentId(key);
  return (await changeDocument(catalog, { kind: sourceDocuments, id, change }, options))?.value;
}

/** Changes a sink's document; undefined leaves it. Answers it as it stands. */
export async function changeSink(
  catalog: Catalog,
  { key, change }: { readonly key: SinkKey; readonly change: (before: Sink | undefined) => Sink | undefined },
  options: Waiting,
): Promise<Sink | undefined> {
  const id = sinkDocumentId(key);
  return (await changeDocument(catalog, { kind: sinkDocuments, id, change }, options))?.value;
}
