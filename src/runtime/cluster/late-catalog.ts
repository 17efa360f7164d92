import { Closing } from '../../adapters/closing.ts';
import { abortable } from '../../core/abortable.ts';
import type {
  CasResult,
  Catalog,
  CatalogQuery,
  CatalogWrite,
  Changes,
  Collection,
  Versioned,
} from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';

type ChangesQuery = Parameters<Catalog['changes']>[0];

/**
 * A catalog that is opened at its first use: who needs it only to learn of changes can start while its server is away. A use while it
 * cannot be opened rejects as opening it does, and the next one tries again.
 */
export class LateCatalog implements Catalog {
  readonly #open: (waiting: Waiting) => Promise<Catalog>;
  readonly #closing = new Closing('the catalog');
  readonly #leaving = new AbortController();
  #opening: Promise<Catalog> | undefined;

  constructor(open: (waiting: Waiting) => Promise<Catalog>) {
    this.#open = open;
  }

  async get(collection: Collection, id: string, options: Waiting): Promise<Versioned | undefined> {
    return (await this.#opened(options)).get(collection, id, options);
  }

  async compareAndSet(write: CatalogWrite, options: Waiting): Promise<CasResult> {
    return (await this.#opened(options)).compareAndSet(write, options);
  }

  // oxlint-disable-next-line max-params -- the port's signature
  async remove(collection: Collection, id: string, expected: number, options: Waiting): Promise<boolean> {
    return (await this.#opened(options)).remove(collection, id, expected, options);
  }

  async list(query: CatalogQuery, options: Waiting): Promise<readonly Versioned[]> {
    return (await this.#opened(options)).list(query, options);
  }

  async count(collection: Collection, prefix: string, options: Waiting): Promise<number> {
    return (await this.#opened(options)).count(collection, prefix, options);
  }

  async changes(query: ChangesQuery, options: Waiting): Promise<Changes> {
    return (await this.#opened(options)).changes(query, options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#closing.once(() => this.#close());
  }

  /** One attempt for all who ask meanwhile; who leaves does not end it for the others. */
  async #opened({ signal }: Waiting): Promise<Catalog> {
    this.#closing.check(signal);
    this.#opening ??= this.#attempt();
    return abortable(this.#opening, signal);
  }

  async #attempt(): Promise<Catalog> {
    try {
      return await this.#open({ signal: this.#leaving.signal });
    } catch (thrown) {
      this.#opening = undefined;
      throw thrown;
    }
  }

  async #close(): Promise<void> {
    const opening = this.#opening;
    this.#leaving.abort();
    const opened = await opening?.catch(() => undefined);
    await opened?.[Symbol.asyncDispose]();
  }
}
