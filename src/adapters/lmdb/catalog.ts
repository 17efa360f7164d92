import type { MillraceError } from '../../core/millrace-error.ts';
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
import { abortable } from '../../core/abortable.ts';
import { invalidId, writing } from '../catalog-change.ts';
import { Closing } from '../closing.ts';
import { openCatalogEnvironment, type CatalogEnvironment } from './catalog-environment.ts';
import { catalogError } from './catalog-errors.ts';
import { maxIdLength } from './catalog-keys.ts';
import { CatalogReader } from './catalog-reader.ts';
import { CatalogWatch } from './catalog-watch.ts';
import { CatalogWriter } from './catalog-writer.ts';

export interface LmdbCatalogOptions {
  /** Folder of the catalog's own environment; made when it is missing. */
  readonly path: string;
  /**
   * At least this many removals of each collection stay known; an older token gets the whole collection. Default
   * 10,000.
   */
  readonly keptRemovals?: number;
  /** How often waiting readers look by themselves, should a notice of another thread be lost. Default one second. */
  readonly rescanMs?: number;
  /** Told once, with `data.broken`, when the catalog refuses every write until the process has ended. */
  readonly onBroken?: (error: MillraceError) => void;
}

/**
 * The catalog in its own LMDB environment. Any number of threads of one process may have it open, each with an instance
 * of its own. `data.newerFormat`, `data.unusable`.
 */
export async function openLmdbCatalog(options: LmdbCatalogOptions): Promise<Catalog> {
  return new LmdbCatalog(await openCatalogEnvironment(options.path), options);
}

class LmdbCatalog implements Catalog {
  readonly #environment: CatalogEnvironment;
  readonly #reader: CatalogReader;
  readonly #writer: CatalogWriter;
  readonly #watch: CatalogWatch;
  readonly #closing = new Closing('the catalog');

  constructor(
    environment: CatalogEnvironment,
    { keptRemovals = 10_000, rescanMs = 1000, onBroken }: LmdbCatalogOptions,
  ) {
    this.#environment = environment;
    this.#watch = new CatalogWatch(environment.path, rescanMs);
    this.#reader = new CatalogReader(environment);
    this.#writer = new CatalogWriter(environment, {
      keptRemovals,
      onBroken,
      onCommit: (changed) => this.#watch.announce(changed),
    });
  }

  get(collection: Collection, id: string, { signal }: Waiting): Promise<Versioned | undefined> {
    return this.#read(signal, () => (isPossibleId(id) ? this.#reader.get(collection, id) : undefined));
  }

  async compareAndSet(write: CatalogWrite, { signal }: Waiting): Promise<CasResult> {
    this.#closing.check(signal);
    if (!isPossibleId(write.id)) throw invalidId(write, `1 to ${maxIdLength}`);
    const revision = await abortable(this.#writer.write(writing(write)), signal);
    return revision === undefined ? { kind: 'conflict' } : { kind: 'written', revision };
  }

  // oxlint-disable-next-line max-params -- the port's signature
  async remove(collection: Collection, id: string, expected: number, { signal }: Waiting): Promise<boolean> {
    this.#closing.check(signal);
    if (!isPossibleId(id)) return false;
    const change = { collection, id, expected, json: undefined };
    return (await abortable(this.#writer.write(change), signal)) !== undefined;
  }

  list(query: CatalogQuery, { signal }: Waiting): Promise<readonly Versioned[]> {
    return this.#read(signal, () => (isTooLong(query.prefix) ? [] : this.#reader.list(query)));
  }

  count(collection: Collection, prefix: string, { signal }: Waiting): Promise<number> {
    return this.#read(signal, () => (isTooLong(prefix) ? 0 : this.#reader.count(collection, prefix)));
  }

  async changes(
    query: { readonly collection: Collection; readonly token: string | undefined; readonly maxWaitMs: number },
    options: Waiting,
  ): Promise<Changes> {
    const { collection, token, maxWaitMs } = query;
    const deadline = performance.now() + maxWaitMs;
    for (;;) {
      const left = deadline - performance.now();
      const isDue = this.#readNow(options.signal, () => left <= 0 || this.#reader.hasChanged(collection, token));
      if (isDue) return this.#readNow(options.signal, () => this.#reader.changesSince(collection, token));
      await this.#watch.wait(collection, left, options);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#closing.once(() => this.#close());
  }

  async #close(): Promise<void> {
    await this.#writer.idle();
    this.#watch.close();
    await this.#environment.space.close();
    // The driver may wait for a write that never ends.
    if (!this.#writer.isBroken) await this.#environment.root.close();
  }

  async #read<T>(signal: AbortSignal, read: () => T): Promise<T> {
    return this.#readNow(signal, read);
  }

  #readNow<T>(signal: AbortSignal, read: () => T): T {
    this.#closing.check(signal);
    try {
      return read();
    } catch (thrown) {
      throw catalogError(thrown);
    }
  }
}

function isPossibleId(id: string): boolean {
  return id.length > 0 && !isTooLong(id);
}

function isTooLong(text: string): boolean {
  return text.length > maxIdLength;
}
