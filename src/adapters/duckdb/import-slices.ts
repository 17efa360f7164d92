import type { DuckDBConnection } from '@duckdb/node-api';
import { cellsInPlace, type PlacedCells } from '../../core/column-change.ts';
import { deadLetterColumns } from '../../core/dead-letter.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { LoadedCounts } from '../../core/progress/ledger.ts';
import { deadLetterTable, type TableId } from '../../core/table-id.ts';
import type { CsvContent } from '../../ports/csv-content.ts';
import type { ImportRequest, LedgerRow } from '../../ports/import-ledger.ts';
import { requireTaken } from '../letters-gone.ts';
import { checkContent } from '../staged-content.ts';
import { csvCell, deadLineBytes, ordinaryLineBytes, readCsv } from '../duckdb-engine/read-csv.ts';
import { interruptible } from '../duckdb-engine/interruptible.ts';
import { takeLetters } from './dead-letters.ts';
import { moveLedgerRow, verdictOf } from './ledger.ts';
import { markLongRows } from './long-rows.ts';
import type { LocalFiles } from './local-files.ts';
import { tableOf } from './table-sql.ts';
import { hasTable } from './has-table.ts';
import { checkColumns, makeTable } from './table-catalog.ts';
import { transaction } from './transaction.ts';

interface Import {
  readonly request: ImportRequest;
  readonly rows: LocalFiles;
  readonly dead: LocalFiles;
  /** Names the letters that the import replaces. */
  readonly letters: LocalFiles;
  readonly signal: AbortSignal;
}

/**
 * DuckDB takes no stream, so files are compared with their checksums while it reads them, in threads of its own: both read the same
 * pages of the system's cache, and the check costs no time of the load.
 *
 * Loads the files and moves the ledger row in one transaction, or returns the verdict that the ledger has. An abort takes
 * everything back until the commit begins, and is not seen any more after that.
 */
export async function importSlices(
  connection: DuckDBConnection,
  { request, rows, dead, letters, signal }: Import,
): Promise<LedgerRow['verdict']> {
  return await transaction(connection, async () => {
    const { incarnation, number, id, before } = request;
    const verdict = await verdictOf(connection, incarnation, request);
    if (verdict !== undefined) return verdict;
    const [checked, loaded] = await Promise.allSettled([
      checkFiles([...rows.unchecked, ...dead.unchecked, ...letters.unchecked], signal),
      interruptible(connection, signal, () => loadAll(connection, { request, rows, dead, letters })),
    ]);
    // Altered content is that, whatever DuckDB made of it.
    if (checked.status === 'rejected') throw checked.reason;
    if (loaded.status === 'rejected') throw loaded.reason;
    signal.throwIfAborted();
    await moveLedgerRow(connection, incarnation, { number, id, verdict: 'loaded', loaded: loaded.value, before });
    return 'loaded';
  });
}

/** The errors of `checkContent`. */
export async function checkFiles(contents: readonly CsvContent[], signal: AbortSignal): Promise<void> {
  for (const content of contents) await checkContent(content, { signal });
}

/** Answers how many lines of each DuckDB says that it has inserted, less the dead letters that it has deleted. */
async function loadAll(
  connection: DuckDBConnection,
  { request, rows, dead, letters }: Omit<Import, 'signal'>,
): Promise<LoadedCounts> {
  const { tableId, columns, expected, placed = cellsInPlace(columns) } = request;
  await checkColumns(connection, tableId, placed.columns);
  await markLongRows(connection, tableId, { files: request.rows, rows: expected.rows });
  const content = { columns, placed, paths: rows.paths, expected: expected.rows, lineBytes: ordinaryLineBytes };
  const loaded = await load(connection, tableId, content);
  const hasDead = expected.dead > 0 || dead.paths.length > 0;
  const deleted = await takeLetters(connection, request.incarnation, letters.paths);
  requireTaken(request, deleted);
  return { rows: loaded, dead: (hasDead ? await loadDead(connection, dead, request) : 0) - deleted };
}

async function loadDead(
  connection: DuckDBConnection,
  dead: LocalFiles,
  { dead: files, expected: { dead: expected } }: ImportRequest,
): Promise<number> {
  if (await hasTable(connection, deadLetterTable)) await checkColumns(connection, deadLetterTable, deadLetterColumns);
  else await makeTable(connection, deadLetterTable, { columns: deadLetterColumns });
  await markLongRows(connection, deadLetterTable, { files, rows: expected });
  const lineBytes = deadLineBytes(dead.maxBytes);
  return await load(connection, deadLetterTable, {
    columns: deadLetterColumns,
    placed: cellsInPlace(deadLetterColumns),
    paths: dead.paths,
    expected,
    lineBytes,
  });
}

interface Content {
  readonly columns: readonly string[];
  readonly placed: PlacedCells;
  readonly paths: readonly string[];
  readonly expected: number;
  readonly lineBytes: number;
}

/** Answers how many rows DuckDB says that it has inserted. */
async function load(connection: DuckDBConnection, tableId: TableId, content: Content): Promise<number> {
  const { columns, placed, paths, expected, lineBytes } = content;
  let rows = 0;
  if (paths.length > 0) {
    const source = readCsv(paths, { columnCount: columns.length, lineBytes });
    ({ rowsChanged: rows } = await connection.run(
      `INSERT INTO ${tableOf(tableId)} SELECT ${cellsOf(placed)} FROM ${source}`,
    ));
  }
  if (rows !== expected) {
    throw new MillraceError(
      'table.invalidContent',
      `the content for the table "${tableId}" holds ${rows} rows, expected ${expected}`,
      { details: { tableId, rows, expected } },
    );
  }
  return rows;
}

/** In the order of the columns of the table. */
function cellsOf({ cells }: PlacedCells): string {
  return cells.map((cell) => (cell === null ? `''` : csvCell(cell))).join(', ');
}
