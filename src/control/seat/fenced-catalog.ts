import type {
  Catalog,
  CatalogQuery,
  CatalogWrite,
  CasResult,
  Changes,
  Collection,
  Versioned,
} from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Seat } from './seat.ts';

/**
 * The catalog as operations use it: each write first looks whether this process still holds the seat, and rejects with
 * `SeatLost` when not. Whoever reads a document, passes here and finds the same revision at its compare-and-set knows that no heir has
 * touched the document in between: an heir takes the seat before it reads anything. Only a document that was not there has no
 * revision to tell; what makes one visible looks at the seat once more afterwards.
 */
export class FencedCatalog implements Catalog {
  readonly #catalog: Catalog;
  readonly #seat: Pick<Seat, 'assertHeld'>;

  constructor(catalog: Catalog, seat: Pick<Seat, 'assertHeld'>) {
    this.#catalog = catalog;
    this.#seat = seat;
  }

  get(collection: Collection, id: string, options: Waiting): Promise<Versioned | undefined> {
    return this.#catalog.get(collection, id, options);
  }

  async compareAndSet(write: CatalogWrite, options: Waiting): Promise<CasResult> {
    await this.#seat.assertHeld(options);
    return this.#catalog.compareAndSet(write, options);
  }

  async remove(collection: Collection, id: string, ...[expected, options]: [number, Waiting]): Promise<boolean> {
    await this.#seat.assertHeld(options);
    return this.#catalog.remove(collection, id, expected, options);
  }

  list(query: CatalogQuery, options: Waiting): Promise<readonly Versioned[]> {
    return this.#catalog.list(query, options);
  }

  count(collection: Collection, prefix: string, options: Waiting): Promise<number> {
    return this.#catalog.count(collection, prefix, options);
  }

  changes(
    query: { readonly collection: Collection; readonly token: string | undefined; readonly maxWaitMs: number },
    options: Waiting,
  ): Promise<Changes> {
    return this.#catalog.changes(query, options);
  }

  /** Does nothing: the catalog belongs to who opened it. */
  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }
}
