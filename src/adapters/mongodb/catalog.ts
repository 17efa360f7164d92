import type { MongoClient } from 'mongodb';
import { MillraceError } from '../../core/millrace-error.ts';
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
import { invalidId } from '../catalog-change.ts';
import { Closing } from '../closing.ts';
import { CollectionPoll, type CollectionStates } from '../collection-poll.ts';
import { CatalogChanges, stateOf } from './catalog-changes.ts';
import { AbandonedWrites, fence, forgetRemovals } from './catalog-cleaning.ts';
import {
  catalogDatabase,
  findCatalogDatabase,
  prepareCatalogDatabase,
  type CatalogDatabase,
} from './catalog-database.ts';
import { CatalogReader, maxDocumentBytes } from './catalog-reader.ts';
import { CatalogWriter, type CatalogChange } from './catalog-writer.ts';
import { createMongodbClient } from './client.ts';
import type { MongodbServerOptions } from './config.ts';
import { fromMongodb } from './errors.ts';

export interface MongodbCatalogOptions extends MongodbServerOptions {
  /**
   * At least this many removals of each collection stay known; an older token gets the whole collection. Default
   * 10,000.
   */
  readonly keptRemovals?: number;
  /** True: a catalog that is missing is `config.invalid`. Default false: it is made. */
  readonly mustExist?: boolean;
  /** How often readers that wait look for changes of other processes. Default 250 ms. */
  readonly pollMs?: number;
  /** A write that another process has begun and not finished after so long is kept from happening. Default 30 s. */
  readonly abandonedMs?: number;
}

/** UTF-16 code units of an id. */
const maxIdLength = 960;

/**
 * The catalog in a database of a MongoDB. Any number of processes may have it open. `catalog.unavailable` while the
 * server is away, `data.newerFormat`, `config.invalid`.
 */
export async function openMongodbCatalog(options: MongodbCatalogOptions, { signal }: Waiting): Promise<Catalog> {
  signal.throwIfAborted();
  const { database = 'millrace', operationTimeoutMs = 15_000 } = options;
  const client = createMongodbClient(options);
  try {
    const place = { client, database, operationTimeoutMs };
    await abortable(options.mustExist ? findCatalogDatabase(place) : prepareCatalogDatabase(place), signal);
    return new MongodbCatalog(client, catalogDatabase(place), options);
  } catch (thrown) {
    await client.close();
    throw thrown;
  }
}

class MongodbCatalog implements Catalog {
  readonly #client: MongoClient;
  readonly #database: CatalogDatabase;
  readonly #reader: CatalogReader;
  readonly #changes: CatalogChanges;
  readonly #writer: CatalogWriter;
  readonly #poll: CollectionPoll;
  readonly #abandoned: AbandonedWrites;
  /** Cleaning that is under way; one at a time. */
  #cleaning: Promise<void> | undefined;
  readonly #closing = new Closing('the catalog');

  constructor(client: MongoClient, database: CatalogDatabase, options: MongodbCatalogOptions) {
    const { keptRemovals = 10_000, pollMs = 250, abandonedMs = 30_000 } = options;
    this.#client = client;
    this.#database = database;
    this.#reader = new CatalogReader(database);
    this.#changes = new CatalogChanges(database, this.#reader);
    this.#abandoned = new AbandonedWrites(abandonedMs);
    this.#poll = new CollectionPoll({ pollMs, read: () => this.#states() });
    this.#writer = new CatalogWriter({
      database,
      onWritten: (collection) => this.#poll.announce(collection),
      onSettled: (collection, removals) => {
        if (removals >= 2 * keptRemovals)
          this.#clean(() => forgetRemovals(database, { collection, kept: keptRemovals }));
      },
    });
  }

  get(collection: Collection, id: string, options: Waiting): Promise<Versioned | undefined> {
    return this.#call(options, async () => (isPossibleId(id) ? this.#reader.get(collection, id) : undefined));
  }

  async compareAndSet(write: CatalogWrite, options: Waiting): Promise<CasResult> {
    const { collection, id, expected, value } = write;
    const revision = await this.#call(options, async () => {
      if (!isPossibleId(id)) throw invalidId(write, `1 to ${maxIdLength}`);
      const json = JSON.stringify(value);
      if (Buffer.byteLength(json) > maxDocumentBytes) throw tooLarge(write, Buffer.byteLength(json));
      const kind = expected === undefined ? 'create' : 'update';
      return this.#write({ collection, id, expected, replacement: { kind, value: json } });
    });
    return revision === undefined ? { kind: 'conflict' } : { kind: 'written', revision };
  }

  // oxlint-disable-next-line max-params -- the port's signature
  async remove(collection: Collection, id: string, expected: number, options: Waiting): Promise<boolean> {
    const change = { collection, id, expected, replacement: { kind: 'remove' } } as const;
    const revision = await this.#call(options, async () => (isPossibleId(id) ? this.#write(change) : undefined));
    return revision !== undefined;
  }

  list(query: CatalogQuery, options: Waiting): Promise<readonly Versioned[]> {
    return this.#call(options, () => this.#reader.list(query));
  }

  count(collection: Collection, prefix: string, options: Waiting): Promise<number> {
    return this.#call(options, () => this.#reader.count(collection, prefix));
  }

  async changes(
    query: { readonly collection: Collection; readonly token: string | undefined; readonly maxWaitMs: number },
    options: Waiting,
  ): Promise<Changes> {
    const { collection, maxWaitMs } = query;
    const deadline = performance.now() + maxWaitMs;
    for (let { token } = query; ;) {
      const from = token;
      const { changes, state } = await this.#call(options, () => this.#changes.since(collection, from));
      const ms = deadline - performance.now();
      const isNews = changes.complete || changes.written.length > 0 || changes.removed.length > 0;
      if (isNews || ms <= 0) return changes;
      await this.#poll.wait({ collection, seen: state, ms }, options);
      token = changes.token;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#closing.once(() => this.#close());
  }

  async #close(): Promise<void> {
    await this.#writer.idle();
    await this.#poll.close();
    await this.#cleaning;
    await this.#client.close();
  }

  /** A revision that no document has is a conflict; a place that is kept for one has a negative one. */
  async #write(change: CatalogChange): Promise<number | undefined> {
    if (change.expected === undefined) return this.#writer.write(change);
    return change.expected > 0 ? this.#writer.write(change) : undefined;
  }

  /** All counters; a collection with pending writes has no state, so that who waits for it looks again. */
  async #states(): Promise<CollectionStates> {
    const { counters, maxTimeMS } = this.#database;
    try {
      const found = await counters.find({}, { maxTimeMS }).toArray();
      for (const write of this.#abandoned.among(found, performance.now()))
        this.#clean(() => fence(this.#database, write));
      const settled = found.filter(({ pending }) => pending.length === 0);
      return new Map(settled.map((counter) => [counter._id, stateOf(counter)]));
    } catch (thrown) {
      throw fromMongodb(thrown);
    }
  }

  /** Cleaning that fails is tried again by the next that sees the need. */
  #clean(work: () => Promise<void>): void {
    if (this.#cleaning !== undefined || this.#closing.hasBegun) return;
    this.#cleaning = work()
      .catch(() => undefined)
      .finally(() => {
        this.#cleaning = undefined;
      });
  }

  async #call<T>({ signal }: Waiting, work: () => Promise<T>): Promise<T> {
    this.#closing.check(signal);
    try {
      return await abortable(work(), signal);
    } catch (thrown) {
      throw thrown === signal.reason ? thrown : fromMongodb(thrown);
    }
  }
}

function isPossibleId(id: string): boolean {
  return id.length > 0 && id.length <= maxIdLength;
}

function tooLarge({ collection, id }: CatalogWrite, bytes: number): MillraceError {
  const message = `the document "${id}" of collection "${collection}" has ${bytes} bytes of JSON, more than ${maxDocumentBytes}`;
  return new MillraceError('input.invalid', message, { details: { collection, id } });
}
