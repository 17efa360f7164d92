import { v4 } from 'uuid';
import type { Collection as MongoCollection, Db, MongoClient } from 'mongodb';
import { MillraceError } from '../../core/millrace-error.ts';
import { collections, type Collection } from '../../ports/catalog.ts';
import { fromMongodb, isDuplicateKey } from './errors.ts';

/** Layout of the collections below. */
export const catalogVersion = 1;

/**
 * A document of the catalog, or what is left of it. `_id` is that of `sortable-id.ts`. A revision is used once; a negative
 * one is a place that was made for a document that is about to be written.
 */
export interface CatalogRecord {
  readonly _id: string;
  readonly revision: number;
  /** True: it is no document, but remembers that it was one, or will be. */
  readonly removed: boolean;
  /** JSON text: BSON has no arbitrary keys and its own ideas of numbers. */
  readonly value?: string;
}

/** A write that has taken its number and may be on its way. */
export interface PendingWrite {
  /** Unlike all others. */
  readonly write: string;
  /** `_id` of its record. */
  readonly id: string;
  /** The record is replaced when it has this revision, else nothing happens. */
  readonly expected: number;
}

/** One a collection. */
export interface CatalogCounter {
  readonly _id: Collection;
  /** Made with the counter, so that a token of another catalog is recognised. */
  readonly epoch: string;
  /** The last number that was taken. */
  readonly last: number;
  /** Removals up to this revision were forgotten. */
  readonly floor: number;
  /** About how many removed records there are. */
  readonly removals: number;
  readonly pending: readonly PendingWrite[];
}

interface Layout {
  readonly _id: 'layout';
  readonly version: number;
}

/** The collections of one catalog. */
export interface CatalogDatabase {
  readonly counters: MongoCollection<CatalogCounter>;
  readonly records: (collection: Collection) => MongoCollection<CatalogRecord>;
  /** For the server: an operation is given up after so long. */
  readonly maxTimeMS: number;
}

export interface CatalogPlace {
  readonly client: MongoClient;
  readonly database: string;
  readonly operationTimeoutMs: number;
}

export function catalogDatabase({ client, database, operationTimeoutMs }: CatalogPlace): CatalogDatabase {
  const db = client.db(database);
  return {
    counters: db.collection<CatalogCounter>('catalog.counters'),
    records: (collection) => db.collection<CatalogRecord>(`catalog.${collection}`),
    maxTimeMS: operationTimeoutMs,
  };
}

/** Makes what is missing; several processes may do so at once. `data.newerFormat`. */
export async function prepareCatalogDatabase(place: CatalogPlace): Promise<void> {
  try {
    const db = place.client.db(place.database);
    const version = await catalogLayout(db, place.operationTimeoutMs);
    if (version !== undefined && version > catalogVersion) throw newerFormat(place.database, version);
    const { counters, records } = catalogDatabase(place);
    for (const collection of collections) {
      await records(collection).createIndex({ revision: 1 });
      await records(collection).createIndex({ removed: 1, revision: 1 });
      const fresh = { epoch: v4(), last: 0, floor: 0, removals: 0, pending: [] };
      await ifMissing(counters.updateOne({ _id: collection }, { $setOnInsert: fresh }, { upsert: true }));
    }
    const layouts = db.collection<Layout>('catalog.layout');
    await ifMissing(
      layouts.updateOne({ _id: 'layout' }, { $setOnInsert: { version: catalogVersion } }, { upsert: true }),
    );
  } catch (thrown) {
    throw fromMongodb(thrown);
  }
}

/** Looks for a catalog and changes nothing. `data.newerFormat`; `config.invalid` when there is none. */
export async function findCatalogDatabase({ client, database, operationTimeoutMs }: CatalogPlace): Promise<void> {
  const version = await catalogLayout(client.db(database), operationTimeoutMs).catch((thrown: unknown) => {
    throw fromMongodb(thrown);
  });
  if (version === undefined)
    throw new MillraceError(
      'config.invalid',
      `there is no catalog in database "${database}": no process has made it yet`,
    );
  if (version > catalogVersion) throw newerFormat(database, version);
}

/** Undefined when the database holds no catalog. */
export async function catalogLayout(db: Db, maxTimeMS: number): Promise<number | undefined> {
  const found = await db.collection<Layout>('catalog.layout').findOne({ _id: 'layout' }, { maxTimeMS });
  return found?.version;
}

export function newerFormat(database: string, version: number): MillraceError {
  const message = `the catalog in database "${database}" has layout ${version}, this version of the product knows ${catalogVersion}`;
  return new MillraceError('data.newerFormat', message, { details: { database } });
}

/** Two upserts at once may both try to insert; the slower one then finds what it wanted. */
async function ifMissing(upsert: Promise<unknown>): Promise<void> {
  await upsert.catch((thrown: unknown) => {
    if (!isDuplicateKey(thrown)) throw thrown;
  });
}
