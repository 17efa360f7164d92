import type { DuckDBConnection } from '@duckdb/node-api';
import { parseJsonText } from '../../core/parse-json-text.ts';
import { tableName, type TableId } from '../../core/table-id.ts';
import { literal } from '../duckdb-engine/sql.ts';
import { databaseName } from './config.ts';
import { schemaName, tableOf } from './table-sql.ts';

/**
 * True when there is a table of exactly this name. DuckDB finds one in any letter case, and lists names only by going through all tables,
 * which took 40 ms among 6,000. A plan is made of the one table, and says what that is called. Where there is
 * none, or it says another name, as for a view or a table in other letter case, all are looked through.
 */
export async function hasTable(connection: DuckDBConnection, tableId: TableId): Promise<boolean> {
  try {
    const found = await connection.runAndReadAll(`EXPLAIN (FORMAT JSON) FROM ${tableOf(tableId)}`);
    if (isPlanOf(tableId, String(found.getRows()[0]?.[1]))) return true;
  } catch (error) {
    if (isNoTable(error)) return false;
  }
  return await isListed(connection, tableId);
}

/** DuckDB found nothing of the name, in whatever letter case. */
export function isNoTable(error: unknown): boolean {
  return error instanceof Error && error.message.includes('does not exist');
}

function isPlanOf(tableId: TableId, plan: string): boolean {
  const [scan] = parseJsonText(plan) as readonly { readonly extra_info?: { readonly Table?: unknown } }[];
  const named = scan?.extra_info?.Table;
  if (typeof named !== 'string') return false;
  const { table } = tableName(tableId);
  // A part of the name stands in quotes where it must.
  const parts = named.match(/"(?:[^"]|"")*"|[^."]+/g) ?? [];
  const names = parts.map((part) => (part.startsWith('"') ? part.slice(1, -1).replaceAll('""', '"') : part));
  return names.length === 3 && names[0] === databaseName && names[1] === schemaName(tableId) && names[2] === table;
}

async function isListed(connection: DuckDBConnection, tableId: TableId): Promise<boolean> {
  const found = await connection.runAndReadAll(
    `SELECT 1 FROM duckdb_tables() WHERE database_name = ${literal(databaseName)} AND ${nameIs(tableId)}`,
  );
  return found.currentRowCount > 0;
}

/** Of a row of DuckDB's lists of tables and columns. */
export function nameIs(tableId: TableId): string {
  return `schema_name = ${literal(schemaName(tableId))} AND table_name = ${literal(tableName(tableId).table)}`;
}
