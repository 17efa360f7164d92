import { MillraceError } from '../../core/millrace-error.ts';
import { deadLetterTable, tableName, type TableId } from '../../core/table-id.ts';
import type { TableStore } from '../../ports/table-store.ts';
import type { Waiting } from '../../ports/event-log.ts';

export interface WantedTable {
  readonly tableId: TableId;
  readonly columns: readonly string[];
}

/** Makes the table when it is missing; one that exists must have exactly these columns in this order: `table.schemaMismatch`. */
export async function ensureTable(
  tables: TableStore,
  { tableId, columns }: WantedTable,
  options: Waiting,
): Promise<'created' | 'present'> {
  const found = await tables.describeTable(tableId, options);
  if (found === undefined) {
    try {
      await tables.createTable(tableId, columns, options);
      return 'created';
    } catch (thrown) {
      if (MillraceError.fromUnknown(thrown).code !== 'table.exists') throw thrown;
      return ensureTable(tables, { tableId, columns }, options);
    }
  }
  if (found.columns.length === columns.length && columns.every((name, at) => name === found.columns[at]))
    return 'present';
  throw new MillraceError(
    'table.schemaMismatch',
    `columns of the table "${tableId}" do not match expected ${list(columns)}, found ${list(found.columns)}`,
    { details: { tableId } },
  );
}

/** Takes back a table that a failed operation made, unless somebody has put rows into it. */
export async function dropEmptyTable(tables: TableStore, tableId: TableId, options: Waiting): Promise<void> {
  const found = await tables.describeTable(tableId, options);
  if (found !== undefined && found.rows === 0) await tables.dropTable(tableId, options);
}

/** `stage.bucket` of a table. */
export function bucketOf(tableId: TableId): string {
  const { stage, bucket } = tableName(tableId);
  return `${stage}.${bucket}`;
}

/** True for the tables that the product keeps for itself. */
export function isReserved(tableId: TableId): boolean {
  return bucketOf(tableId) === bucketOf(deadLetterTable);
}

function list(names: readonly string[]): string {
  return `[${names.map((name) => `"${name}"`).join(', ')}]`;
}
