import type { Sink } from '../../../core/sink.ts';
import type { Source } from '../../../core/source.ts';
import { takesEvents } from '../../../core/takes-events.ts';
import { sourceDocumentId } from '../../../documents/document-id.ts';
import type { SourceRefusal } from '../../../events/refusal.ts';
import type { DirectorySource, SourceDirectory } from './source-directory.ts';
import type { Definitions } from '../../replica/definitions.ts';
import type { ReplicaChange } from '../../replica/replica.ts';

export interface ReplicaDirectoryOptions {
  readonly definitions: Definitions;
  readonly projectId: number;
  /** Why a source takes nothing now; ask `changed` when the answer changes. */
  readonly refusal: (source: Source) => SourceRefusal | undefined;
}

/**
 * The directory of ingest over the replicas of this process. A lookup describes anew what has changed since the one before, so that it
 * does not grow with the number of sources that have not.
 */
export class ReplicaDirectory implements SourceDirectory {
  readonly #options: ReplicaDirectoryOptions;
  #version = 1;
  /** Ids of the documents of sources that are described anew; undefined: all. */
  #outdated: Set<string> | undefined;
  /** Sources of one id, ascending by branch. */
  readonly #sources = new Map<string, readonly DirectorySource[]>();
  /** By the id of the source's document: ids of the documents of its sinks. */
  readonly #sinks = new Map<string, Set<string>>();

  constructor(options: ReplicaDirectoryOptions) {
    this.#options = options;
    const { sources, sinks } = options.definitions;
    sources.listen(({ written, removed }) => this.#outdate([...written, ...removed]));
    sinks.listen((change) => this.#followSinks(change));
  }

  get version(): number {
    return this.#version;
  }

  /** Something that a lookup answers has changed, of whatever source. */
  changed(): void {
    this.#version += 1;
    this.#outdated = undefined;
  }

  find(projectId: number, sourceId: string): readonly DirectorySource[] {
    return projectId === this.#options.projectId ? (this.#current().get(sourceId) ?? []) : [];
  }

  *all(): Iterable<DirectorySource> {
    for (const sources of this.#current().values()) yield* sources;
  }

  #followSinks({ written, removed }: ReplicaChange): void {
    if (this.#outdated !== undefined) {
      for (const id of written) this.#noteSink(id);
      for (const id of removed) this.#forgetSink(id);
    }
    this.#outdate([...written, ...removed].map(sourceOfSink));
  }

  #outdate(ids: readonly string[]): void {
    this.#version += 1;
    for (const id of ids) this.#outdated?.add(id);
  }

  #noteSink(id: string): void {
    const source = sourceOfSink(id);
    const sinks = this.#sinks.get(source) ?? new Set<string>();
    this.#sinks.set(source, sinks.add(id));
  }

  #forgetSink(id: string): void {
    const source = sourceOfSink(id);
    const sinks = this.#sinks.get(source);
    sinks?.delete(id);
    if (sinks?.size === 0) this.#sinks.delete(source);
  }

  #current(): ReadonlyMap<string, readonly DirectorySource[]> {
    const { sources, sinks } = this.#options.definitions;
    if (this.#outdated === undefined) {
      this.#sources.clear();
      this.#sinks.clear();
      for (const { id } of sinks.values()) this.#noteSink(id);
      this.#outdated = new Set([...sources.values()].map(({ id }) => id));
    }
    for (const id of this.#outdated) this.#describeAnew(id);
    this.#outdated.clear();
    return this.#sources;
  }

  #describeAnew(id: string): void {
    const source = this.#options.definitions.sources.get(id)?.value;
    const isThere = source !== undefined && source.deleted === undefined;
    const sourceId = id.slice(id.indexOf('/') + 1);
    const others = (this.#sources.get(sourceId) ?? []).filter(({ key }) => sourceDocumentId(key) !== id);
    const described = isThere ? [...others, this.#describe(source, this.#sinksOf(id))] : others;
    if (described.length === 0) this.#sources.delete(sourceId);
    else this.#sources.set(sourceId, sortedByBranch(described));
  }

  /** Those that take events. */
  #sinksOf(source: string): readonly Sink[] {
    const { sinks } = this.#options.definitions;
    return [...(this.#sinks.get(source) ?? [])]
      .map((id) => sinks.get(id)?.value)
      .filter((sink) => sink !== undefined)
      .filter(takesEvents);
  }

  #describe(source: Source, sinks: readonly Sink[]): DirectorySource {
    const { definitions, refusal } = this.#options;
    const settings = definitions.settingsOfSource(source);
    const { branchId, sourceId, type, secrets, topic, partitions } = source;
    return {
      key: { branchId, sourceId },
      type,
      secrets,
      disabled: source.disabled !== undefined,
      topic,
      partitions,
      syncWait: settings.syncWait || sinks.some((sink) => definitions.settingsOf(sink).syncWait),
      batch: settings.batch,
      contentType: settings.contentType,
      defaultContentType: settings.defaultContentType,
      enabledSinks: sinks.length,
      refusal: refusal(source),
    };
  }
}

function sourceOfSink(id: string): string {
  return id.slice(0, id.lastIndexOf('/'));
}

function sortedByBranch(sources: readonly DirectorySource[]): readonly DirectorySource[] {
  return sources.toSorted((a, b) => a.key.branchId - b.key.branchId);
}
