import type { Collection } from '../../ports/catalog.ts';
import type { CatalogCounter, CatalogDatabase, PendingWrite } from './catalog-database.ts';
import { readCounter, readRecord, replaceRecord, settle, takeNumber } from './catalog-steps.ts';

/**
 * Makes sure that a pending write has happened or never will, then takes its entry out. This is right at any time, even
 * for a write that is only slow: such a write then finds another revision and is a conflict.
 */
export async function fence(
  database: CatalogDatabase,
  { collection, pending }: { readonly collection: Collection; readonly pending: PendingWrite },
): Promise<void> {
  const { id, expected, write } = pending;
  const record = await readRecord(database, { collection, id });
  // With another revision, or without a record, the write finds nothing to replace: no record ever has that one again.
  if (record?.revision === expected) {
    if (expected < 0) await removePlace(database, { collection, pending });
    else await touch(database, { collection, pending });
  }
  await settle(database, { collection, writes: [write], removals: 0 });
}

async function removePlace(
  { records, maxTimeMS }: CatalogDatabase,
  { collection, pending }: { readonly collection: Collection; readonly pending: PendingWrite },
): Promise<void> {
  await records(collection).deleteOne({ _id: pending.id, revision: pending.expected, removed: true }, { maxTimeMS });
}

/** Gives the record another revision, as a write does. */
async function touch(
  database: CatalogDatabase,
  { collection, pending }: { readonly collection: Collection; readonly pending: PendingWrite },
): Promise<void> {
  const taken = await takeNumber(database, { collection, id: pending.id, expected: pending.expected });
  await replaceRecord(database, taken, { kind: 'touch' });
  await settle(database, { collection, writes: [taken.pending.write], removals: 0 });
}

/**
 * Forgets the oldest removals but `kept`. The floor goes up first, so that a reader whose token lies below it, and who may
 * miss one of them, is given the whole collection. Removals that others make meanwhile stay counted; a count that was wrong is put right.
 */
export async function forgetRemovals(
  database: CatalogDatabase,
  { collection, kept }: { readonly collection: Collection; readonly kept: number },
): Promise<void> {
  const { counters, records, maxTimeMS } = database;
  const counted = (await readCounter(database, collection)).removals;
  const removed = await records(collection).countDocuments({ removed: true }, { maxTimeMS });
  const [highest] = await records(collection)
    .find({ removed: true }, { maxTimeMS })
    .sort({ revision: -1 })
    .skip(kept)
    .limit(1)
    .toArray();
  let forgotten = 0;
  if (highest !== undefined) {
    await counters.updateOne({ _id: collection }, { $max: { floor: Math.max(highest.revision, 0) } }, { maxTimeMS });
    const filter = { removed: true, revision: { $lte: highest.revision } };
    ({ deletedCount: forgotten } = await records(collection).deleteMany(filter, { maxTimeMS }));
  }
  const left = removed - forgotten;
  await counters.updateOne({ _id: collection }, { $inc: { removals: left - counted } }, { maxTimeMS });
}

/** Notices which writes have been pending for too long, by the clock of this process: a guess that may be wrong. */
export class AbandonedWrites {
  readonly #afterMs: number;
  readonly #seen = new Map<string, number>();

  constructor(afterMs: number) {
    this.#afterMs = afterMs;
  }

  /** The counters' entries that were already there `afterMs` ago; `nowMs` is a monotonic clock. */
  among(
    counters: readonly CatalogCounter[],
    nowMs: number,
  ): readonly { readonly collection: Collection; readonly pending: PendingWrite }[] {
    const entries = counters.flatMap(({ _id: collection, pending }) =>
      pending.map((each) => ({ collection, pending: each })),
    );
    const present = new Set(entries.map(({ pending }) => pending.write));
    for (const write of this.#seen.keys()) if (!present.has(write)) this.#seen.delete(write);
    return entries.filter(({ pending: { write } }) => {
      const since = this.#seen.get(write) ?? nowMs;
      this.#seen.set(write, since);
      return nowMs - since >= this.#afterMs;
    });
  }
}
