import type { DuckDBConnection } from '@duckdb/node-api';
import type { TableId } from '../../core/table-id.ts';
import type { CsvContent } from '../../ports/csv-content.ts';
import { literal } from '../duckdb-engine/sql.ts';
import { databaseName, longRowBytes } from './config.ts';
import { tableOf } from './table-sql.ts';

const mark = 'millrace: has long rows';

/**
 * A checkpoint merges the small row groups of all tables, and has the 2,048 rows in memory on which it works: a table with long rows would
 * end every checkpoint, and with it every import of every sink. A table is marked with the first import of long rows, in its transaction,
 * and from then on row groups of that file stay as small as their checkpoints make them.
 */
export async function markLongRows(
  connection: DuckDBConnection,
  tableId: TableId,
  content: { readonly files: readonly CsvContent[]; readonly rows: number },
): Promise<void> {
  const bytes = content.files.reduce((sum, file) => sum + file.bytes, 0);
  if (bytes < content.rows * longRowBytes || bytes === 0) return;
  await connection.run(`COMMENT ON TABLE ${tableOf(tableId)} IS ${literal(mark)}`);
  await stopMerging(connection);
}

/** True when a table of the file is marked. */
export async function hasLongRows(connection: DuckDBConnection): Promise<boolean> {
  const found = await connection.runAndReadAll(
    'SELECT 1 FROM duckdb_tables() WHERE database_name = $1 AND comment = $2',
    [databaseName, mark],
  );
  return found.currentRowCount > 0;
}

/** For all connections, until the file is opened again. */
export async function stopMerging(connection: DuckDBConnection): Promise<void> {
  await connection.run('SET max_vacuum_tasks = 0');
}
