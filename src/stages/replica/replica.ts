import type { DocumentKind } from '../../documents/document-kind.ts';
import type { StoredDocument } from '../../documents/read-document.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Catalog, Versioned } from '../../ports/catalog.ts';

/** A document of a replica with the revision it was read at. */
export interface Held<T> extends StoredDocument<T> {
  readonly id: string;
}

export interface ReplicaChange {
  readonly written: readonly string[];
  readonly removed: readonly string[];
  /**
   * The catalog told all that it has, not what changed: it may have been brought back to what it was, with older revisions than others
   * have seen.
   */
  readonly isWhole: boolean;
}

export interface ReplicaOptions<T extends object> {
  readonly catalog: Catalog;
  readonly kind: DocumentKind<T>;
  /** A document that cannot be parsed is left out, or stays as it was; it must not stop the others. */
  readonly onInvalid: (id: string, error: unknown) => void;
  /**
   * For documents that say what is to be done: nothing is done by an old copy of a document that a newer release has
   * rewritten.
   */
  readonly dropsNewer?: boolean;
  /** Documents that are not wanted are left out, and go when they change so; absent: all are wanted. */
  readonly isWanted?: (document: T) => boolean;
}

/** A document as it was written, in a shape that nobody here understands. */
export interface Unreadable {
  readonly revision: number;
  readonly value: unknown;
}

/**
 * A copy of one collection in memory: never ahead of the catalog, and behind it only for as long as the catalog takes
 * to tell. Whoever needs more certainty reads the document itself.
 */
export class Replica<T extends object> {
  readonly #options: ReplicaOptions<T>;
  readonly #documents = new Map<string, Held<T>>();
  readonly #unreadable = new Map<string, Unreadable>();
  readonly #listeners = new Set<(change: ReplicaChange) => void>();
  #token: string | undefined;

  constructor(options: ReplicaOptions<T>) {
    this.#options = options;
  }

  get(id: string): Held<T> | undefined {
    return this.#documents.get(id);
  }

  values(): IterableIterator<Held<T>> {
    return this.#documents.values();
  }

  /** By id. Code that removes what no document needs must look at these, too: nobody knows what they need. */
  get unreadable(): ReadonlyMap<string, Unreadable> {
    return this.#unreadable;
  }

  get size(): number {
    return this.#documents.size;
  }

  /**
   * Knows documents that another replica has read, before it has read any itself. The first refresh brings it to where the catalog is
   * then, and calls back for what differs alone.
   */
  begin(known: Iterable<Held<T>>): void {
    for (const document of known) this.#documents.set(document.id, document);
  }

  /** Calls back after every change, in the turn in which it was applied; the answer removes the listener. */
  listen(listener: (change: ReplicaChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Reads what changed and applies it; waits up to `maxWaitMs` while nothing did. An answer that was overtaken by
   * another refresh is ignored: applied after the newer one, it would bring back what has gone.
   */
  async refresh(maxWaitMs: number, { signal }: { readonly signal: AbortSignal }): Promise<void> {
    const { catalog, kind } = this.#options;
    const token = this.#token;
    const changes = await catalog.changes({ collection: kind.collection, token, maxWaitMs }, { signal });
    if (this.#token !== token) return maxWaitMs > 0 ? undefined : this.refresh(0, { signal });
    const [written, dropped]: [string[], string[]] = [[], []];
    const removed = new Set(
      changes.complete ? [...this.#documents.keys(), ...this.#unreadable.keys()] : changes.removed,
    );
    for (const document of changes.written) {
      removed.delete(document.id);
      const outcome = this.#apply(document, changes.complete);
      if (outcome === 'written') written.push(document.id);
      if (outcome === 'dropped') dropped.push(document.id);
    }
    for (const id of removed) {
      this.#documents.delete(id);
      this.#unreadable.delete(id);
    }
    this.#token = changes.token;
    const change = { written, removed: [...removed, ...dropped], isWhole: changes.complete };
    if (change.written.length === 0 && change.removed.length === 0) return;
    this.#tell(change);
  }

  /** The change is known, and will not be told again: a listener that throws keeps it from no other one. */
  #tell(change: ReplicaChange): void {
    const thrown: unknown[] = [];
    for (const listener of this.#listeners) {
      try {
        listener(change);
      } catch (error) {
        thrown.push(error);
      }
    }
    if (thrown.length > 0) throw thrown[0];
  }

  /** Refreshes until the signal is aborted, then rejects with its reason, or with the catalog's error. */
  async follow({ signal }: { readonly signal: AbortSignal }): Promise<never> {
    for (;;) await this.refresh(1000, { signal });
  }

  /** An answer that is whole says what there is, also when the catalog was brought back to what it was before. */
  #apply({ id, revision, value }: Versioned, isWhole: boolean): 'written' | 'kept' | 'dropped' {
    const known = this.#unreadable.get(id) ?? this.#documents.get(id);
    const before = known?.revision ?? -1;
    if (isWhole ? before === revision : before >= revision) return 'kept';
    try {
      const document = this.#options.kind.parse(value, id);
      this.#unreadable.delete(id);
      if (this.#options.isWanted?.(document) === false) return this.#documents.delete(id) ? 'dropped' : 'kept';
      this.#documents.set(id, { id, revision, value: document });
      return 'written';
    } catch (thrown) {
      this.#unreadable.set(id, { revision, value });
      this.#options.onInvalid(id, thrown);
      const isNewer = MillraceError.fromUnknown(thrown).code === 'catalog.newerDocument';
      return isNewer && this.#options.dropsNewer === true && this.#documents.delete(id) ? 'dropped' : 'kept';
    }
  }
}
