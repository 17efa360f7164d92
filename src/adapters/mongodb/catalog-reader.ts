import type { Filter } from 'mongodb';
import { MillraceError } from '../../core/millrace-error.ts';
import { parseJsonText } from '../../core/parse-json-text.ts';
import type { CatalogQuery, Collection, Versioned } from '../../ports/catalog.ts';
import { idOfSortable, sortableId, sortableRange } from '../sortable-id.ts';
import type { CatalogDatabase, CatalogRecord } from './catalog-database.ts';
import { readRecord } from './catalog-steps.ts';
import { answerBytes, pageLength } from './config.ts';

/** Bytes of a document's JSON text. */
export const maxDocumentBytes = 12 * 1024 * 1024;

/**
 * The reads of documents. The majority of the members confirms each answer (linearizable), also each page of a list: a
 * primary that was deposed and does not know it yet answers nothing.
 */
export class CatalogReader {
  readonly #database: CatalogDatabase;

  constructor(database: CatalogDatabase) {
    this.#database = database;
  }

  async get(collection: Collection, id: string): Promise<Versioned | undefined> {
    const record = await readRecord(this.#database, { collection, id: sortableId(id) });
    return record === undefined || record.removed ? undefined : documentOf(collection, record);
  }

  async list({ collection, prefix, after, limit = Infinity }: CatalogQuery): Promise<readonly Versioned[]> {
    const { start, end } = sortableRange(prefix);
    const found: Versioned[] = [];
    let last = after === undefined ? undefined : sortableId(after);
    while (found.length < limit) {
      const filter = { removed: false, _id: { $gte: start, $lt: end, ...(last === undefined ? {} : { $gt: last }) } };
      const wanted = Math.min(pageLength, limit - found.length);
      const page = await this.page(collection, { filter, by: '_id', length: wanted });
      found.push(...page.records.map((record) => documentOf(collection, record)));
      if (page.isLast) break;
      last = page.records.at(-1)?._id;
    }
    return found;
  }

  async count(collection: Collection, prefix: string): Promise<number> {
    const { start, end } = sortableRange(prefix);
    const { records, maxTimeMS } = this.#database;
    return records(collection).countDocuments({ removed: false, _id: { $gte: start, $lt: end } }, { maxTimeMS });
  }

  /** One answer of the server: a cursor's later answers would not be confirmed. */
  async page(
    collection: Collection,
    {
      filter,
      by,
      length,
    }: { readonly filter: Filter<CatalogRecord>; readonly by: '_id' | 'revision'; readonly length: number },
  ): Promise<{ readonly records: readonly CatalogRecord[]; readonly isLast: boolean }> {
    const { records, maxTimeMS } = this.#database;
    const options = { readConcern: { level: 'linearizable' as const }, maxTimeMS, singleBatch: true };
    const found = await records(collection)
      .find(filter, options)
      .sort({ [by]: 1 })
      .limit(length)
      .batchSize(length)
      .toArray();
    const bytes = found.reduce((sum, { value = '' }) => sum + 4 * value.length, 0);
    const isWhole = found.length < length && bytes + maxDocumentBytes < answerBytes;
    return { records: found, isLast: isWhole || found.length === 0 };
  }
}

export function documentOf(collection: Collection, record: CatalogRecord): Versioned {
  const id = idOfSortable(record._id);
  try {
    return { id, revision: record.revision, value: parseJsonText(record.value ?? '') };
  } catch (cause) {
    const message = `the document "${id}" of collection "${collection}" is not JSON`;
    throw new MillraceError('catalog.invalidDocument', message, { cause, details: { collection, id } });
  }
}
