import type { ClientBase } from 'pg';
import { tableNotFound } from '../../core/table-fault.ts';
import type { TableId } from '../../core/table-id.ts';
import { orderColumn, storedColumn, tableOf } from './table-names.ts';

export const registry = 'millrace_tables.tables';

/** `rows` counts what imports have loaded. A table that is not `shown` was made for its first rows, which did not come yet. */
export const registryDefinition = `CREATE TABLE ${registry} (
  id text PRIMARY KEY,
  schema_name text NOT NULL,
  table_name text NOT NULL,
  columns text[] NOT NULL,
  rows bigint NOT NULL DEFAULT 0,
  shown boolean NOT NULL DEFAULT true,
  primary_key text[] NOT NULL DEFAULT '{}',
  UNIQUE (schema_name, table_name)
)`;

/** Keys came later: a registry of an earlier version of the product gets them. Processes of that version go on beside this one. */
export async function addRegistryKeys(client: ClientBase): Promise<void> {
  const found = await client.query(
    `SELECT 1 FROM pg_catalog.pg_attribute WHERE attrelid = '${registry}'::regclass AND attname = 'primary_key' AND NOT attisdropped`,
  );
  if (found.rowCount === 1) return;
  await client.query(`ALTER TABLE ${registry} ADD COLUMN primary_key text[] NOT NULL DEFAULT '{}'`);
}

export interface StoredColumn {
  /** As the mapping calls it. */
  readonly name: string;
  /** What somebody has made of it: its type when that is not text, that it may be NULL. */
  readonly fault: string | undefined;
}

/** A table as it stands in the database, and what the registry knows of it. */
export interface StoredTable {
  readonly tableId: TableId;
  /** What the database calls it, unlike any other table. */
  readonly oid: string;
  /** In order, without the one that numbers the rows. */
  readonly columns: readonly StoredColumn[];
  /** None when somebody has taken a column of it away. */
  readonly primaryKey: readonly string[];
  /** False when somebody has taken the column away that numbers the rows. */
  readonly hasOrder: boolean;
  readonly rows: number;
  readonly isShown: boolean;
}

interface FoundTable {
  readonly id: string;
  readonly oid: string;
  readonly columns: readonly string[];
  readonly rows: string;
  readonly shown: boolean;
  readonly primary_key: readonly string[];
  readonly found: readonly (readonly [name: string, type: string, notNull: boolean])[];
}

/** Tables of the registry that are there, sorted by id, also those not shown; only `tableId` when given. */
export async function storedTables(client: ClientBase, tableId?: TableId): Promise<readonly StoredTable[]> {
  const found = await client.query<FoundTable>(
    `SELECT t.id, c.oid::text AS oid, t.columns, t.rows, t.shown, t.primary_key, coalesce(a.found, '[]') AS found
      FROM ${registry} t
      JOIN pg_catalog.pg_namespace n ON n.nspname = t.schema_name
      JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = t.table_name AND c.relkind = 'r'
      LEFT JOIN LATERAL (
        SELECT json_agg(json_build_array(attname, format_type(atttypid, atttypmod), attnotnull) ORDER BY attnum) AS found
        FROM pg_catalog.pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped
      ) a ON true
      WHERE $1::text IS NULL OR t.id = $1
      ORDER BY t.id COLLATE "C"`,
    [tableId ?? null],
  );
  return found.rows.map(storedTable);
}

/** `table.notFound` when it does not exist. */
export async function storedTableOf(client: ClientBase, tableId: TableId): Promise<StoredTable> {
  const [table] = await storedTables(client, tableId);
  if (table?.isShown !== true) throw tableNotFound(tableId);
  return table;
}

/** Rows of the table: the counter; a count where that is 0, for somebody else may have put rows into an empty table. */
export async function exactRows(client: ClientBase, table: StoredTable): Promise<number> {
  if (table.rows > 0) return table.rows;
  const found = await client.query<{ count: string }>(`SELECT count(*) FROM ${tableOf(table.tableId)}`);
  return Number(found.rows[0]?.count ?? 0);
}

/**
 * Adds loaded rows, and below 0 those that were deleted, to the counters of the registry, in the order of the ids, so that two imports
 * never wait for each other.
 * Last but the commit: until that, other imports into these tables wait here.
 */
export async function countRows(client: ClientBase, loaded: ReadonlyMap<TableId, number>): Promise<void> {
  for (const [tableId, rows] of [...loaded].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (rows === 0) continue;
    await client.query(`UPDATE ${registry} SET rows = greatest(0, rows + $2), shown = true WHERE id = $1`, [
      tableId,
      rows,
    ]);
  }
}

/** Counts what a load has made of the rows of a table, and shows it; as `countRows`. */
export async function addRows(
  client: ClientBase,
  { tableId, rows, isReplaced }: { readonly tableId: TableId; readonly rows: number; readonly isReplaced: boolean },
): Promise<void> {
  await client.query(
    `UPDATE ${registry} SET rows = CASE WHEN $3::boolean THEN $2::bigint ELSE greatest(0, rows + $2::bigint) END, shown = true
      WHERE id = $1 AND ($2::bigint <> 0 OR $3::boolean)`,
    [tableId, rows, isReplaced],
  );
}

function storedTable({ id, oid, columns: known, rows, shown, primary_key: key, found }: FoundTable): StoredTable {
  const names = new Map(known.map((column) => [storedColumn(column), column]));
  const columns = found
    .filter(([stored]) => stored !== orderColumn)
    .map(([stored, type, notNull]) => ({ name: names.get(stored) ?? stored, fault: faultOf(type, notNull) }));
  return {
    tableId: id as TableId,
    oid,
    columns,
    primaryKey: key.every((column) => columns.some(({ name }) => name === column)) ? key : [],
    hasOrder: found.some(([stored]) => stored === orderColumn),
    rows: Number(rows),
    isShown: shown,
  };
}

function faultOf(type: string, notNull: boolean): string | undefined {
  if (type !== 'text') return type;
  return notNull ? undefined : 'may be NULL';
}
