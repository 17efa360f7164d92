import { sinkDocumentId, sourceDocumentId } from '../../core/documents/document-id.ts';
import { parseSinkDocument } from '../../core/documents/sink-document.ts';
import { parseSourceDocument } from '../../core/documents/source-document.ts';
import type { SinkKey, SourceKey } from '../../core/ids.ts';
import type { Sink } from '../../core/sink.ts';
import type { Source } from '../../core/source.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/event-log.ts';
import { changeDocument } from './change-document.ts';

/** Changes a source's document; undefined leaves it. Answers it as it stands. */
export function changeSource(
  catalog: Catalog,
  { key, change }: { readonly key: SourceKey; readonly change: (before: Source | undefined) => Source | undefined },
  options: Waiting,
): Promise<Source | undefined> {
  const id = sourceDocumentId(key);
  return changeDocument(catalog, { collection: 'source', id, parse: parseSourceDocument, change }, options);
}

/** Changes a sink's document; undefined leaves it. Answers it as it stands. */
export function changeSink(
  catalog: Catalog,
  { key, change }: { readonly key: SinkKey; readonly change: (before: Sink | undefined) => Sink | undefined },
  options: Waiting,
): Promise<Sink | undefined> {
  const id = sinkDocumentId(key);
  return changeDocument(catalog, { collection: 'sink', id, parse: parseSinkDocument, change }, options);
}
