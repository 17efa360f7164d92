import type { DuckDBConnection } from '@duckdb/node-api';
import { messageOf, MillraceError } from '../../core/millrace-error.ts';
import { tableName, type TableId } from '../../core/table-id.ts';
import { literal } from '../duckdb-engine/sql.ts';
import { databaseName } from './config.ts';
import { schemaName } from './table-sql.ts';

/** How DuckDB begins to say that something which somebody made by hand keeps a table, a column or a schema as it is. */
const refusals: readonly RegExp[] = [
  /^Dependency Error: /,
  /^Catalog Error: Cannot drop this column: an index depends on it/,
  /^Catalog Error: Cannot drop column "[^]*" because (there is a|it is referenced in)/,
  /^Catalog Error: Cannot drop column: column is a dependency of/,
  /^Catalog Error: Cannot rename column "[^]*" because this is involved in/,
  /^Catalog Error: Could not drop the table because/,
];

export function isDependency(thrown: unknown): boolean {
  const said = messageOf(thrown);
  return refusals.some((refusal) => refusal.test(said));
}

/** Resolves with the statement; `table.inUse` when something that was made by hand depends on the table. */
export async function dependable(tableId: TableId, statement: Promise<unknown>): Promise<void> {
  try {
    await statement;
  } catch (thrown) {
    throw isDependency(thrown) ? inUse(tableId, firstLine(messageOf(thrown))) : thrown;
  }
}

/** `table.inUse` when the table has what is lost where it is made anew: indexes and constraints that were made by hand. */
export async function requireNothingOwn(connection: DuckDBConnection, tableId: TableId): Promise<void> {
  const at = `database_name = ${literal(databaseName)} AND schema_name = ${literal(schemaName(tableId))} AND table_name = ${literal(tableName(tableId).table)}`;
  const found = await connection.runAndReadAll(
    `SELECT 'index ' || index_name FROM duckdb_indexes() WHERE ${at}
      UNION ALL SELECT constraint_text FROM duckdb_constraints() WHERE ${at} AND constraint_type <> 'NOT NULL' ORDER BY 1`,
  );
  const own = found.getRows().map(([text]) => String(text));
  if (own.length > 0) throw inUse(tableId, `${own.join(', ')}. Drop it first, and make it again afterwards`);
}

/** `said` is what depends on the table, and what to do. */
export function inUse(tableId: TableId, said: string): MillraceError {
  const message = `something that was made by hand depends on the table "${tableId}": ${said}`;
  return new MillraceError('table.inUse', message, { details: { tableId } });
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? text;
}
