import { open, type Database, type RootDatabase, type Transaction } from 'lmdb';
import { defaultMapBytes, maxNamedDatabases, maxReaders } from '../config.ts';
import { checkFolder } from '../folder-check.ts';
import { dumpHead, encodeEnd, encodeEntry, type DumpEntry } from './dump-codec.ts';

type RawDatabase = RootDatabase<Buffer, Uint8Array>;

/** Keys and values as bytes, versions and all. */
export const raw = { encoding: 'binary', keyEncoding: 'binary', useVersions: false } as const;

/** Entries of the root that stand for a named database; keys of its own begin with other bytes. */
const databaseName = /^[a-z]+\0$/;
const databaseNames = { start: Buffer.from('a'), end: Buffer.from('{') };

/** The named database that the key of the root stands for. */
function databaseOf(key: Uint8Array): string | undefined {
  const text = Buffer.from(key).toString('latin1');
  return databaseName.test(text) ? text.slice(0, -1) : undefined;
}

/** Opens an environment, of a log or of the catalog, to read and write its entries as the bytes that they are. */
export function openRaw(path: string): RawDatabase {
  return open<Buffer, Uint8Array>({
    path,
    ...raw,
    overlappingSync: false,
    eventTurnBatching: false,
    noSubdir: false,
    mapSize: defaultMapBytes,
    maxDbs: maxNamedDatabases,
    maxReaders,
  });
}

/**
 * An environment as of one moment, while others go on to change it. As long as it is held, LMDB uses none of the pages again that it
 * shows, so the file grows by what is written meanwhile.
 */
export class EnvironmentSnapshot implements AsyncDisposable {
  readonly #root: RawDatabase;
  readonly #databases = new Map<string, Database<Buffer, Uint8Array>>();
  #pinned: Transaction | undefined;

  private constructor(root: RawDatabase) {
    this.#root = root;
  }

  /** `data.unusable` for what is no folder of ours. */
  static open(path: string): EnvironmentSnapshot {
    checkFolder(path);
    return new EnvironmentSnapshot(openRaw(path));
  }

  /** Holds it as it is now, and lets go of what it held before. */
  pin(): void {
    let transaction: Transaction;
    do {
      this.#pinned?.done();
      this.#root.resetReadTxn();
      transaction = this.#root.useReadTransaction();
      this.#pinned = transaction;
    } while (this.#openDatabasesIn(transaction));
  }

  /** Whether one was opened: a transaction cannot read a database that its process opened later. */
  #openDatabasesIn(transaction: Transaction): boolean {
    const before = this.#databases.size;
    const shown = [...this.#root.getKeys({ ...databaseNames, transaction })].map(databaseOf);
    for (const name of shown) {
      if (name === undefined || this.#databases.has(name)) continue;
      this.#databases.set(name, this.#root.openDB<Buffer, Uint8Array>({ name, ...raw }));
    }
    return this.#databases.size > before;
  }

  /** Number of the last transaction of anybody. */
  lastTransaction(): number {
    this.#root.resetReadTxn();
    const stats: { readonly lastTxnId?: number } = this.#root.getStats();
    return stats.lastTxnId ?? 0;
  }

  /** The dump of what is held, in pieces; see `decodeDump`. */
  *dump(): Generator<Uint8Array> {
    yield dumpHead;
    let entries = 0;
    for (const entry of this.#entries()) {
      yield* encodeEntry(entry);
      entries += 1;
    }
    yield encodeEnd(entries);
  }

  *#entries(): Generator<DumpEntry> {
    const transaction = this.#pinned;
    if (transaction === undefined) throw new Error('nothing is pinned');
    for (const { key, value } of this.#root.getRange({ transaction }))
      if (databaseOf(key) === undefined) yield { database: '', key: Buffer.from(key), value };
    for (const [database, store] of this.#databases) {
      for (const { key, value } of store.getRange({ transaction })) yield { database, key: Buffer.from(key), value };
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#pinned?.done();
    await this.#root.close();
  }
}
