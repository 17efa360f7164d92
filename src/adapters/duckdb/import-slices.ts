import type { DuckDBConnection } from '@duckdb/node-api';
import { deadLetterColumns } from '../../core/dead-letter.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { deadLetterTable, type TableId } from '../../core/table-id.ts';
import type { ImportRequest, LedgerRow } from '../../ports/table-store.ts';
import { interruptible } from './interruptible.ts';
import { moveLedgerRow, verdictOf } from './ledger.ts';
import type { LocalFiles } from './local-files.ts';
import { deadLineBytes, ordinaryLineBytes, readCsv } from './read-csv.ts';
import { tableOf } from './sql.ts';
import { checkColumns, describeTables, makeTable } from './table-catalog.ts';
import { transaction } from './transaction.ts';

interface Import {
  readonly request: ImportRequest;
  readonly rows: LocalFiles;
  readonly dead: LocalFiles;
  readonly signal: AbortSignal;
}

/**
 * Loads the files and moves the ledger row in one transaction, or returns the verdict that the ledger has. An abort takes
 * everything back until the commit begins, and is not seen any more after that.
 */
export async function importSlices(
  connection: DuckDBConnection,
  { request, rows, dead, signal }: Import,
): Promise<LedgerRow['verdict']> {
  return await transaction(connection, async () => {
    const { incarnation, number, id, tableId, columns, expected } = request;
    const verdict = await verdictOf(connection, incarnation, request);
    if (verdict !== undefined) return verdict;
    await interruptible(connection, signal, async () => {
      await checkColumns(connection, tableId, columns);
      const lineBytes = ordinaryLineBytes;
      await load(connection, tableId, { columns, paths: rows.paths, expected: expected.rows, lineBytes });
      if (expected.dead > 0 || dead.paths.length > 0) await loadDead(connection, dead, expected.dead);
    });
    signal.throwIfAborted();
    await moveLedgerRow(connection, incarnation, { number, id, verdict: 'loaded' });
    return 'loaded';
  });
}

async function loadDead(connection: DuckDBConnection, dead: LocalFiles, expected: number): Promise<void> {
  const [found] = await describeTables(connection, deadLetterTable);
  if (found === undefined) await makeTable(connection, deadLetterTable, deadLetterColumns);
  else await checkColumns(connection, deadLetterTable, deadLetterColumns);
  const lineBytes = deadLineBytes(dead.maxBytes);
  await load(connection, deadLetterTable, { columns: deadLetterColumns, paths: dead.paths, expected, lineBytes });
}

interface Content {
  readonly columns: readonly string[];
  readonly paths: readonly string[];
  readonly expected: number;
  readonly lineBytes: number;
}

async function load(connection: DuckDBConnection, tableId: TableId, content: Content): Promise<void> {
  const { columns, paths, expected, lineBytes } = content;
  let rows = 0;
  if (paths.length > 0) {
    const source = readCsv(paths, { columnCount: columns.length, lineBytes });
    ({ rowsChanged: rows } = await connection.run(`INSERT INTO ${tableOf(tableId)} SELECT * FROM ${source}`));
  }
  if (rows !== expected) {
    throw new MillraceError(
      'table.invalidContent',
      `the content for the table "${tableId}" holds ${rows} rows, expected ${expected}`,
      { details: { tableId, rows, expected } },
    );
  }
}
