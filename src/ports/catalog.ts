import type { Waiting } from './waiting.ts';

/** A document as it was read. `revision` grows with every write of any document of the collection. */
export interface Versioned {
  readonly id: string;
  readonly revision: number;
  /** What JSON gives back; a parser of `documents/` makes it a type. */
  readonly value: unknown;
}

export type CasResult = { readonly kind: 'written'; readonly revision: number } | { readonly kind: 'conflict' };

/** What changed in a collection since a token. */
export interface Changes {
  /** Give it to the next call. */
  readonly token: string;
  readonly written: readonly Versioned[];
  readonly removed: readonly string[];
  /** True when `written` is the whole collection and everything else in a replica must go (first call, or an old token). */
  readonly complete: boolean;
}

export const collections = [
  'meta',
  'branch',
  'source',
  'source-version',
  'sink',
  'sink-version',
  'mapping',
  'progress',
  'sink-status',
  'import-history',
  'earlier-incarnation',
  'task',
  'token',
  'audit',
  'configuration',
  'configuration-version',
  'vault',
  'job',
  'job-event',
  'job-progress',
  'schedule',
  'file',
  'bucket',
  'storage-job',
  'sample',
] as const;
export type Collection = (typeof collections)[number];

/**
 * JSON documents by collection and id. Reads and writes of one document are linearizable; there are no transactions
 * over documents. `catalog.unavailable` after a write means: it may have happened, read again.
 */
export interface Catalog extends AsyncDisposable {
  get(collection: Collection, id: string, options: Waiting): Promise<Versioned | undefined>;
  /** Writes when the document's revision is `expected` (undefined: when there is none); durable when it answers. */
  compareAndSet(write: CatalogWrite, options: Waiting): Promise<CasResult>;
  /** Removes when the revision is `expected`. True: it was removed by this call. */
  remove(collection: Collection, id: string, expected: number, options: Waiting): Promise<boolean>;
  /** Documents whose id begins with `prefix`, ascending by id in code unit order, after `after` (exclusive), at most `limit`. */
  list(query: CatalogQuery, options: Waiting): Promise<readonly Versioned[]>;
  count(collection: Collection, prefix: string, options: Waiting): Promise<number>;
  /**
   * What changed since `token` (undefined: everything); waits up to `maxWaitMs` while nothing did. A change that was
   * durable before the call is in this answer; one document may come again. Cheap when nothing changed.
   */
  changes(
    query: { readonly collection: Collection; readonly token: string | undefined; readonly maxWaitMs: number },
    options: Waiting,
  ): Promise<Changes>;
}

export interface CatalogWrite {
  readonly collection: Collection;
  readonly id: string;
  readonly expected: number | undefined;
  /** Anything that survives JSON unchanged. */
  readonly value: object;
}

export interface CatalogQuery {
  readonly collection: Collection;
  readonly prefix: string;
  readonly after?: string;
  readonly limit?: number;
}
