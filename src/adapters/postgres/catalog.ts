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
import { CollectionPoll } from '../collection-poll.ts';
import { sortableId } from '../sortable-id.ts';
import { CatalogReader } from './catalog-reader.ts';
import { findCatalogSchema, prepareCatalogSchema } from './catalog-schema.ts';
import { CatalogWriter } from './catalog-writer.ts';
import { PostgresClient } from './client.ts';
import type { PostgresServerOptions } from './config.ts';

export interface PostgresCatalogOptions extends PostgresServerOptions {
  /** Of the database, for the catalog alone. Default `millrace_catalog`. */
  readonly schema?: string;
  /** True: a catalog that is missing is `config.invalid`. Default false: it is made. */
  readonly mustExist?: boolean;
  /** Of each collection so many removals stay known at least; an older token gets the whole collection. Default 10,000. */
  readonly keptRemovals?: number;
  /** How often readers that wait look for changes of other processes. Default 250 ms. */
  readonly pollMs?: number;
}

export const defaultCatalogSchema = 'millrace_catalog';

/** UTF-16 code units of an id, and bytes of it in the index, which takes 2,704 with the name of the collection. */
const maxIdLength = 960;
const maxIdBytes = 2400;

/**
 * The catalog in a schema of a PostgreSQL database, 14 or newer. Any number of processes may have it open.
 * `catalog.unavailable` while the server is away, `data.newerFormat`, `config.invalid`.
 */
export async function openPostgresCatalog(options: PostgresCatalogOptions, waiting: Waiting): Promise<Catalog> {
  const client = await PostgresClient.create(options, 'catalog.unavailable');
  try {
    const schema = options.schema ?? defaultCatalogSchema;
    if (options.mustExist) await findCatalogSchema(client, schema, waiting);
    else await prepareCatalogSchema(client, schema, waiting);
    return new PostgresCatalog(client, options);
  } catch (thrown) {
    await client[Symbol.asyncDispose]();
    throw thrown;
  }
}

class PostgresCatalog implements Catalog {
  readonly #client: PostgresClient;
  readonly #reader: CatalogReader;
  readonly #writer: CatalogWriter;
  readonly #poll: CollectionPoll;
  readonly #closing = new Closing('the catalog');

  constructor(client: PostgresClient, options: PostgresCatalogOptions) {
    const { schema = defaultCatalogSchema, keptRemovals = 10_000, pollMs = 250 } = options;
    const reader = new CatalogReader(client, schema);
    this.#client = client;
    this.#reader = reader;
    this.#poll = new CollectionPoll({ pollMs, read: (waiting) => reader.states(waiting) });
    const onCommit = (changed: Collection): void => this.#poll.announce(changed);
    this.#writer = new CatalogWriter({ client, schema, keptRemovals, onCommit });
  }

  async get(collection: Collection, id: string, options: Waiting): Promise<Versioned | undefined> {
    this.#closing.check(options.signal);
    return isPossibleId(id) ? this.#reader.get(collection, id, options) : undefined;
  }

  async compareAndSet(write: CatalogWrite, { signal }: Waiting): Promise<CasResult> {
    this.#closing.check(signal);
    if (!isPossibleId(write.id)) throw invalidId(write, `1 to ${maxIdLength}, of at most ${maxIdBytes} bytes`);
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

  async list(query: CatalogQuery, options: Waiting): Promise<readonly Versioned[]> {
    this.#closing.check(options.signal);
    return this.#reader.list(query, options);
  }

  async count(collection: Collection, prefix: string, options: Waiting): Promise<number> {
    this.#closing.check(options.signal);
    return this.#reader.count(collection, prefix, options);
  }

  async changes(
    query: { readonly collection: Collection; readonly token: string | undefined; readonly maxWaitMs: number },
    options: Waiting,
  ): Promise<Changes> {
    const { collection, token, maxWaitMs } = query;
    const deadline = performance.now() + maxWaitMs;
    for (;;) {
      this.#closing.check(options.signal);
      const { changes, state } = await this.#reader.changesSince(collection, token, options);
      const ms = deadline - performance.now();
      if (changes.complete || changes.token !== token || ms <= 0) return changes;
      await this.#poll.wait({ collection, seen: state, ms }, options);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#closing.once(() => this.#close());
  }

  async #close(): Promise<void> {
    await this.#writer.idle();
    await this.#poll.close();
    await this.#client[Symbol.asyncDispose]();
  }
}

function isPossibleId(id: string): boolean {
  return id.length > 0 && id.length <= maxIdLength && Buffer.byteLength(sortableId(id)) <= maxIdBytes;
}
