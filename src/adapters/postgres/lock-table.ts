import type { ClientBase } from 'pg';
import { MillraceError } from '../../core/millrace-error.ts';
import type { TableId } from '../../core/table-id.ts';
import { isMissingTable } from './table-errors.ts';
import { orderColumn, tableOf } from './table-names.ts';
import { notFound, storedTables, type StoredTable } from './table-registry.ts';

/**
 * Keeps a table of ours as it is until the transaction ends, against ALTER and DROP: for `rows` while others may load into it,
 * too, for `reading` while anything else goes on. Must be the first statement of a transaction that keeps one snapshot.
 * `table.notFound`.
 */
export async function lockTable(
  client: ClientBase,
  tableId: TableId,
  purpose: 'rows' | 'reading',
): Promise<StoredTable> {
  try {
    await client.query(
      `LOCK TABLE ONLY ${tableOf(tableId)} IN ${purpose === 'rows' ? 'ROW EXCLUSIVE' : 'ACCESS SHARE'} MODE`,
    );
  } catch (thrown) {
    throw isMissingTable(thrown) ? notFound(tableId) : thrown;
  }
  const [table] = await storedTables(client, tableId);
  if (table === undefined) throw notFound(tableId);
  return table;
}

/** `table.schemaMismatch` unless the table has these columns in this order, and as it was made. */
export function checkColumns(table: StoredTable, expected: readonly string[]): void {
  const { tableId, columns, hasOrder } = table;
  const sameNames = columns.length === expected.length && columns.every(({ name }, at) => name === expected[at]);
  if (sameNames && hasOrder && columns.every(({ fault }) => fault === undefined)) return;
  const wanted = expected.map((name) => `"${name}"`).join(', ');
  const found = columns.map(({ name, fault }) => `"${name}"${fault === undefined ? '' : ` (${fault})`}`).join(', ');
  const missing = hasOrder ? '' : `, without the column "${orderColumn}" that numbers the rows`;
  throw new MillraceError(
    'table.schemaMismatch',
    `columns of the table "${tableId}" do not match expected [${wanted}], found [${found}]${missing}`,
    { details: { tableId } },
  );
}
