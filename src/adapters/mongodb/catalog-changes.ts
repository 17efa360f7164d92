import type { Changes, Collection, Versioned } from '../../ports/catalog.ts';
import { idOfSortable } from '../sortable-id.ts';
import type { CatalogCounter, CatalogDatabase, CatalogRecord } from './catalog-database.ts';
import { documentOf, type CatalogReader } from './catalog-reader.ts';
import { readCounter } from './catalog-steps.ts';
import { formatToken, parseToken, type CatalogToken } from './catalog-token.ts';
import { pageLength } from './config.ts';

/** Changes, and the state of the collection that a poll would see. */
export interface ChangesAt {
  readonly changes: Changes;
  readonly state: string;
}

/**
 * What changed since a token. The counter is read first, then the records: those with a number above the token's, and
 * those that pending writes name, in the token or now. A write that is not in this answer either has a number above
 * the counter's, or was pending when the counter was read, and the token names its record: it is in the next answer.
 */
export class CatalogChanges {
  readonly #database: CatalogDatabase;
  readonly #reader: CatalogReader;

  constructor(database: CatalogDatabase, reader: CatalogReader) {
    this.#database = database;
    this.#reader = reader;
  }

  async since(collection: Collection, token: string | undefined): Promise<ChangesAt> {
    const counter = await readCounter(this.#database, collection);
    const from = parseToken(token);
    if (from === undefined || from.epoch !== counter.epoch || from.last < counter.floor || from.last > counter.last)
      return this.#everything(collection, counter);
    const ids = new Set([...from.unsettled.keys(), ...counter.pending.map(({ id }) => id)]);
    if (from.last === counter.last && ids.size === 0)
      return answer(counter, { written: [], removed: [], complete: false, revisions: new Map() });
    const records = await this.#changedRecords(collection, { from, ids: [...ids] });
    // What was removed meanwhile and forgotten already is not among them.
    const { floor } = await readCounter(this.#database, collection);
    if (from.last < floor) return this.since(collection, undefined);
    return answer(counter, { ...reportOf(collection, { from, records, ids }), complete: false });
  }

  async #everything(collection: Collection, counter: CatalogCounter): Promise<ChangesAt> {
    const written: Versioned[] = [];
    const revisions = new Map<string, number>();
    for (let last = ''; ;) {
      const filter = { removed: false, _id: { $gt: last } };
      const page = await this.#reader.page(collection, { filter, by: '_id', length: pageLength });
      for (const record of page.records) {
        written.push(documentOf(collection, record));
        revisions.set(record._id, record.revision);
      }
      if (page.isLast) return answer(counter, { written, removed: [], complete: true, revisions });
      last = page.records.at(-1)?._id ?? last;
    }
  }

  /** By `_id`. A record that changes while this reads comes with its old or its new revision; the latter is above the counter's. */
  async #changedRecords(
    collection: Collection,
    { from, ids }: { readonly from: CatalogToken; readonly ids: readonly string[] },
  ): Promise<ReadonlyMap<string, CatalogRecord>> {
    const found = new Map<string, CatalogRecord>();
    for (let at = 0; at < ids.length; at += pageLength) {
      const some = ids.slice(at, at + pageLength);
      for (let rest = some, isLast = false; rest.length > 0 && !isLast;) {
        const page = await this.#reader.page(collection, {
          filter: { _id: { $in: rest } },
          by: '_id',
          length: pageLength,
        });
        for (const record of page.records) found.set(record._id, record);
        isLast = page.isLast;
        rest = rest.filter((id) => !found.has(id));
      }
    }
    for (let last = from.last; ;) {
      const filter = { revision: { $gt: last } };
      const page = await this.#reader.page(collection, { filter, by: 'revision', length: pageLength });
      for (const record of page.records) found.set(record._id, record);
      if (page.isLast) return found;
      last = page.records.at(-1)?.revision ?? last;
    }
  }
}

interface Report {
  readonly written: readonly Versioned[];
  readonly removed: readonly string[];
  readonly complete: boolean;
  /** By `_id`, of the documents that were read: their revision. */
  readonly revisions: ReadonlyMap<string, number>;
}

function answer(counter: CatalogCounter, { revisions, ...report }: Report): ChangesAt {
  const { epoch, last } = counter;
  const unsettled = new Map(counter.pending.map(({ id }) => [id, revisions.get(id) ?? 0]));
  return { changes: { ...report, token: formatToken({ epoch, last, unsettled }) }, state: stateOf(counter) };
}

/** What a poll compares. While a write is pending there is always something to look at. */
export function stateOf({ epoch, last, pending }: CatalogCounter): string {
  return pending.length === 0 ? `${epoch}.${last}` : 'pending';
}

/** What a reader with this token has not been told. */
function reportOf(
  collection: Collection,
  seen: {
    readonly from: CatalogToken;
    readonly records: ReadonlyMap<string, CatalogRecord>;
    readonly ids: ReadonlySet<string>;
  },
): Omit<Report, 'complete'> {
  const { from, records, ids } = seen;
  const written: Versioned[] = [];
  const removed: string[] = [];
  const revisions = new Map<string, number>();
  for (const id of new Set([...ids, ...records.keys()])) {
    const record = records.get(id);
    const revision = record === undefined || record.removed ? 0 : record.revision;
    revisions.set(id, revision);
    const told = from.unsettled.get(id);
    const isNews = told === undefined ? (record?.revision ?? 0) > from.last : told !== revision;
    if (!isNews) continue;
    if (record !== undefined && revision > 0) written.push(documentOf(collection, record));
    else removed.push(idOfSortable(id));
  }
  return { written, removed, revisions };
}
