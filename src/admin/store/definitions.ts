import {
  branchPrefix,
  importId,
  progressId,
  sinkDocumentId,
  sourceDocumentId,
  sourcePrefix,
} from '../../documents/document-id.ts';
import { importNoteDocuments } from '../../documents/import-note-document.ts';
import { progressDocuments } from '../../documents/progress-document.ts';
import { sinkDocuments } from '../../documents/sink-document.ts';
import { sourceDocuments } from '../../documents/source-document.ts';
import type { BranchId, Incarnation, SinkKey, SourceKey } from '../../core/ids.ts';
import type { ImportNote } from '../../core/import-note.ts';
import type { SinkProgress } from '../../core/progress/sink-progress.ts';
import type { Sink } from '../../core/sink.ts';
import type { Source } from '../../core/source.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/event-log.ts';
import { ApiError } from '../errors/api-error.ts';
import { listDocuments } from './list-documents.ts';

/** Sources, sinks and their progress as they stand in the catalog, deleted ones included where it says so. */
export class Definitions {
  readonly #catalog: Catalog;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  /** The source, deleted or not. */
  async findSource(key: SourceKey, options: Waiting): Promise<Source | undefined> {
    const found = await this.#catalog.get('source', sourceDocumentId(key), options);
    return found === undefined ? undefined : sourceDocuments.parse(found.value);
  }

  /** The source that is not deleted; `sourceNotFound`. */
  async source(key: SourceKey, options: Waiting): Promise<Source> {
    const source = await this.knownSource(key, options);
    if (source.deleted === undefined) return source;
    throw new ApiError('sourceNotFound', `source "${key.sourceId}" not found in the branch`);
  }

  /** The source, deleted or not; `sourceNotFound`. */
  async knownSource(key: SourceKey, options: Waiting): Promise<Source> {
    const source = await this.findSource(key, options);
    if (source !== undefined) return source;
    throw new ApiError('sourceNotFound', `source "${key.sourceId}" not found in the branch`);
  }

  /** Sources of a branch that are not deleted, ascending by id. */
  async sources(branchId: BranchId, options: Waiting): Promise<readonly Source[]> {
    const found = await listDocuments(this.#catalog, { collection: 'source', prefix: branchPrefix(branchId) }, options);
    return found.map(({ value }) => sourceDocuments.parse(value)).filter((source) => source.deleted === undefined);
  }

  /** The source that is deleted and can come back; `deletedSourceNotFound`. */
  async deletedSource(key: SourceKey, options: Waiting): Promise<Source> {
    const source = await this.findSource(key, options);
    if (source !== undefined && canReturn(source)) return source;
    throw new ApiError('deletedSourceNotFound', `deleted source "${key.sourceId}" not found in the branch`);
  }

  /** Sources of a branch that are deleted and can come back, ascending by id. */
  async deletedSources(branchId: BranchId, options: Waiting): Promise<readonly Source[]> {
    const found = await listDocuments(this.#catalog, { collection: 'source', prefix: branchPrefix(branchId) }, options);
    return found.map(({ value }) => sourceDocuments.parse(value)).filter(canReturn);
  }

  /** Every source of every branch, deleted ones included. */
  async allSources(options: Waiting): Promise<readonly Source[]> {
    const found = await listDocuments(this.#catalog, { collection: 'source', prefix: '' }, options);
    return found.map(({ value }) => sourceDocuments.parse(value));
  }

  /** The sink, deleted or not. */
  async findSink(key: SinkKey, options: Waiting): Promise<Sink | undefined> {
    const found = await this.#catalog.get('sink', sinkDocumentId(key), options);
    return found === undefined ? undefined : sinkDocuments.parse(found.value);
  }

  /** The sink that is not deleted, of a source that is not deleted; `sourceNotFound`, `sinkNotFound`. */
  async sink(key: SinkKey, options: Waiting): Promise<Sink> {
    await this.source(key, options);
    const sink = await this.findSink(key, options);
    if (sink !== undefined && sink.deleted === undefined) return sink;
    throw new ApiError('sinkNotFound', `sink "${key.sinkId}" not found in the source`);
  }

  /** The sink, deleted or not, of a source that may be deleted, too; `sourceNotFound`, `sinkNotFound`. */
  async knownSink(key: SinkKey, options: Waiting): Promise<Sink> {
    await this.knownSource(key, options);
    const sink = await this.findSink(key, options);
    if (sink !== undefined) return sink;
    throw new ApiError('sinkNotFound', `sink "${key.sinkId}" not found in the source`);
  }

  /** Sinks of a source that are not deleted, ascending by id. */
  async sinks(key: SourceKey, options: Waiting): Promise<readonly Sink[]> {
    const found = await listDocuments(this.#catalog, { collection: 'sink', prefix: sourcePrefix(key) }, options);
    return found.map(({ value }) => sinkDocuments.parse(value)).filter((sink) => sink.deleted === undefined);
  }

  /** The sink that is deleted, of a source that is not; `sourceNotFound`, `deletedSinkNotFound`. */
  async deletedSink(key: SinkKey, options: Waiting): Promise<Sink> {
    await this.source(key, options);
    const sink = await this.findSink(key, options);
    if (sink?.deleted !== undefined) return sink;
    throw new ApiError('deletedSinkNotFound', `deleted sink "${key.sinkId}" not found in the source`);
  }

  /** Deleted sinks of a source, which may be deleted itself, ascending by id. */
  async deletedSinks(key: SourceKey, options: Waiting): Promise<readonly Sink[]> {
    const found = await listDocuments(this.#catalog, { collection: 'sink', prefix: sourcePrefix(key) }, options);
    return found.map(({ value }) => sinkDocuments.parse(value)).filter((sink) => sink.deleted !== undefined);
  }

  /** Every sink of every source, deleted ones included. */
  async allSinks(options: Waiting): Promise<readonly Sink[]> {
    const found = await listDocuments(this.#catalog, { collection: 'sink', prefix: '' }, options);
    return found.map(({ value }) => sinkDocuments.parse(value));
  }

  /** How its last imports ended, ascending by number; one or another may be missing, and one that just ended may not be there yet. */
  async imports(incarnation: Incarnation, options: Waiting): Promise<readonly ImportNote[]> {
    const prefix = `${progressId(incarnation)}/`;
    const found = await listDocuments(this.#catalog, { collection: 'import-history', prefix }, options);
    return found.map(({ value }) => importNoteDocuments.parse(value));
  }

  /** The note of one import; undefined when there is none. */
  async importNote(incarnation: Incarnation, number: number, options: Waiting): Promise<ImportNote | undefined> {
    const found = await this.#catalog.get('import-history', importId(incarnation, number), options);
    return found === undefined ? undefined : importNoteDocuments.parse(found.value);
  }

  /** The progress of an incarnation; undefined once it is delivered and gone. */
  async progress(incarnation: Incarnation, options: Waiting): Promise<SinkProgress | undefined> {
    const found = await this.#catalog.get('progress', progressId(incarnation), options);
    return found === undefined ? undefined : progressDocuments.parse(found.value);
  }
}

function canReturn({ deleted, erased }: Source): boolean {
  return deleted !== undefined && erased === undefined;
}
