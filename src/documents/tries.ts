import { MillraceError } from '../core/millrace-error.ts';
import type { Collection } from '../ports/catalog.ts';
import type { Waiting } from '../ports/waiting.ts';

/** Where a document stands. */
export interface DocumentPlace {
  readonly collection: Collection;
  readonly id: string;
}

/** How often an unclear answer of the catalog is followed by another look, before it goes to the caller. */
const mostUnclear = 3;
/** So many others in a row cannot be chance: somebody writes without pause. */
const mostConflicts = 100;

/** The rule by which a write of a document is tried again. */
export class Tries {
  readonly #place: DocumentPlace;
  #conflicts = 0;
  #unclear = 0;
  #last: unknown;

  constructor(place: DocumentPlace) {
    this.#place = place;
  }

  /** Somebody else came before. */
  conflict(): void {
    const { collection, id } = this.#place;
    this.#conflicts += 1;
    if (this.#conflicts < mostConflicts) return;
    const text = `the document "${id}" of the collection "${collection}" has changed ${this.#conflicts} times while this process tried to change it`;
    throw new MillraceError('catalog.contended', text, { details: { collection, id } });
  }

  /** The write may have happened (`catalog.unavailable`); anything else is thrown again. */
  unclear(thrown: unknown, { signal }: Waiting): void {
    const isUnclear = thrown instanceof MillraceError && thrown.code === 'catalog.unavailable';
    if (signal.aborted || !isUnclear) throw thrown;
    this.#unclear += 1;
    this.#last = thrown;
  }

  /** Throws what was unclear last when there has been too much of it; to be called after a look that found nothing. */
  requireLeft(): void {
    if (this.#unclear >= mostUnclear) throw this.#last;
  }
}
