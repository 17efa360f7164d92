import type { Collection } from '../../ports/catalog.ts';
import type { CatalogDatabase } from './catalog-database.ts';
import { takeNumbers, type Taken, type Wanting } from './catalog-steps.ts';

interface Waiting {
  readonly wanting: Wanting;
  readonly resolve: (taken: Taken) => void;
  readonly reject: (reason: unknown) => void;
}

/** So many writes take their numbers together. */
const maxTogether = 200;

/**
 * Numbers for writes. The counter of a collection is one document that all its writers change; those that gather here
 * while one operation is under way share the next.
 */
export class NumberQueue {
  readonly #database: CatalogDatabase;
  readonly #queues = new Map<Collection, Waiting[]>();

  constructor(database: CatalogDatabase) {
    this.#database = database;
  }

  /** Step 1 of `catalog-steps.ts`. */
  take({ collection, id, expected }: { readonly collection: Collection } & Wanting): Promise<Taken> {
    const { promise, resolve, reject } = Promise.withResolvers<Taken>();
    const waiting = { wanting: { id, expected }, resolve, reject };
    const queue = this.#queues.get(collection);
    if (queue !== undefined) queue.push(waiting);
    else {
      const started = [waiting];
      this.#queues.set(collection, started);
      void this.#run(collection, started);
    }
    return promise;
  }

  /** Settles all that wait, and never rejects. */
  async #run(collection: Collection, queue: Waiting[]): Promise<void> {
    while (queue.length > 0) {
      const together = queue.splice(0, maxTogether);
      try {
        const writes = together.map(({ wanting }) => wanting);
        const taken = await takeNumbers(this.#database, collection, writes);
        for (const each of taken) together.shift()?.resolve(each);
      } catch (thrown) {
        for (const { reject } of together) reject(thrown);
      }
    }
    this.#queues.delete(collection);
  }
}
