import { escapeIdentifier } from 'pg';
import { MillraceError } from '../../core/millrace-error.ts';
import { parseJsonText } from '../../core/parse-json-text.ts';
import { collections, type CatalogQuery, type Changes, type Collection, type Versioned } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { CollectionStates } from '../collection-poll.ts';
import { idOfSortable, sortableId, sortableRange } from '../sortable-id.ts';
import type { PostgresClient, Statement } from './client.ts';

interface DocumentRow {
  readonly id: string;
  readonly revision: string;
  readonly value: string;
}

interface ChangeRow {
  readonly epoch: string;
  readonly last: string;
  readonly complete: boolean;
  /** Null in the only row of a collection without changes. */
  readonly id: string | null;
  readonly revision: string | null;
  /** Null for a removal. */
  readonly value: string | null;
}

/** Changes, and the state of the collection that a poll would see. */
export interface ChangesAt {
  readonly changes: Changes;
  readonly state: string;
}

/** The reads of the catalog. Each is one statement, one snapshot of the primary that holds every commit before the call. */
export class CatalogReader {
  readonly #client: PostgresClient;
  readonly #schema: string;

  constructor(client: PostgresClient, schema: string) {
    this.#client = client;
    this.#schema = escapeIdentifier(schema);
  }

  async get(collection: Collection, id: string, options: Waiting): Promise<Versioned | undefined> {
    const text = `SELECT id, revision, value FROM ${this.#schema}.document WHERE collection = $1 AND id = $2`;
    const statement = { name: 'millrace-catalog-get', text, values: [collection, sortableId(id)] };
    const { rows } = await this.#client.query<DocumentRow>(statement, options);
    return rows[0] && documentOf(collection, rows[0]);
  }

  async list({ collection, prefix, after, limit }: CatalogQuery, options: Waiting): Promise<readonly Versioned[]> {
    const { start, end } = sortableRange(prefix);
    const { rows } = await this.#client.query<DocumentRow>(
      {
        name: 'millrace-catalog-list',
        text: `SELECT id, revision, value FROM ${this.#schema}.document
          WHERE collection = $1 AND id >= $2 AND id < $3 AND id > $4 ORDER BY id LIMIT $5`,
        values: [collection, start, end, sortableId(after ?? ''), Math.max(limit ?? Number.MAX_SAFE_INTEGER, 0)],
      },
      options,
    );
    return rows.map((row) => documentOf(collection, row));
  }

  async count(collection: Collection, prefix: string, options: Waiting): Promise<number> {
    const { start, end } = sortableRange(prefix);
    const text = `SELECT count(*) AS count FROM ${this.#schema}.document WHERE collection = $1 AND id >= $2 AND id < $3`;
    const statement = { name: 'millrace-catalog-count', text, values: [collection, start, end] };
    const { rows } = await this.#client.query<{ count: string }>(statement, options);
    return Number(rows[0]?.count ?? 0);
  }

  /** Counter, documents and removals of one moment. */
  async changesSince(collection: Collection, token: string | undefined, options: Waiting): Promise<ChangesAt> {
    const { epoch, revision } = partsOf(token);
    const statement = this.#changesStatement([collection, epoch, revision]);
    const { rows } = await this.#client.query<ChangeRow>(statement, options);
    const [first] = rows;
    if (first === undefined)
      throw new MillraceError('catalog.unavailable', `the counter of "${collection}" is missing`);
    const written: Versioned[] = [];
    const removed = new Set<string>();
    for (const { id, revision, value } of rows) {
      if (id === null || revision === null) continue;
      if (value === null) removed.add(idOfSortable(id));
      else written.push(documentOf(collection, { id, revision, value }));
    }
    for (const { id } of written) removed.delete(id);
    const next = `${first.epoch}.${first.last}`;
    return { changes: { token: next, written, removed: [...removed], complete: first.complete }, state: next };
  }

  /** By collection what `changesSince` calls its state. */
  async states(options: Waiting): Promise<CollectionStates> {
    const text = `SELECT collection, epoch || '.' || revision AS state
      FROM ${this.#schema}.layout, ${this.#schema}.counter`;
    const { rows } = await this.#client.query<{ collection: string; state: string }>(
      { name: 'millrace-catalog-states', text },
      options,
    );
    const states = new Map(rows.map(({ collection, state }) => [collection, state]));
    return new Map(collections.map((collection) => [collection, states.get(collection) ?? '']));
  }

  #changesStatement(values: readonly unknown[]): Statement {
    const text = `
      SELECT counted.epoch, counted.last, counted.complete, changed.id, changed.revision, changed.value
      FROM (
        SELECT l.epoch, c.revision AS last,
          l.epoch::text <> $2::text OR $3::bigint < c.floor OR $3::bigint > c.revision AS complete,
          CASE WHEN l.epoch::text <> $2::text OR $3::bigint < c.floor OR $3::bigint > c.revision THEN 0 ELSE $3::bigint END AS since
        FROM ${this.#schema}.layout l, ${this.#schema}.counter c WHERE c.collection = $1
      ) counted LEFT JOIN LATERAL (
        SELECT d.id, d.revision, d.value FROM ${this.#schema}.document d
          WHERE d.collection = $1 AND d.revision > counted.since
        UNION ALL
        SELECT r.id, r.revision, NULL FROM ${this.#schema}.removal r
          WHERE NOT counted.complete AND r.collection = $1 AND r.revision > counted.since
      ) changed ON true`;
    return { name: 'millrace-catalog-changes', text, values };
  }
}

/** Of no token, and of a text that is none, what fits no catalog. */
function partsOf(token: string | undefined): { readonly epoch: string; readonly revision: string } {
  const [, epoch = '', revision = '0'] = /^([0-9a-f-]{36})\.([0-9]{1,15})$/.exec(token ?? '') ?? [];
  return { epoch, revision };
}

function documentOf(collection: Collection, row: DocumentRow): Versioned {
  const id = idOfSortable(row.id);
  try {
    return { id, revision: Number(row.revision), value: parseJsonText(row.value) };
  } catch (cause) {
    const message = `the document "${id}" of collection "${collection}" is not JSON`;
    throw new MillraceError('catalog.invalidDocument', message, { cause, details: { collection, id } });
  }
}
