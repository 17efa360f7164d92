import { messageOf, MillraceError } from '../../core/millrace-error.ts';
import type { TableId } from '../../core/table-id.ts';
import { sqlStateOf } from './errors.ts';

/** Views and foreign keys, which somebody made by hand, and the bound of PostgreSQL on columns that a table ever had. */
const dependencies: readonly string[] = ['2BP01', '0A000', '54011', '23503'];

/** Resolves with the statement; `table.inUse` when something that was made by hand depends on the table. */
export async function dependable(tableId: TableId, statement: Promise<unknown>): Promise<void> {
  try {
    await statement;
  } catch (thrown) {
    if (!dependencies.includes(sqlStateOf(thrown) ?? '')) throw thrown;
    const message = `PostgreSQL does not change the table "${tableId}": ${messageOf(thrown)}${detailOf(thrown)}`;
    throw new MillraceError('table.inUse', message, { details: { tableId } });
  }
}

function detailOf(thrown: unknown): string {
  // Of a foreign key it quotes the row.
  if (sqlStateOf(thrown) === '23503') return '';
  const detail = thrown instanceof Error && 'detail' in thrown ? thrown.detail : undefined;
  return typeof detail === 'string' ? ` (${detail.replaceAll('\n', '; ')})` : '';
}
