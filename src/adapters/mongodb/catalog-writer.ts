import { MillraceError } from '../../core/millrace-error.ts';
import type { Collection } from '../../ports/catalog.ts';
import { sortableId } from '../sortable-id.ts';
import type { CatalogDatabase } from './catalog-database.ts';
import { makePlace, readRecord, replaceRecord, settle, type Replacement, type Taken } from './catalog-steps.ts';
import { fromMongodb } from './errors.ts';
import { NumberQueue } from './number-queue.ts';

/** One conditional write. */
export interface CatalogChange {
  readonly collection: Collection;
  readonly id: string;
  /** Revision that the document must have; undefined: there must be none. */
  readonly expected: number | undefined;
  readonly replacement: Replacement;
}

export interface CatalogWriterOptions {
  readonly database: CatalogDatabase;
  /** Called after a write. */
  readonly onWritten: (collection: Collection) => void;
  /** Called with about how many removed records the collection has now. */
  readonly onSettled: (collection: Collection, removals: number) => void;
}

/** More writes at once are refused (D8). */
const maxWrites = 10_000;
/** A document that is made and removed so often while one write looks at it is busier than the product ever is. */
const maxAttempts = 100;

interface Settling {
  readonly writes: string[];
  removals: number;
}

/** Conditional writes in the steps of `catalog-steps.ts`; entries of finished writes are taken out together, later. */
export class CatalogWriter {
  readonly #options: CatalogWriterOptions;
  readonly #numbers: NumberQueue;
  readonly #settling = new Map<Collection, Settling>();
  readonly #running = new Map<Collection, Promise<void>>();
  readonly #writes = new Set<Promise<unknown>>();

  constructor(options: CatalogWriterOptions) {
    this.#options = options;
    this.#numbers = new NumberQueue(options.database);
  }

  /** The document's revision after the change, durable; undefined when it had another one than expected. */
  async write(change: CatalogChange): Promise<number | undefined> {
    if (this.#writes.size >= maxWrites)
      throw new MillraceError('catalog.unavailable', `${this.#writes.size} writes wait for MongoDB already`);
    const { collection, id, expected, replacement } = change;
    const at = { collection, id: sortableId(id) };
    const work =
      expected === undefined ? this.#create(at, replacement) : this.#replace({ ...at, expected }, replacement);
    this.#writes.add(work);
    try {
      const revision = await work;
      if (revision !== undefined) this.#options.onWritten(collection);
      return revision;
    } catch (thrown) {
      throw fromMongodb(thrown, { collection, id });
    } finally {
      this.#writes.delete(work);
    }
  }

  /** Resolves when nothing is under way any more. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#writes);
    await Promise.all(this.#running.values());
  }

  async #create(
    at: { readonly collection: Collection; readonly id: string },
    replacement: Replacement,
  ): Promise<number | undefined> {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const record = await readRecord(this.#options.database, at);
      if (record === undefined) await makePlace(this.#options.database, at);
      else if (!record.removed) return undefined;
      else {
        const revision = await this.#replace({ ...at, expected: record.revision }, replacement);
        if (revision !== undefined) return revision;
      }
    }
    throw new MillraceError(
      'catalog.unavailable',
      `others made and removed the document ${maxAttempts} times meanwhile`,
    );
  }

  async #replace(
    at: { readonly collection: Collection; readonly id: string; readonly expected: number },
    replacement: Replacement,
  ): Promise<number | undefined> {
    const taken = await this.#numbers.take(at);
    // When this fails the entry stays: the server may still carry it out.
    const isDone = await replaceRecord(this.#options.database, taken, replacement);
    this.#settleLater(taken, isDone && replacement.kind === 'remove' ? 1 : 0);
    return isDone ? taken.number : undefined;
  }

  #settleLater({ collection, pending }: Taken, removals: number): void {
    const waiting = this.#settling.get(collection) ?? { writes: [], removals: 0 };
    this.#settling.set(collection, waiting);
    waiting.writes.push(pending.write);
    waiting.removals += removals;
    if (!this.#running.has(collection)) this.#running.set(collection, this.#settle(collection));
  }

  /** What fails here stays behind as what a killed process leaves, and is cleaned up like it. */
  async #settle(collection: Collection): Promise<void> {
    for (let waiting = this.#take(collection); waiting !== undefined; waiting = this.#take(collection)) {
      try {
        const removals = await settle(this.#options.database, { collection, ...waiting });
        this.#options.onSettled(collection, removals);
      } catch {
        continue;
      }
    }
    this.#running.delete(collection);
  }

  #take(collection: Collection): Settling | undefined {
    const waiting = this.#settling.get(collection);
    this.#settling.delete(collection);
    return waiting;
  }
}
