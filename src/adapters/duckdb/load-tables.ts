import type { DuckDBConnection } from '@duckdb/node-api';
import { columnMismatch } from '../../core/table-fault.ts';
import type { TableId } from '../../core/table-id.ts';
import type { LoadRow } from '../../ports/table-loads.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { alignedTable, otherRowCount, rowsNotUnique } from '../aligned-table.ts';
import { interruptible } from '../duckdb-engine/interruptible.ts';
import { csvCell, ordinaryLineBytes, readCsv } from '../duckdb-engine/read-csv.ts';
import { identifier } from '../duckdb-engine/sql.ts';
import type { PlannedLoad } from '../planned-loads.ts';
import { alterColumns } from './change-table.ts';
import { checkFiles } from './import-slices.ts';
import { keepingViews } from './keeping-views.ts';
import { loadRowOf, moveLoadRow } from './load-ledger.ts';
import { localFiles, type LocalFiles } from './local-files.ts';
import { markLongRows } from './long-rows.ts';
import { writePrimaryKey } from './primary-key.ts';
import { checkLetterCase, columnsOf, describeTables, makeAnew, makeTable } from './table-catalog.ts';
import { tableOf } from './table-sql.ts';
import { transaction } from './transaction.ts';

/** A load of a table with the files of each of its parts. */
export interface LocalLoad {
  readonly plan: PlannedLoad;
  readonly files: readonly LocalFiles[];
}

/** `localFiles` of all parts; disposing removes what was made for them. */
export async function localLoads(
  plans: readonly PlannedLoad[],
  folder: string,
  options: Waiting,
): Promise<AsyncDisposable & { readonly loads: readonly LocalLoad[] }> {
  await using stack = new AsyncDisposableStack();
  const loads: LocalLoad[] = [];
  for (const plan of plans) {
    const files: LocalFiles[] = [];
    for (const { contents } of plan.parts) files.push(stack.use(await localFiles(contents, folder, options)));
    loads.push({ plan, files });
  }
  const kept = stack.move();
  return { loads, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

interface Loading {
  readonly id: string;
  readonly note: string;
  readonly loads: readonly LocalLoad[];
  readonly signal: AbortSignal;
}

/**
 * Loads all tables and moves the ledger row in one transaction, or returns the row that has moved already. An abort takes everything back
 * until the commit begins, and is not seen any more after that. Files are compared with their checksums as those of an import.
 */
export async function loadTables(connection: DuckDBConnection, { id, note, loads, signal }: Loading): Promise<LoadRow> {
  return await transaction(connection, async () => {
    const row = await loadRowOf(connection, id);
    if (row.verdict !== 'open') return row;
    const unchecked = loads.flatMap(({ files }) => files.flatMap((part) => part.unchecked));
    const [checked, loaded] = await Promise.allSettled([
      checkFiles(unchecked, signal),
      interruptible(connection, signal, async () => {
        for (const load of loads) await loadTable(connection, load);
      }),
    ]);
    // Altered content is that, whatever DuckDB made of it.
    if (checked.status === 'rejected') throw checked.reason;
    if (loaded.status === 'rejected') throw loaded.reason;
    signal.throwIfAborted();
    const moved: LoadRow = { verdict: 'loaded', note };
    await moveLoadRow(connection, id, moved);
    return moved;
  });
}

async function loadTable(connection: DuckDBConnection, load: LocalLoad): Promise<void> {
  const { tableId, isIncremental, parts } = load.plan;
  const { columns, primaryKey } = await fittingTable(connection, load.plan);
  const files = parts.flatMap(({ contents }) => contents);
  await markLongRows(connection, tableId, { files, rows: rowsOf(load.plan) });
  if (primaryKey.length === 0) await insertParts(connection, load, { target: tableOf(tableId), columns });
  else await mergeParts(connection, load, { columns, primaryKey, isIncremental });
}

interface Shape {
  readonly columns: readonly string[];
  readonly primaryKey: readonly string[];
}

/** Makes the table, or makes it fit; without its rows where they go. */
async function fittingTable(connection: DuckDBConnection, plan: PlannedLoad): Promise<Shape> {
  const { tableId } = plan;
  const [present] = await describeTables(connection, tableId);
  if (present === undefined) {
    await makeTable(connection, tableId, plan);
    return plan;
  }
  const found = await columnsOf(connection, tableId);
  const mismatch = columnMismatch({ tableId, expected: present.columns, found });
  if (mismatch !== undefined) throw mismatch;
  const aligned = alignedTable(plan, present);
  checkLetterCase(aligned.columns);
  if (!plan.isIncremental) {
    await keepingViews(connection, tableId, () => makeAnew(connection, tableId, aligned));
    return aligned;
  }
  const { added } = aligned;
  if (added.length > 0)
    await keepingViews(connection, tableId, () =>
      alterColumns(connection, tableId, { dropped: [], renamed: [], added }),
    );
  if (!aligned.isOtherKey) return aligned;
  const { primaryKey } = aligned;
  if (await hasRepeats(connection, tableId, primaryKey)) throw rowsNotUnique(tableId, primaryKey, present.primaryKey);
  await writePrimaryKey(connection, tableId, { before: present.primaryKey, after: primaryKey });
  return aligned;
}

async function hasRepeats(connection: DuckDBConnection, tableId: TableId, key: readonly string[]): Promise<boolean> {
  const found = await connection.runAndReadAll(
    `SELECT 1 FROM ${tableOf(tableId)} GROUP BY ${key.map(identifier).join(', ')} HAVING count(*) > 1 LIMIT 1`,
  );
  return found.currentRowCount > 0;
}

const aside = 'temp."millrace.loaded"';

/**
 * The rows stand aside first, where of rows with the same key the last one stays. What they replace goes, and they are added in
 * their order: each step is one statement, whatever the number of rows.
 */
async function mergeParts(
  connection: DuckDBConnection,
  load: LocalLoad,
  { columns, primaryKey, isIncremental }: Shape & { readonly isIncremental: boolean },
): Promise<void> {
  const target = tableOf(load.plan.tableId);
  const key = primaryKey.map(identifier);
  const cells = columns.map((column) => `${identifier(column)} VARCHAR NOT NULL`);
  await connection.run(`CREATE OR REPLACE TEMP TABLE "millrace.loaded" (${cells.join(', ')})`);
  await insertParts(connection, load, { target: aside, columns });
  await connection.run(
    `DELETE FROM ${aside} WHERE rowid NOT IN (SELECT max(rowid) FROM ${aside} GROUP BY ${key.join(', ')})`,
  );
  const isSame = key.map((column) => `loaded.${column} = present.${column}`).join(' AND ');
  if (isIncremental)
    await connection.run(`DELETE FROM ${target} AS present WHERE EXISTS (FROM ${aside} AS loaded WHERE ${isSame})`);
  await connection.run(`INSERT INTO ${target} FROM ${aside}`);
  await connection.run(`DROP TABLE ${aside}`);
}

/** `table.invalidContent` when DuckDB says that it has inserted other numbers of rows than were announced. */
async function insertParts(
  connection: DuckDBConnection,
  { plan: { tableId, parts }, files }: LocalLoad,
  { target, columns }: { readonly target: string; readonly columns: readonly string[] },
): Promise<void> {
  for (const [at, part] of parts.entries()) {
    const paths = files[at]?.paths ?? [];
    const cells = columns.map((column) => part.columns.indexOf(column));
    const selected = cells.map((cell) => (cell < 0 ? `''` : csvCell(cell))).join(', ');
    const source = readCsv(paths, { columnCount: part.columns.length, lineBytes: ordinaryLineBytes });
    const isEmpty = paths.length === 0;
    const rows = isEmpty
      ? 0
      : (await connection.run(`INSERT INTO ${target} SELECT ${selected} FROM ${source}`)).rowsChanged;
    if (rows !== part.expectedRows) throw otherRowCount(tableId, rows, part.expectedRows);
  }
}

function rowsOf({ parts }: PlannedLoad): number {
  return parts.reduce((sum, { expectedRows }) => sum + expectedRows, 0);
}
