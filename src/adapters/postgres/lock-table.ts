import type { ClientBase } from 'pg';
import { columnMismatch, tableNotFound } from '../../core/table-fault.ts';
import type { TableId } from '../../core/table-id.ts';
import { isMissingTable } from './table-errors.ts';
import { orderColumn, tableOf } from './table-names.ts';
import { storedTables, type StoredTable } from './table-registry.ts';

/**
 * What a transaction does with a table, and what the others may do meanwhile. `columns` and its key: nothing. `replacing` all of
 * its rows: read them. `merging` rows by their key: read, and add rows without looking at others. `rows`: all of this. `reading`:
 * anything.
 */
export type LockPurpose = 'columns' | 'replacing' | 'merging' | 'rows' | 'reading';

const modes: Readonly<Record<LockPurpose, string>> = {
  columns: 'ACCESS EXCLUSIVE',
  replacing: 'SHARE ROW EXCLUSIVE',
  merging: 'SHARE UPDATE EXCLUSIVE',
  rows: 'ROW EXCLUSIVE',
  reading: 'ACCESS SHARE',
};

/**
 * Keeps a table of ours as it is until the transaction ends, against ALTER and DROP. Must be the first statement of a transaction
 * that keeps one snapshot. `table.notFound`.
 */
export async function lockTable(client: ClientBase, tableId: TableId, purpose: LockPurpose): Promise<StoredTable> {
  try {
    await client.query(`LOCK TABLE ONLY ${tableOf(tableId)} IN ${modes[purpose]} MODE`);
  } catch (thrown) {
    throw isMissingTable(thrown) ? tableNotFound(tableId) : thrown;
  }
  const [table] = await storedTables(client, tableId);
  if (table === undefined) throw tableNotFound(tableId);
  return table;
}

/** `table.schemaMismatch` unless the table has these columns in this order, and as it was made. */
export function checkColumns(table: StoredTable, expected: readonly string[]): void {
  const { tableId, columns, hasOrder } = table;
  const lack = hasOrder ? undefined : `, without the column "${orderColumn}" that numbers the rows`;
  const mismatch = columnMismatch({ tableId, expected, found: columns, lack });
  if (mismatch !== undefined) throw mismatch;
}
