import { MillraceError } from '../../core/millrace-error.ts';
import { columnMismatch, namedColumns } from '../../core/table-fault.ts';
import type { TableId } from '../../core/table-id.ts';
import type { TableDescription, Tables } from '../../ports/tables.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import { SeatLost } from '../seat/seat-lost.ts';

export type EnsureTableParts = Pick<Parts, 'ownership' | 'seat' | 'tables'>;

export interface WantedTable {
  readonly tableId: TableId;
  readonly columns: readonly string[];
}

/**
 * Makes the table when it is missing; one that exists must have exactly these columns in this order: `table.schemaMismatch`.
 * `table.exists` when the store has one of that name in other letter case. It is made before it is looked for: a description costs a store
 * more the more tables it has, and the tables of most sinks are new.
 */
export async function ensureTable(
  tables: Tables,
  { tableId, columns }: WantedTable,
  options: Waiting,
): Promise<'created' | 'present'> {
  const found = await makeTable(tables, { tableId, columns }, options);
  if (found === 'created') return found;
  const mismatch = columnMismatch({ tableId, expected: columns, found: namedColumns(found.columns) });
  if (mismatch !== undefined) throw mismatch;
  return 'present';
}

/** Where the table has other columns: what is to be done. */
export function withAdvice(thrown: unknown, advice: string): unknown {
  const { code, message, details } = MillraceError.fromUnknown(thrown);
  if (code !== 'table.schemaMismatch') return thrown;
  return new MillraceError(code, `${message}. ${advice}`, { cause: thrown, details });
}

/** Answers the table that was there already, if so. */
async function makeTable(
  tables: Tables,
  { tableId, columns }: WantedTable,
  options: Waiting,
): Promise<'created' | TableDescription> {
  try {
    await tables.createTable(tableId, columns, options);
    return 'created';
  } catch (thrown) {
    if (MillraceError.fromUnknown(thrown).code !== 'table.exists') throw thrown;
    const found = await tables.describeTable(tableId, options);
    if (found === undefined) throw thrown;
    return found;
  }
}

/**
 * Takes back a table that a failed operation made, unless somebody has put rows into it. A process that has lost the
 * seat leaves it: the heir may have found it and built upon it. Rejects while the tables are not known to be this
 * installation's.
 */
export async function dropEmptyTable(
  { tables, seat, ownership }: EnsureTableParts,
  tableId: TableId,
  options: Waiting,
): Promise<void> {
  try {
    await seat.assertHeld(options);
  } catch (thrown) {
    if (thrown instanceof SeatLost) return;
    throw thrown;
  }
  const found = await tables.describeTable(tableId, options);
  if (found === undefined || found.rows > 0) return;
  await ownership.assertOurs('tables', options);
  await tables.dropTable(tableId, options);
}
