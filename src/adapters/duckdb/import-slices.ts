import type { DuckDBConnection } from '@duckdb/node-api';
import { deadLetterColumns } from '../../core/dead-letter.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { deadLetterTable, type TableId } from '../../core/table-id.ts';
import type { ImportRequest, LedgerRow } from '../../ports/table-store.ts';
import { interruptible } from './interruptible.ts';
import { moveLedgerRow, verdictOf } from './ledger.ts';
import { readCsv } from './read-csv.ts';
import { tableOf } from './sql.ts';
import { checkColumns, describeTables, makeTable } from './table-catalog.ts';
import { transaction } from './transaction.ts';

export interface ImportFiles {
  readonly rows: readonly string[];
  readonly dead: readonly string[];
}

/**
 * Loads the files and moves the ledger row in one transaction, or returns the verdict that the ledger has. An abort takes
 * everything back until the commit begins, and is not seen any more after that.
 */
export async function importSlices(
  connection: DuckDBConnection,
  { request, files, signal }: { request: ImportRequest; files: ImportFiles; signal: AbortSignal },
): Promise<LedgerRow['verdict']> {
  return await transaction(connection, async () => {
    const verdict = await verdictOf(connection, request.incarnation, request);
    if (verdict !== undefined) return verdict;
    await interruptible(connection, signal, async () => {
      await checkColumns(connection, request.tableId, request.columns);
      await load(connection, request.tableId, {
        columns: request.columns,
        paths: files.rows,
        expected: request.expected.rows,
      });
      if (request.expected.dead > 0 || files.dead.length > 0) {
        await makeDeadLetterTable(connection);
        await load(connection, deadLetterTable, {
          columns: deadLetterColumns,
          paths: files.dead,
          expected: request.expected.dead,
        });
      }
    });
    signal.throwIfAborted();
    await moveLedgerRow(connection, request.incarnation, { number: request.number, id: request.id, verdict: 'loaded' });
    return 'loaded';
  });
}

async function load(
  connection: DuckDBConnection,
  tableId: TableId,
  content: { readonly columns: readonly string[]; readonly paths: readonly string[]; readonly expected: number },
): Promise<void> {
  let rows = 0;
  if (content.paths.length > 0) {
    const source = readCsv(content.paths, content.columns.length);
    ({ rowsChanged: rows } = await connection.run(`INSERT INTO ${tableOf(tableId)} SELECT * FROM ${source}`));
  }
  if (rows !== content.expected) {
    throw new MillraceError(
      'table.invalidContent',
      `the content for the table "${tableId}" holds ${rows} rows, expected ${content.expected}`,
      { details: { tableId, rows, expected: content.expected } },
    );
  }
}

async function makeDeadLetterTable(connection: DuckDBConnection): Promise<void> {
  const [found] = await describeTables(connection, deadLetterTable);
  if (found === undefined) await makeTable(connection, deadLetterTable, deadLetterColumns);
  else await checkColumns(connection, deadLetterTable, deadLetterColumns);
}
