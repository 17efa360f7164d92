import type { DuckDBConnection } from '@duckdb/node-api';
import { messageOf } from '../../core/millrace-error.ts';
import type { TableId } from '../../core/table-id.ts';
import { identifier, literal } from '../duckdb-engine/sql.ts';
import { databaseName } from './config.ts';
import { inUse } from './dependable.ts';

/**
 * Changes a table within a transaction; `table.inUse`, with their names, when views that somebody made by hand would not be found to be
 * right afterwards. DuckDB itself changes a table whatever shows it.
 */
export async function keepingViews(
  connection: DuckDBConnection,
  tableId: TableId,
  change: () => Promise<void>,
): Promise<void> {
  const before: View[] = [];
  for (const view of await viewsOf(connection)) if (await isRight(connection, view)) before.push(view);
  await change();
  const broken: string[] = [];
  for (const view of before) if (!(await isRight(connection, view))) broken.push(view.name);
  if (broken.length > 0)
    throw inUse(tableId, `the view ${broken.join(', ')}. Drop it first, and make it again afterwards`);
}

interface View {
  /** For people: `in.c-shop.seen`. */
  readonly name: string;
  readonly statement: string;
}

async function viewsOf(connection: DuckDBConnection): Promise<readonly View[]> {
  const found = await connection.runAndReadAll(
    `SELECT schema_name, view_name FROM duckdb_views()
      WHERE database_name = ${literal(databaseName)} AND NOT internal ORDER BY schema_name, view_name`,
  );
  return found.getRows().map((row) => {
    const [schema, view] = row.map(String);
    return {
      name: `${schema}.${view}`,
      statement: `FROM ${identifier(databaseName)}.${identifier(schema ?? '')}.${identifier(view ?? '')}`,
    };
  });
}

/** False when DuckDB finds no sense in the view, or not what it needs; it is not run. Rejects when it was interrupted. */
async function isRight(connection: DuckDBConnection, { statement }: View): Promise<boolean> {
  try {
    (await connection.prepare(statement)).destroySync();
    return true;
  } catch (thrown) {
    if (messageOf(thrown).startsWith('INTERRUPT Error')) throw thrown;
    return false;
  }
}
