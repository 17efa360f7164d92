import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseIncarnation } from '../../core/ids.ts';
import { messageOf, MillraceError } from '../../core/millrace-error.ts';
import type { CsvContent } from '../../ports/csv-content.ts';
import type { TableStore } from '../../ports/table-store.ts';
import type { TableDescription } from '../../ports/tables.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { digestOfTable, spoolTable, type SpooledTable, type TablePiece } from './table-pieces.ts';

export interface TablesMove extends Waiting {
  readonly from: Pick<TableStore, 'exportTable'>;
  readonly to: TableStore;
  /** A folder with room for the lines of one table. */
  readonly tempDir: string;
  /** Of the move. */
  readonly id: string;
  readonly onBytes: (bytes: number) => void;
  /** How many bytes are loaded in one transaction; for tests. */
  readonly pieceBytes?: number;
}

/** Its ledger row says how many pieces are there. No sink ever gets this number. */
const ofTheMove = parseIncarnation(Number.MAX_SAFE_INTEGER);

const ordinaryPieceBytes = 64 * 1024 ** 2;

/**
 * Copies tables with their rows, in order, and reads them back. The pieces of all tables are numbered, and each is loaded as an import is:
 * with the ledger row of the move in one transaction. So a piece is there once, whenever this is cut off and begun again.
 */
export async function moveTables(tables: readonly TableDescription[], move: TablesMove): Promise<void> {
  const { to } = move;
  for (const { tableId, columns, primaryKey } of tables)
    if ((await to.describeTable(tableId, move)) === undefined)
      await to.createTable(tableId, columns, { primaryKey, signal: move.signal });
  await to.createLedger(ofTheMove, move);
  const loaded = (await to.readLedger(ofTheMove, move))?.number ?? 0;
  let number = 0;
  for (const table of tables) number = await moveTable(table, { number, loaded }, move);
}

/** Takes away what kept the pieces from being loaded twice; once nobody copies any more. */
export async function forgetPieces(to: Pick<TableStore, 'deleteLedger'>, options: Waiting): Promise<void> {
  await to.deleteLedger(ofTheMove, options);
}

async function moveTable(
  table: TableDescription,
  { number: before, loaded }: { readonly number: number; readonly loaded: number },
  move: TablesMove,
): Promise<number> {
  const { from, to, tempDir, pieceBytes = ordinaryPieceBytes } = move;
  const path = join(tempDir, `migrate-${move.id}.csv`);
  let number = before;
  try {
    const { pieces, ...lines } = await spooled(table, { from, path, pieceBytes, signal: move.signal });
    for (const piece of pieces) {
      number += 1;
      if (number > loaded) await loadPiece(table, { number, piece, path }, move);
      move.onBytes(piece.bytes);
    }
    const found = await digestOfTable(await to.exportTable(table.tableId, 'csv', move));
    if (found.digest === lines.digest && found.rows === lines.rows) return number;
    const message = `the table "${table.tableId}" of the cluster is not as it was copied: it has ${found.rows} rows, and others than the ${lines.rows} of the data folder`;
    throw new MillraceError('migration.failed', message, { details: { tableId: table.tableId } });
  } finally {
    await rm(path, { force: true });
  }
}

interface Spooling extends Pick<TablesMove, 'from' | 'signal'> {
  readonly path: string;
  readonly pieceBytes: number;
}

/** The lines of a table in a file; what keeps them from being written says where, and that there must be room. */
async function spooled(
  { tableId }: TableDescription,
  { from, path, pieceBytes, signal }: Spooling,
): Promise<SpooledTable> {
  try {
    return await spoolTable(await from.exportTable(tableId, 'csv', { signal }), path, pieceBytes);
  } catch (thrown) {
    signal.throwIfAborted();
    const message = `the rows of the table "${tableId}" cannot be written into "${dirname(path)}", where there must be room for its CSV twice: ${messageOf(thrown)}`;
    throw new MillraceError('table.unavailable', message, { cause: thrown, details: { tableId } });
  }
}

async function loadPiece(
  { tableId, columns }: TableDescription,
  { number, piece, path }: { readonly number: number; readonly piece: TablePiece; readonly path: string },
  { to, id, ...waiting }: TablesMove,
): Promise<void> {
  const { start, bytes, rows, checksum } = piece;
  const content: CsvContent = {
    name: `${tableId} from byte ${start}`,
    bytes,
    checksum,
    localPath: undefined,
    open: ({ signal }) => Promise.resolve(createReadStream(path, { start, end: start + bytes - 1, signal })),
  };
  const request = { incarnation: ofTheMove, number, id, tableId, columns, rows: [content], dead: [] };
  const counts = { expected: { rows, dead: 0 }, before: { rows: 0, dead: 0 } };
  await to.import({ ...request, ...counts }, waiting);
}
