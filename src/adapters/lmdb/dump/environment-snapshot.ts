import { open, type RootDatabase, type Transaction } from 'lmdb';
import { defaultMapBytes, maxNamedDatabases, maxReaders } from '../config.ts';
import { checkFolder } from '../folder-check.ts';
import { dumpHead, encodeEnd, encodeEntry, type DumpEntry } from './dump-codec.ts';

type RawDatabase = RootDatabase<Buffer, Uint8Array>;

/** Keys and values as bytes, versions and all. */
export const raw = { encoding: 'binary', keyEncoding: 'binary', useVersions: false } as const;

/** Entries of the root that stand for a named database; keys of its own begin with other bytes. */
const databaseName = /^[a-z]+\0$/;

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
    this.#pinned?.done();
    this.#root.resetReadTxn();
    this.#pinned = this.#root.useReadTransaction();
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
    const names: string[] = [];
    for (const { key, value } of this.#root.getRange({ transaction })) {
      const text = Buffer.from(key).toString('latin1');
      if (databaseName.test(text)) names.push(text.slice(0, -1));
      else yield { database: '', key: Buffer.from(key), value };
    }
    for (const database of names) {
      const store = this.#root.openDB<Buffer, Uint8Array>({ name: database, ...raw });
      for (const { key, value } of store.getRange({ transaction })) yield { database, key: Buffer.from(key), value };
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#pinned?.done();
    await this.#root.close();
  }
}
