import { sinkDocumentId, sourceDocumentId } from '../../documents/document-id.ts';
import { sinkDocuments } from '../../documents/sink-document.ts';
import { sourceDocuments } from '../../documents/source-document.ts';
import type { SinkKey, SourceKey } from '../../core/ids.ts';
import type { Sink } from '../../core/sink.ts';
import type { Source } from '../../core/source.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { changeDocument } from '../../documents/change-document.ts';
import { withChanges, type Changes } from '../../documents/with-changes.ts';

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

/** Writes what an operation has made of a source that it read before; what others have written meanwhile stays. */
export async function rewriteSource(catalog: Catalog, made: Changes<Source>, options: Waiting): Promise<void> {
  const change = (found: Source | undefined): Source | undefined => found && withChanges(found, made);
  await changeSource(catalog, { key: made.before, change }, options);
}

/** The same for a sink. */
export async function rewriteSink(catalog: Catalog, made: Changes<Sink>, options: Waiting): Promise<void> {
  const change = (found: Sink | undefined): Sink | undefined => found && withChanges(found, made);
  await changeSink(catalog, { key: made.before, change }, options);
}
