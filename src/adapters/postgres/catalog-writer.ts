import { escapeIdentifier } from 'pg';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Collection } from '../../ports/catalog.ts';
import type { CatalogChange } from '../catalog-change.ts';
import { sortableId } from '../sortable-id.ts';
import type { PostgresClient } from './client.ts';

interface Waiting {
  readonly change: CatalogChange;
  readonly resolve: (revision: number | undefined) => void;
  readonly reject: (error: unknown) => void;
}

export interface CatalogWriterOptions {
  readonly client: PostgresClient;
  readonly schema: string;
  readonly keptRemovals: number;
  /** Called after a commit that changed the collection. */
  readonly onCommit: (collection: Collection) => void;
}

/** A transaction takes at most about so much JSON text (characters) and so many changes, and at least one change. */
const maxTogetherLength = 8 * 1024 * 1024;
const maxTogether = 500;
/** Above this much waiting JSON text, or this many changes, further ones are refused (D8). */
const maxWaitingLength = 64 * 1024 * 1024;
const maxWaitingChanges = 10_000;

/**
 * Group commit of conditional writes: the writes of a collection wait for each other in the database anyway, so those
 * that gather here while one transaction is under way share the next one, with one lock and one sync.
 */
export class CatalogWriter {
  readonly #options: CatalogWriterOptions;
  readonly #statement: string;
  readonly #queues = new Map<Collection, Waiting[]>();
  readonly #running = new Map<Collection, Promise<void>>();
  #waitingLength = 0;
  #waitingChanges = 0;

  constructor(options: CatalogWriterOptions) {
    this.#options = options;
    this.#statement = `SELECT ${escapeIdentifier(options.schema)}.write($1, $2, $3, $4, $5) AS revisions`;
  }

  /** The document's revision after the change, durable; undefined when it had another one than expected. */
  write(change: CatalogChange): Promise<number | undefined> {
    const length = change.json?.length ?? 0;
    if (this.#waitingChanges >= maxWaitingChanges || this.#waitingLength + length > maxWaitingLength) {
      const message = `${this.#waitingChanges} writes of ${this.#waitingLength} characters wait for PostgreSQL already`;
      return Promise.reject(new MillraceError('catalog.unavailable', message));
    }
    this.#waitingLength += length;
    this.#waitingChanges += 1;
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
    const { collection } = change;
    const queue = this.#queues.get(collection) ?? [];
    this.#queues.set(collection, queue);
    queue.push({ change, resolve, reject });
    if (!this.#running.has(collection)) this.#running.set(collection, this.#run(collection, queue));
    return promise;
  }

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    await Promise.all(this.#running.values());
  }

  async #run(collection: Collection, queue: Waiting[]): Promise<void> {
    // Writes of the same turn share the first transaction.
    await Promise.resolve();
    while (queue.length > 0) {
      const together = takeTogether(queue);
      await this.#commit(collection, together);
      for (const { change } of together) this.#waitingLength -= change.json?.length ?? 0;
      this.#waitingChanges -= together.length;
    }
    this.#running.delete(collection);
  }

  /** Settles every one of them. */
  async #commit(collection: Collection, together: readonly Waiting[]): Promise<void> {
    const { client, keptRemovals, onCommit } = this.#options;
    const changes = together.map(({ change }) => change);
    const values = [
      collection,
      changes.map(({ id }) => sortableId(id)),
      changes.map(({ expected }) => expected ?? null),
      changes.map(({ json }) => json ?? null),
      keptRemovals,
    ];
    try {
      const statement = { text: this.#statement, name: 'millrace-catalog-write', values };
      // Nobody aborts it: it may hold the writes of several callers.
      const options = { signal: new AbortController().signal };
      const { rows } = await client.query<{ revisions: readonly (string | null)[] }>(statement, options);
      const revisions = rows[0]?.revisions ?? [];
      for (const [at, { resolve }] of together.entries()) {
        const revision = revisions[at];
        resolve(revision === undefined || revision === null ? undefined : Number(revision));
      }
      if (revisions.some((revision) => revision !== null)) onCommit(collection);
    } catch (thrown) {
      for (const { reject } of together) reject(thrown);
    }
  }
}

function takeTogether(queue: Waiting[]): readonly Waiting[] {
  let length = 0;
  let count = 0;
  for (const { change } of queue) {
    length += change.json?.length ?? 0;
    if (count > 0 && (length > maxTogetherLength || count >= maxTogether)) break;
    count += 1;
  }
  return queue.splice(0, count);
}
