import { sinkDocumentId, sourceDocumentId } from '../../documents/document-id.ts';
import { sinkDocuments } from '../../documents/sink-document.ts';
import { sourceDocuments } from '../../documents/source-document.ts';
import type { SinkKey, SourceKey } from '../../core/ids.ts';
import { effectiveSettings, type EffectiveSettings } from '../../core/settings/effective.ts';
import type { Sink } from '../../core/sink.ts';
import type { SettingOverrides, Source } from '../../core/source.ts';
import type { Catalog } from '../../ports/catalog.ts';
import { Replica, type Held } from './replica.ts';

const none: SettingOverrides = {};

/** What replicas of definitions hold. It survives a message between threads. */
export interface KnownDefinitions {
  readonly sources: readonly Held<Source>[];
  readonly sinks: readonly Held<Sink>[];
}

export interface DefinitionsOptions {
  readonly catalog: Catalog;
  readonly onInvalid: (id: string, error: unknown) => void;
  /** What settings are that neither source nor sink sets; absent: what the product says. */
  readonly defaults?: SettingOverrides;
}

/**
 * What people have said of sources and sinks, known without asking: replicas of two collections. A change reaches it as soon as the
 * catalog tells (D7); while the catalog is away it stays as it was.
 */
export class Definitions {
  readonly sources: Replica<Source>;
  readonly sinks: Replica<Sink>;
  readonly #defaults: SettingOverrides;
  /** By the overrides of a source and those of a sink, as long as documents have them: those that set nothing share theirs. */
  readonly #settings = new WeakMap<SettingOverrides, WeakMap<SettingOverrides, EffectiveSettings>>();

  constructor({ catalog, onInvalid, defaults = none }: DefinitionsOptions) {
    this.#defaults = defaults;
    this.sources = new Replica({ catalog, kind: sourceDocuments, onInvalid });
    this.sinks = new Replica({ catalog, kind: sinkDocuments, onInvalid });
  }

  /** Each of its collections. */
  protected get replicas(): readonly Pick<Replica<object>, 'refresh' | 'follow' | 'listen'>[] {
    return [this.sources, this.sinks];
  }

  /** What somebody who begins with it needs not read. */
  get known(): KnownDefinitions {
    return { sources: [...this.sources.values()], sinks: [...this.sinks.values()] };
  }

  /** Goes on from what others know, before the catalog was asked. */
  begin({ sources, sinks }: KnownDefinitions): void {
    this.sources.begin(sources);
    this.sinks.begin(sinks);
  }

  /** Reads everything once. */
  async load(options: { readonly signal: AbortSignal }): Promise<void> {
    await Promise.all(this.replicas.map((replica) => replica.refresh(0, options)));
  }

  /** Keeps the copies fresh until the signal is aborted. */
  async follow(options: { readonly signal: AbortSignal }): Promise<void> {
    await Promise.all(this.replicas.map((replica) => replica.follow(options)));
  }

  /** Calls back after any change; the answer removes the listener. */
  listen(listener: () => void): () => void {
    const ends = this.replicas.map((replica) => replica.listen(listener));
    return () => ends.forEach((end) => end());
  }

  sourceOf(key: SourceKey): Source | undefined {
    return this.sources.get(sourceDocumentId(key))?.value;
  }

  /** Asks the catalog for a source that is not known yet: its sinks may have become known before it. */
  async learnSource(key: SourceKey, options: { readonly signal: AbortSignal }): Promise<void> {
    if (this.sourceOf(key) === undefined) await this.sources.refresh(0, options);
  }

  sinkOf(key: SinkKey): Sink | undefined {
    return this.sinks.get(sinkDocumentId(key))?.value;
  }

  /** Settings in force for a source: default, then its own. */
  settingsOfSource({ settings }: Source): EffectiveSettings {
    return this.#effective(orNone(settings), none);
  }

  /** Settings in force for a sink: default, then its source's, then its own. */
  settingsOf(key: SinkKey): EffectiveSettings {
    return this.#effective(orNone(this.sourceOf(key)?.settings), orNone(this.sinkOf(key)?.settings));
  }

  #effective(source: SettingOverrides, sink: SettingOverrides): EffectiveSettings {
    const ofSource = this.#settings.get(source) ?? new WeakMap<SettingOverrides, EffectiveSettings>();
    const known = ofSource.get(sink);
    if (known !== undefined) return known;
    const effective = effectiveSettings(this.#defaults, source, sink);
    this.#settings.set(source, ofSource.set(sink, effective));
    return effective;
  }
}

function orNone(overrides: SettingOverrides | undefined): SettingOverrides {
  return overrides === undefined || Object.keys(overrides).length === 0 ? none : overrides;
}
