import { sourceDocumentId } from '../../documents/document-id.ts';
import type { Incarnation } from '../../core/ids.ts';
import type { SinkProgress } from '../../core/progress/sink-progress.ts';
import type { Replica, ReplicaChange } from './replica.ts';

/** Which incarnations belong to which source, kept up by the changes of the progress replica instead of by looking at all of it. */
export class SinksBySource {
  readonly #progress: Replica<SinkProgress>;
  readonly #sourceOf = new Map<string, { readonly source: string; readonly incarnation: Incarnation }>();
  readonly #sinks = new Map<string, Set<Incarnation>>();

  constructor(progress: Replica<SinkProgress>) {
    this.#progress = progress;
  }

  /**
   * Takes over what the replica knows, and from then on each change of it: none is missed in between. `told` gets the incarnations that
   * a change touches, at first all; the answer ends it.
   */
  follow(told: (incarnations: readonly Incarnation[]) => void): () => void {
    const end = this.#progress.listen((change) => told(this.#apply(change)));
    told(this.#apply({ written: [...this.#progress.values()].map(({ id }) => id), removed: [] }));
    return end;
  }

  /** Of a source, or of the source of a sink, by the id of its document. */
  of(documentId: string): Iterable<Incarnation> {
    return this.#sinks.get(documentId) ?? this.#sinks.get(documentId.slice(0, documentId.lastIndexOf('/'))) ?? [];
  }

  /** Answers the incarnations that a change touches. */
  #apply({ written, removed }: Omit<ReplicaChange, 'isWhole'>): readonly Incarnation[] {
    const touched: Incarnation[] = [];
    for (const id of removed) {
      const known = this.#sourceOf.get(id);
      if (known === undefined) continue;
      touched.push(known.incarnation);
      this.#sourceOf.delete(id);
      const sinks = this.#sinks.get(known.source);
      sinks?.delete(known.incarnation);
      if (sinks?.size === 0) this.#sinks.delete(known.source);
    }
    for (const id of written) {
      const progress = this.#progress.get(id)?.value;
      if (progress === undefined) continue;
      const { incarnation, key } = progress;
      touched.push(incarnation);
      if (this.#sourceOf.has(id)) continue;
      const source = sourceDocumentId(key);
      this.#sourceOf.set(id, { source, incarnation });
      const sinks = this.#sinks.get(source) ?? new Set<Incarnation>();
      this.#sinks.set(source, sinks.add(incarnation));
    }
    return touched;
  }
}
