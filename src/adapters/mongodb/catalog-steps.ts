import { randomInt } from 'node:crypto';
import type { UpdateFilter } from 'mongodb';
import { v4 } from 'uuid';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Collection } from '../../ports/catalog.ts';
import type { CatalogCounter, CatalogDatabase, CatalogRecord, PendingWrite } from './catalog-database.ts';
import { isDuplicateKey } from './errors.ts';

/**
 * The steps of a write, each one operation on one document of MongoDB; there are no transactions. A process may be killed
 * or stopped between any two and may go on with the rest at any time later.
 *
 * 1. `takeNumbers`: in the collection's counter, at once, the number grows and the write is entered as pending.
 * 2. `replaceRecord`: the record gets that number as its revision, if it still has the expected one. This is the
 *    compare-and-set of the port, and the moment at which the write happens.
 * 3. `settle`: the entry is taken out, once it is known that step 2 will not happen any more.
 *
 * So at any moment a number that was taken is of a write that is either done (or never happens), or pending; a reader
 * that has read the counter, then the records, has everything but what the pending entries name, and looks at those
 * again the next time (`catalog-changes.ts`). What was killed leaves an entry that costs these looks, no more, until
 * `fence` has made sure that its step 2 finds another revision, however late it comes (`catalog-cleaning.ts`).
 *
 * Why a late step 2 does no harm: it needs the record to have exactly the revision that was seen before. A revision is a
 * number of the counter, or a random negative one, and is given to one record once. A document that is not there has no
 * revision to compare, and a late insert would bring back what was made and removed meanwhile; so a place with a
 * negative revision is inserted first (`makePlace`), which is nobody's document, and step 2 replaces that place.
 *
 * Revisions of one record only grow: the number is taken after the record's revision was read, and given to it only if
 * it still has that one.
 */
export interface Taken {
  readonly collection: Collection;
  readonly pending: PendingWrite;
  readonly number: number;
}

/** A write that wants a number. */
export interface Wanting {
  /** `_id` of its record. */
  readonly id: string;
  /** Revision that the record was seen to have. */
  readonly expected: number;
}

/** Step 1, for several writes of a collection together; the answers are in the order of the writes. */
export async function takeNumbers(
  { counters, maxTimeMS }: CatalogDatabase,
  collection: Collection,
  writes: readonly Wanting[],
): Promise<readonly Taken[]> {
  const pending = writes.map(({ id, expected }) => ({ write: v4(), id, expected }));
  const counter = await counters.findOneAndUpdate(
    { _id: collection },
    { $inc: { last: pending.length }, $push: { pending: { $each: pending } } },
    { returnDocument: 'after', projection: { last: 1 }, maxTimeMS },
  );
  if (counter === null) throw missingCounter(collection);
  const before = counter.last - pending.length;
  return pending.map((each, at) => ({ collection, pending: each, number: before + at + 1 }));
}

/** Step 1 of one write. */
export async function takeNumber(
  database: CatalogDatabase,
  { collection, id, expected }: { readonly collection: Collection } & Wanting,
): Promise<Taken> {
  const [taken] = await takeNumbers(database, collection, [{ id, expected }]);
  if (taken === undefined) throw missingCounter(collection);
  return taken;
}

/** What step 2 makes of the record: a document of none, another document, none, or the same with another revision. */
export type Replacement =
  | { readonly kind: 'create'; readonly value: string }
  | { readonly kind: 'update'; readonly value: string }
  | { readonly kind: 'remove' }
  | { readonly kind: 'touch' };

/** Step 2. True: done. False: the record has another revision, and nothing changed. */
export async function replaceRecord(
  { records, maxTimeMS }: CatalogDatabase,
  { collection, pending, number }: Taken,
  replacement: Replacement,
): Promise<boolean> {
  const record = await records(collection).findOneAndUpdate(
    { _id: pending.id, revision: pending.expected, ...conditionOf(replacement) },
    updateOf(replacement, number),
    { projection: { _id: 1 }, maxTimeMS },
  );
  return record !== null;
}

/** The revision of a removal is nothing that a caller may expect. */
function conditionOf({ kind }: Replacement): { readonly removed?: boolean } {
  return kind === 'touch' ? {} : { removed: kind === 'create' };
}

function updateOf(replacement: Replacement, revision: number): UpdateFilter<CatalogRecord> {
  switch (replacement.kind) {
    case 'create':
    case 'update':
      return { $set: { revision, removed: false, value: replacement.value } };
    case 'remove':
      return { $set: { revision, removed: true }, $unset: { value: '' } };
    case 'touch':
      return { $set: { revision } };
    default:
      return replacement satisfies never;
  }
}

/** Step 3, for any number of writes of a collection. Answers about how many removed records there are now. */
export async function settle(
  { counters, maxTimeMS }: CatalogDatabase,
  at: { readonly collection: Collection; readonly writes: readonly string[]; readonly removals: number },
): Promise<number> {
  const counter = await counters.findOneAndUpdate(
    { _id: at.collection },
    { $pull: { pending: { write: { $in: [...at.writes] } } }, $inc: { removals: at.removals } },
    { returnDocument: 'after', projection: { removals: 1 }, maxTimeMS },
  );
  return counter?.removals ?? 0;
}

/** A place for a document that has no record. False: there is one now. */
export async function makePlace(
  { records, maxTimeMS }: CatalogDatabase,
  { collection, id }: { readonly collection: Collection; readonly id: string },
): Promise<boolean> {
  try {
    await records(collection).insertOne({ _id: id, revision: -randomInt(1, 2 ** 47), removed: true }, { maxTimeMS });
    return true;
  } catch (thrown) {
    if (isDuplicateKey(thrown)) return false;
    throw thrown;
  }
}

/** A record as it is now: linearizable. Undefined when there is none. */
export async function readRecord(
  { records, maxTimeMS }: CatalogDatabase,
  { collection, id }: { readonly collection: Collection; readonly id: string },
): Promise<CatalogRecord | undefined> {
  const record = await records(collection).findOne({ _id: id }, { readConcern: { level: 'linearizable' }, maxTimeMS });
  return record ?? undefined;
}

/** A counter as it is now: linearizable. `catalog.unavailable` when it is missing. */
export async function readCounter(
  { counters, maxTimeMS }: CatalogDatabase,
  collection: Collection,
): Promise<CatalogCounter> {
  const options = { readConcern: { level: 'linearizable' as const }, maxTimeMS };
  const counter = await counters.findOne({ _id: collection }, options);
  if (counter === null) throw missingCounter(collection);
  return counter;
}

function missingCounter(collection: Collection): MillraceError {
  return new MillraceError(
    'catalog.unavailable',
    `the counter of collection "${collection}" is missing; was the database dropped?`,
  );
}
