import {
  branchPrefix,
  earlierIncarnationId,
  importId,
  progressId,
  sinkDocumentId,
  sinkPrefix,
  sourceDocumentId,
  sourcePrefix,
} from '../../documents/document-id.ts';
import { earlierIncarnationDocuments } from '../../documents/earlier-incarnation-document.ts';
import { importNoteDocuments } from '../../documents/import-note-document.ts';
import { progressDocuments } from '../../documents/progress-document.ts';
import { sinkDocuments } from '../../documents/sink-document.ts';
import { sourceDocuments } from '../../documents/source-document.ts';
import type { BranchId, Incarnation, SinkKey, SourceKey } from '../../core/ids.ts';
import type { EarlierIncarnation } from '../../core/earlier-incarnation.ts';
import type { ImportNote } from '../../core/import-note.ts';
import type { SinkProgress } from '../../core/progress/sink-progress.ts';
import type { Sink } from '../../core/sink.ts';
import type { Source } from '../../core/source.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { listDocuments, readTogether } from '../../documents/list-documents.ts';
import { readDocument } from '../../documents/read-document.ts';
import { SourceIndex, stateOf, type SourceState } from './source-index.ts';

export interface SourcePage {
  readonly state: SourceState;
  /** Those that follow this id; absent: from the first one on. */
  readonly afterId?: string | undefined;
  readonly limit: number;
}

/** Sources, sinks and their progress as they stand in the catalog, deleted ones included where it says so. */
export class Definitions {
  readonly #catalog: Catalog;
  readonly #index: SourceIndex;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
    this.#index = new SourceIndex(catalog);
  }

  /** The source, deleted or not. */
  async findSource(key: SourceKey, options: Waiting): Promise<Source | undefined> {
    return (await readDocument(this.#catalog, { kind: sourceDocuments, id: sourceDocumentId(key) }, options))?.value;
  }

  /** The source that is not deleted; `source.notFound`. */
  async source(key: SourceKey, options: Waiting): Promise<Source> {
    const source = await this.knownSource(key, options);
    if (source.deleted === undefined) return source;
    throw new MillraceError('source.notFound', `source "${key.sourceId}" not found in the branch`);
  }

  /** The source, deleted or not; `source.notFound`. */
  async knownSource(key: SourceKey, options: Waiting): Promise<Source> {
    const source = await this.findSource(key, options);
    if (source !== undefined) return source;
    throw new MillraceError('source.notFound', `source "${key.sourceId}" not found in the branch`);
  }

  /** Which sources there are in a branch, without reading them. */
  sourcesIn(branchId: BranchId, options: Waiting): ReturnType<SourceIndex['of']> {
    return this.#index.of(branchId, options);
  }

  /** A page of the sources of a branch that are in this state, ascending by id, and how many there are on all pages. */
  async sourcePage(
    branchId: BranchId,
    { state, afterId = '', limit }: SourcePage,
    options: Waiting,
  ): Promise<{ readonly totalCount: number; readonly sources: readonly Source[] }> {
    const index = await this.#index.of(branchId, options);
    const ids = index.ids(state);
    const first = ids.findIndex((id) => id > afterId);
    const wanted = first < 0 ? [] : ids.slice(first, first + limit);
    const prefix = branchPrefix(branchId);
    const place = { kind: sourceDocuments, prefix, ids: wanted.map((id) => prefix + id) };
    const found = await readTogether(this.#catalog, place, options);
    return { totalCount: index.count(state), sources: found.filter((source) => stateOf(source) === state) };
  }

  /** The source that is deleted and can come back; `source.notDeleted`. */
  async deletedSource(key: SourceKey, options: Waiting): Promise<Source> {
    const source = await this.findSource(key, options);
    if (source !== undefined && stateOf(source) === 'deleted') return source;
    throw new MillraceError('source.notDeleted', `deleted source "${key.sourceId}" not found in the branch`);
  }

  /** The sink, deleted or not. */
  async findSink(key: SinkKey, options: Waiting): Promise<Sink | undefined> {
    return (await readDocument(this.#catalog, { kind: sinkDocuments, id: sinkDocumentId(key) }, options))?.value;
  }

  /** The sink that is not deleted, of a source that is not deleted; `source.notFound`, `sink.notFound`. */
  async sink(key: SinkKey, options: Waiting): Promise<Sink> {
    await this.source(key, options);
    const sink = await this.findSink(key, options);
    if (sink !== undefined && sink.deleted === undefined) return sink;
    throw new MillraceError('sink.notFound', `sink "${key.sinkId}" not found in the source`);
  }

  /** The sink, deleted or not, of a source that may be deleted, too; `source.notFound`, `sink.notFound`. */
  async knownSink(key: SinkKey, options: Waiting): Promise<Sink> {
    await this.knownSource(key, options);
    const sink = await this.findSink(key, options);
    if (sink !== undefined) return sink;
    throw new MillraceError('sink.notFound', `sink "${key.sinkId}" not found in the source`);
  }

  /** Sinks of a source that are not deleted, ascending by id. */
  async sinks(key: SourceKey, options: Waiting): Promise<readonly Sink[]> {
    const found = await listDocuments(this.#catalog, { kind: sinkDocuments, prefix: sourcePrefix(key) }, options);
    return found.filter((sink) => sink.deleted === undefined);
  }

  /** The sink that is deleted, of a source that is not; `source.notFound`, `sink.notDeleted`. */
  async deletedSink(key: SinkKey, options: Waiting): Promise<Sink> {
    await this.source(key, options);
    const sink = await this.findSink(key, options);
    if (sink?.deleted !== undefined) return sink;
    throw new MillraceError('sink.notDeleted', `deleted sink "${key.sinkId}" not found in the source`);
  }

  /** Deleted sinks of a source, which may be deleted itself, ascending by id. */
  async deletedSinks(key: SourceKey, options: Waiting): Promise<readonly Sink[]> {
    const found = await listDocuments(this.#catalog, { kind: sinkDocuments, prefix: sourcePrefix(key) }, options);
    return found.filter((sink) => sink.deleted !== undefined);
  }

  /** Every sink of every source, deleted ones included. */
  async allSinks(options: Waiting): Promise<readonly Sink[]> {
    return listDocuments(this.#catalog, { kind: sinkDocuments }, options);
  }

  /** How its last imports ended, ascending by number; one or another may be missing, and one that just ended may not be there yet. */
  async imports(incarnation: Incarnation, options: Waiting): Promise<readonly ImportNote[]> {
    const prefix = `${progressId(incarnation)}/`;
    return listDocuments(this.#catalog, { kind: importNoteDocuments, prefix }, options);
  }

  /** The note of one import; undefined when there is none. */
  async importNote(incarnation: Incarnation, number: number, options: Waiting): Promise<ImportNote | undefined> {
    return (
      await readDocument(this.#catalog, { kind: importNoteDocuments, id: importId(incarnation, number) }, options)
    )?.value;
  }

  /** The incarnations that were deleted of a sink that has come back, the oldest first; the present one is none of them. */
  async earlierOf(sink: Sink, options: Waiting): Promise<readonly EarlierIncarnation[]> {
    const found = await listDocuments(
      this.#catalog,
      { kind: earlierIncarnationDocuments, prefix: sinkPrefix(sink) },
      options,
    );
    return found.filter(({ incarnation }) => incarnation !== sink.incarnation);
  }

  /** The same of all sinks of a branch, with what a deleted one itself has left. */
  earlierIn(branchId: BranchId, options: Waiting): Promise<readonly EarlierIncarnation[]> {
    return listDocuments(this.#catalog, { kind: earlierIncarnationDocuments, prefix: branchPrefix(branchId) }, options);
  }

  /** What an incarnation without progress has left; undefined when that is nothing. */
  async earlier(key: SinkKey, incarnation: Incarnation, options: Waiting): Promise<EarlierIncarnation | undefined> {
    const id = earlierIncarnationId(key, incarnation);
    return (await readDocument(this.#catalog, { kind: earlierIncarnationDocuments, id }, options))?.value;
  }

  /** The progress of an incarnation; undefined once it is delivered and gone. */
  async progress(incarnation: Incarnation, options: Waiting): Promise<SinkProgress | undefined> {
    return (await readDocument(this.#catalog, { kind: progressDocuments, id: progressId(incarnation) }, options))
      ?.value;
  }
}
