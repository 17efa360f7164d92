import type { Sink } from '../../../core/sink.ts';
import type { Source } from '../../../core/source.ts';
import { takesEvents } from '../../../core/takes-events.ts';
import type { SourceRefusal } from '../../../events/refusal.ts';
import type { DirectorySource, SourceDirectory } from './source-directory.ts';
import type { Definitions } from '../../replica/definitions.ts';

export interface ReplicaDirectoryOptions {
  readonly definitions: Definitions;
  readonly projectId: number;
  /** Why a source takes nothing now; ask `changed` when the answer changes. */
  readonly refusal: (source: Source) => SourceRefusal | undefined;
}

/** The directory of ingest over the replicas of this process: made anew, as a whole, after a change of sources or sinks. */
export class ReplicaDirectory implements SourceDirectory {
  readonly #options: ReplicaDirectoryOptions;
  #version = 1;
  #built: { readonly version: number; readonly sources: ReadonlyMap<string, readonly DirectorySource[]> } | undefined;

  constructor(options: ReplicaDirectoryOptions) {
    this.#options = options;
    const { sources, sinks } = options.definitions;
    for (const replica of [sources, sinks]) replica.listen(() => this.changed());
  }

  get version(): number {
    return this.#version;
  }

  /** Something that a lookup answers has changed. */
  changed(): void {
    this.#version += 1;
  }

  find(projectId: number, sourceId: string): readonly DirectorySource[] {
    return projectId === this.#options.projectId ? (this.#current.get(sourceId) ?? []) : [];
  }

  *all(): Iterable<DirectorySource> {
    for (const sources of this.#current.values()) yield* sources;
  }

  get #current(): ReadonlyMap<string, readonly DirectorySource[]> {
    if (this.#built?.version !== this.#version) this.#built = { version: this.#version, sources: this.#build() };
    return this.#built.sources;
  }

  #build(): ReadonlyMap<string, readonly DirectorySource[]> {
    const { definitions } = this.#options;
    const sinks = Map.groupBy(
      [...definitions.sinks.values()].map(({ value }) => value).filter(takesEvents),
      (sink) => `${sink.branchId}/${sink.sourceId}`,
    );
    const entries = [...definitions.sources.values()]
      .map(({ value }) => value)
      .filter((source) => source.deleted === undefined)
      .toSorted((a, b) => a.branchId - b.branchId)
      .map((source) => this.#describe(source, sinks.get(`${source.branchId}/${source.sourceId}`) ?? []));
    return Map.groupBy(entries, ({ key }) => key.sourceId);
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
