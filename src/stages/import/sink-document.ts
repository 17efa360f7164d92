import type { Incarnation } from '../../core/ids.ts';
import { refused, type SinkProgress } from '../../core/progress/sink-progress.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { transit, type ChangedProgress, type ReadProgress, type Transition } from '../replica/progress-document.ts';

/** The document of one incarnation, as an importer reads and changes it. */
export class SinkDocument {
  readonly #catalog: Catalog;
  readonly #incarnation: Incarnation;
  #newest = 0;

  constructor(catalog: Catalog, incarnation: Incarnation) {
    this.#catalog = catalog;
    this.#incarnation = incarnation;
  }

  /**
   * Revision of the document that was read last: an older copy says nothing about what is left to do, unless the catalog was
   * brought back.
   */
  get newest(): number {
    return this.#newest;
  }

  async read(options: Waiting): Promise<ReadProgress | undefined> {
    return this.apply(() => refused('only read'), options);
  }

  /** Applies a transition until it is written or refused; undefined when there is no document. */
  async apply(transition: Transition, { signal }: Waiting): Promise<ChangedProgress | undefined> {
    const left = await transit(this.#catalog, this.#incarnation, { transition, signal });
    this.#newest = left?.revision ?? this.#newest;
    return left;
  }

  /** The document after a transition, whether it was refused or not; `otherwise` when there is none. */
  async after(
    transition: Transition,
    { signal, otherwise }: Waiting & { readonly otherwise: SinkProgress },
  ): Promise<SinkProgress> {
    return (await this.apply(transition, { signal }))?.value ?? otherwise;
  }
}
