import { join } from 'node:path';
import { openLmdbCatalog } from '../../../src/adapters/lmdb/catalog.ts';
import { MillraceError } from '../../../src/core/millrace-error.ts';
import { collections, type Catalog } from '../../../src/ports/catalog.ts';

const never = { signal: new AbortController().signal };

/**
 * A catalog that somebody brings back to an older copy while processes use it, as a server of a cluster can be. The copy has the
 * documents as they were, and revisions that begin anew.
 */
export class BroughtBackCatalog implements AsyncDisposable {
  #served: Catalog | undefined;
  #copy: Catalog | undefined;
  /** Rejects when the connections to what was there before are lost. */
  readonly #lost = Promise.withResolvers<never>();

  constructor() {
    this.#lost.promise.catch(() => undefined);
  }

  beside(catalog: Catalog): Catalog {
    return new Proxy(catalog, {
      get: (original, name) => {
        const method: unknown = Reflect.get(original, name, original);
        if (typeof method !== 'function') return method;
        return (...given: readonly unknown[]): unknown => {
          const served = this.#served ?? original;
          const called = Reflect.get(served, name) as (...all: readonly unknown[]) => unknown;
          const answer: unknown = Reflect.apply(called, served, given);
          return served === original && name === 'changes' ? Promise.race([answer, this.#lost.promise]) : answer;
        };
      },
    });
  }

  /** Copies all documents as they are now. */
  async copy(from: Catalog, folder: string): Promise<void> {
    const copy = await openLmdbCatalog({ path: join(folder, 'brought-back') });
    this.#copy = copy;
    for (const collection of collections)
      for (const { id, value } of await from.list({ collection, prefix: '' }, never))
        await copy.compareAndSet({ collection, id, expected: undefined, value: value as object }, never);
  }

  /** From now on everybody sees the copy; whoever waited for changes has lost the connection. */
  bringBack(): void {
    this.#served = this.#copy;
    this.#lost.reject(new MillraceError('catalog.unavailable', 'the connection is lost'));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#copy?.[Symbol.asyncDispose]();
  }
}
