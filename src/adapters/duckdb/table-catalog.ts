import { DuckDBListValue, type DuckDBConnection, type DuckDBValue } from '@duckdb/node-api';
import { MillraceError } from '../../core/millrace-error.ts';
import { columnMismatch, tableNotFound, type FoundColumn } from '../../core/table-fault.ts';
import { deadLetterTable, type TableId } from '../../core/table-id.ts';
import type { TableDescription } from '../../ports/tables.ts';
import { identifier, literal } from '../duckdb-engine/sql.ts';
import { checkColumnNames, checkPrimaryKey, refusedColumns } from '../table-requests.ts';
import { databaseName } from './config.ts';
import { schemaName, schemaOf, tableOf } from './table-sql.ts';
import { textOfBytes } from './text-of-bytes.ts';
import { dependable, isDependency, requireNothingOwn } from './dependable.ts';
import { hasTable, isNoTable, nameIs } from './has-table.ts';
import { primaryKeyOf, writePrimaryKey } from './primary-key.ts';

/** A table with the number that the database has for it since it was opened. */
export type NumberedTable = Omit<TableDescription, 'identity'> & { readonly number: string };

/** All tables of ours in the file, sorted by id; only `tableId` when given. A name must fit in letter case, too. */
export async function describeTables(
  connection: DuckDBConnection,
  tableId?: TableId,
): Promise<readonly NumberedTable[]> {
  const one = tableId === undefined ? 'true' : nameIs(tableId);
  const found = await connection.runAndReadAll(
    `SELECT schema_name || '.' || table_name AS id, any_value(estimated_size), list(encode(column_name) ORDER BY column_index), any_value(duckdb_tables.table_oid),
        list(coalesce(duckdb_columns.comment, '') ORDER BY column_index)
      FROM duckdb_tables() JOIN duckdb_columns() USING (database_name, schema_name, table_name)
      WHERE database_name = ${literal(databaseName)} AND regexp_matches(schema_name, '^(in|out|sys)[.]') AND ${one}
      GROUP BY id ORDER BY id`,
  );
  const tables: NumberedTable[] = [];
  for (const [id, estimated, names, number, comments] of found.getRows()) {
    const described = String(id) as TableId;
    const columns = itemsOf(names).map(textOfBytes);
    const primaryKey = primaryKeyOf(columns, itemsOf(comments).map(String));
    // Rows that were replaced or deleted stay in the estimate.
    const loses = primaryKey.length > 0 || described === deadLetterTable;
    const rows = !loses ? Number(estimated) : await countedRows(connection, described);
    tables.push({ number: String(number), tableId: described, columns, primaryKey, rows });
  }
  return tables;
}

function itemsOf(value: DuckDBValue | undefined): readonly DuckDBValue[] {
  return value instanceof DuckDBListValue ? value.items : [];
}

async function countedRows(connection: DuckDBConnection, tableId: TableId): Promise<number> {
  const found = await connection.runAndReadAll(`SELECT count(*) FROM ${tableOf(tableId)}`);
  return Number(found.getRows()[0]?.[0] ?? 0);
}

/** Columns of our tables that are no texts, or may be NULL; a part of a sentence each. */
export async function foreignColumns(connection: DuckDBConnection): Promise<readonly string[]> {
  const found = await connection.runAndReadAll(
    `SELECT schema_name || '.' || table_name, encode(column_name), data_type, is_nullable
      FROM duckdb_tables() JOIN duckdb_columns() USING (database_name, schema_name, table_name)
      WHERE database_name = ${literal(databaseName)} AND regexp_matches(schema_name, '^(in|out|sys)[.]')
        AND (data_type <> 'VARCHAR' OR is_nullable) ORDER BY 1, column_index`,
  );
  return found.getRows().map(([table, column = null, type, isNullable]) => {
    const fault = isNullable === true ? `${String(type)} that may be NULL` : String(type);
    return `the column "${textOfBytes(column)}" of the table "${String(table)}" is ${fault}`;
  });
}

/** `table.notFound` when it does not exist. */
export async function describedTable(connection: DuckDBConnection, tableId: TableId): Promise<NumberedTable> {
  const [description] = await describeTables(connection, tableId);
  if (description === undefined) throw tableNotFound(tableId);
  return description;
}

/**
 * Makes a table of texts that are never NULL, and its schema, in the transaction of the caller. `table.exists`; `input.invalid` for its
 * columns and its key.
 */
export async function makeTable(
  connection: DuckDBConnection,
  tableId: TableId,
  { columns, primaryKey = [] }: { readonly columns: readonly string[]; readonly primaryKey?: readonly string[] },
): Promise<void> {
  checkColumnNames(columns);
  checkLetterCase(columns);
  checkPrimaryKey(columns, primaryKey);
  await connection.run(`CREATE SCHEMA IF NOT EXISTS ${schemaOf(tableId)}`);
  try {
    await connection.run(`CREATE TABLE ${tableOf(tableId)} (${cellsOf(columns)})`);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes('already exists')) throw error;
    const reason = (await hasTable(connection, tableId)) ? 'exists already' : 'exists already in other letter case';
    throw new MillraceError('table.exists', `table "${tableId}" ${reason}`);
  }
  // DuckDB takes a schema in other letter case for the same one, and has made the table there, under another id.
  if (!(await hasTable(connection, tableId)))
    throw new MillraceError('table.exists', `the bucket of table "${tableId}" exists already in other letter case`);
  await writePrimaryKey(connection, tableId, { before: [], after: primaryKey });
}

/** Makes a table anew, without the rows that it had. `table.inUse` when something made by hand would go with them. */
export async function makeAnew(
  connection: DuckDBConnection,
  tableId: TableId,
  { columns, primaryKey }: Pick<TableDescription, 'columns' | 'primaryKey'>,
): Promise<void> {
  await requireNothingOwn(connection, tableId);
  await dependable(tableId, connection.run(`CREATE OR REPLACE TABLE ${tableOf(tableId)} (${cellsOf(columns)})`));
  await writePrimaryKey(connection, tableId, { before: [], after: primaryKey });
}

/** The definition of columns: texts that are never NULL. */
function cellsOf(columns: readonly string[]): string {
  return columns.map((column) => `${identifier(column)} VARCHAR NOT NULL`).join(', ');
}

/** Removes the schema of a table id when nothing is in it, also nothing that was made by hand. */
export async function removeEmptySchema(connection: DuckDBConnection, tableId: TableId): Promise<void> {
  const held = await connection.runAndReadAll(
    `SELECT 1 FROM (SELECT database_name, schema_name FROM duckdb_tables() UNION ALL SELECT database_name, schema_name FROM duckdb_views())
      WHERE database_name = ${literal(databaseName)} AND schema_name = ${literal(schemaName(tableId))} LIMIT 1`,
  );
  if (held.currentRowCount > 0) return;
  try {
    await connection.run(`DROP SCHEMA IF EXISTS ${schemaOf(tableId)}`);
  } catch (thrown) {
    if (!isDependency(thrown)) throw thrown;
  }
}

/** `table.schemaMismatch` unless the table has these columns in this order, all of them text; `table.notFound`. */
export async function checkColumns(
  connection: DuckDBConnection,
  tableId: TableId,
  expected: readonly string[],
): Promise<void> {
  const mismatch = columnMismatch({ tableId, expected, found: await columnsOf(connection, tableId) });
  if (mismatch !== undefined) throw mismatch;
}

/** Looks at one table only, unlike a description, which costs more the more tables there are. */
export async function columnsOf(connection: DuckDBConnection, tableId: TableId): Promise<readonly FoundColumn[]> {
  try {
    const found = await connection.runAndReadAll(
      `SELECT encode(name), type FROM pragma_table_info(${literal(tableOf(tableId))}) ORDER BY cid`,
    );
    return found.getRows().map(([name = null, type]) => ({
      name: textOfBytes(name),
      fault: type === 'VARCHAR' ? undefined : String(type),
    }));
  } catch (error) {
    if (isNoTable(error)) throw tableNotFound(tableId);
    throw error;
  }
}

/** `input.invalid` for names that differ in letter case only: DuckDB takes them for one. */
export function checkLetterCase(columns: readonly string[]): void {
  const seen = new Map<string, string>();
  for (const column of columns) {
    const folded = column.toLowerCase();
    const same = seen.get(folded);
    if (same !== undefined) throw refusedColumns(`columns "${same}" and "${column}" differ in letter case only`);
    seen.set(folded, column);
  }
}
