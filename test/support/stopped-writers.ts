import { CatalogChanges } from '../../src/adapters/mongodb/catalog-changes.ts';
import { fence } from '../../src/adapters/mongodb/catalog-cleaning.ts';
import type { CatalogDatabase } from '../../src/adapters/mongodb/catalog-database.ts';
import { CatalogReader } from '../../src/adapters/mongodb/catalog-reader.ts';
import {
  makePlace,
  readCounter,
  readRecord,
  replaceRecord,
  settle,
  takeNumber,
  type Replacement,
  type Taken,
} from '../../src/adapters/mongodb/catalog-steps.ts';
import type { Collection, Versioned } from '../../src/ports/catalog.ts';

const collection: Collection = 'sink';
const byId = (a: Versioned, b: Versioned): number => (a.id < b.id ? -1 : Number(a.id > b.id));

/**
 * Writers that are stopped between any two steps, for ever or until later, beside a follower, a cleaner and the forgetting of
 * removals. A model says which writes happened; the follower must end with the same documents.
 */
export class StoppedWriters {
  readonly database: CatalogDatabase;
  readonly #changes: CatalogChanges;
  readonly #reader: CatalogReader;
  readonly #replica = new Map<string, Versioned>();
  /** Writers that have taken their number and are stopped. */
  readonly #stopped: { readonly taken: Taken; readonly replacement: Replacement }[] = [];
  /** By id: the revisions of its documents, in the order in which they came to be. */
  readonly #history = new Map<string, number[]>();
  #token: string | undefined;

  constructor(database: CatalogDatabase) {
    this.database = database;
    this.#reader = new CatalogReader(database);
    this.#changes = new CatalogChanges(database, this.#reader);
  }

  /** Step 1 of a write on what the record is now, then the writer is stopped. */
  async begin(id: string, isRemoval: boolean): Promise<void> {
    const at = { collection, id };
    const record = await readRecord(this.database, at);
    if (record === undefined) {
      // Stopped here, the place stays.
      await makePlace(this.database, at);
      return;
    }
    const value = JSON.stringify({ n: Math.random() });
    const replacement: Replacement = record.removed
      ? { kind: 'create', value }
      : isRemoval
        ? { kind: 'remove' }
        : { kind: 'update', value };
    const taken = await takeNumber(this.database, { ...at, expected: record.revision });
    this.#stopped.push({ taken, replacement });
  }

  /** A stopped writer goes on with step 2, and with step 3 if it is not killed between them. */
  async goOn(which: number, isKilled: boolean): Promise<void> {
    const [writer] = this.#stopped.splice(which % Math.max(this.#stopped.length, 1), 1);
    if (writer === undefined) return;
    const { taken, replacement } = writer;
    const isDone = await replaceRecord(this.database, taken, replacement);
    if (isDone) {
      const history = this.#history.get(taken.pending.id) ?? [];
      this.#history.set(taken.pending.id, [...history, taken.number]);
    }
    if (!isKilled) await settle(this.database, { collection, writes: [taken.pending.write], removals: 0 });
  }

  /** A stopped writer is killed before step 2. */
  kill(which: number): void {
    this.#stopped.splice(which % Math.max(this.#stopped.length, 1), 1);
  }

  async clean(which: number): Promise<void> {
    const { pending } = await readCounter(this.database, collection);
    const entry = pending[which % Math.max(pending.length, 1)];
    if (entry !== undefined) await fence(this.database, { collection, pending: entry });
  }

  async follow(): Promise<void> {
    const { changes } = await this.#changes.since(collection, this.#token);
    if (changes.complete) this.#replica.clear();
    for (const document of changes.written) this.#replica.set(document.id, document);
    for (const id of changes.removed) this.#replica.delete(id);
    this.#token = changes.token;
  }

  /** What the follower has made of `changes`. */
  followed(): readonly Versioned[] {
    return [...this.#replica.values()].sort(byId);
  }

  documents(): Promise<readonly Versioned[]> {
    return this.#reader.list({ collection, prefix: '' });
  }

  /** Cleans all that is left, then lets what is stopped go on. Answers how many of these writes happened: none may. */
  async end(): Promise<number> {
    for (const pending of (await readCounter(this.database, collection)).pending)
      await fence(this.database, { collection, pending });
    await this.follow();
    let late = 0;
    for (const { taken, replacement } of this.#stopped)
      if (await replaceRecord(this.database, taken, replacement)) late += 1;
    return late;
  }

  /** By id the revisions of its documents, in the order in which this process saw them happen. */
  get history(): ReadonlyMap<string, readonly number[]> {
    return this.#history;
  }
}
