import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { ColumnChange } from '../../core/column-change.ts';
import type { DeadLetterCells } from '../../core/dead-letter.ts';
import type { Incarnation } from '../../core/ids.ts';
import type { InstallationId } from '../../core/installation-id.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { TableId } from '../../core/table-id.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { NextLetters } from '../../ports/dead-letters.ts';
import type { ImportRequest, LedgerRow } from '../../ports/import-ledger.ts';
import type { LedgerContents } from '../../ports/ledger-transfer.ts';
import type { CountedRows, CountQuery, ExportFormat, PreviewQuery, TablePreview } from '../../ports/table-pages.ts';
import type { TableStore } from '../../ports/table-store.ts';
import type { LoadRequest, LoadRow } from '../../ports/table-loads.ts';
import type { DropTable, MakeTable, TableDescription, LettersToDelete } from '../../ports/tables.ts';
import { plannedLoads } from '../planned-loads.ts';
import { checkAttempt, checkDeletion } from '../table-requests.ts';
import { changeColumns, removeRows, renameWithin, deleteLetters } from './change-table.ts';
import { PostgresClient, type PostgresConnection } from './client.ts';
import { answerGraceMs } from './config.ts';
import { nextLetters } from './dead-letters.ts';
import { endStalledLoads } from './end-stalled-loads.ts';
import { countRows } from './count-rows.ts';
import { exportParquet } from './export-parquet.ts';
import { exportText } from './export-table.ts';
import { SliceImport } from './import-slices.ts';
import { readMark, writeMark } from './installation-mark.ts';
import { readLocation } from './location.ts';
import { addLedgerRow, moveLedgerRow, readLedgerRow, readLedgerRows, removeLedgerRow, verdictOf } from './ledger.ts';
import { adoptLedger, readLedgerContents } from './ledger-transfer.ts';
import { giveLoadUp, openLoadRow, readLoadRow, removeLoadRow } from './load-ledger.ts';
import { TablesLoad } from './load-tables.ts';
import { makeTable, removeEmptySchema, removeTable } from './make-table.ts';
import { previewRows } from './preview-rows.ts';
import { exportsAtOnce, tableLimits, type PostgresTableOptions, type TableLimits } from './table-config.ts';
import { isLockTimeout } from './table-errors.ts';
import { schemaName } from './table-names.ts';
import { exactRows, storedTables, type StoredTable } from './table-registry.ts';
import { makeTableFormat } from './table-format.ts';

/**
 * Tables in a PostgreSQL database that other processes may use as well. Makes the schema `millrace_tables` when it is not there.
 * `table.unavailable` when the server cannot be reached, `data.newerFormat` when a newer version has been here.
 */
export async function openPostgresTableStore(options: PostgresTableOptions, { signal }: Waiting): Promise<TableStore> {
  const client = await PostgresClient.create(options, 'table.unavailable');
  const exports = await PostgresClient.create({ ...options, maxConnections: exportsAtOnce }, 'table.unavailable');
  const store = new PostgresTableStore({ client, exports, options });
  try {
    await store.prepare(signal);
  } catch (thrown) {
    await store[Symbol.asyncDispose]();
    throw thrown;
  }
  return store;
}

interface Parts {
  readonly client: PostgresClient;
  readonly exports: PostgresClient;
  readonly options: PostgresTableOptions;
}

class PostgresTableStore implements TableStore {
  readonly atomicity = 'sameTransaction';
  readonly #client: PostgresClient;
  /** Exports last as long as their readers take, and have connections of their own. */
  readonly #exports: PostgresClient;
  readonly #options: PostgresTableOptions;
  readonly #limits: TableLimits;
  readonly #closing = new AbortController();
  #exporting = 0;

  constructor({ client, exports, options }: Parts) {
    this.#client = client;
    this.#exports = exports;
    this.#options = options;
    this.#limits = tableLimits(options);
  }

  async prepare(signal: AbortSignal): Promise<void> {
    await this.#write(signal, makeTableFormat);
  }

  async location({ signal }: Waiting): Promise<string> {
    return await this.#read(signal, readLocation);
  }

  async claimant({ signal }: Waiting): Promise<InstallationId | undefined> {
    return await this.#read(signal, readMark);
  }

  async claim(installation: InstallationId, { signal }: Waiting): Promise<InstallationId> {
    return await this.#write(signal, (connection) => writeMark(connection, installation));
  }

  async createTable(
    tableId: TableId,
    columns: readonly string[],
    { primaryKey = [], signal }: MakeTable,
  ): Promise<void> {
    await this.#write(signal, (connection) => makeTable(connection, tableId, { columns, primaryKey, isShown: true }));
  }

  async describeTable(tableId: TableId, { signal }: Waiting): Promise<TableDescription | undefined> {
    return await this.#read(signal, async (connection) => {
      const [table] = await storedTables(connection, tableId);
      if (table?.isShown !== true) return undefined;
      return { ...descriptionOf(table), rows: await exactRows(connection, table) };
    });
  }

  async columnsOf(tableId: TableId, { signal }: Waiting): Promise<readonly string[] | undefined> {
    const [table] = await this.#read(signal, (connection) => storedTables(connection, tableId));
    return table?.isShown === true ? descriptionOf(table).columns : undefined;
  }

  async listTables({ signal }: Waiting): Promise<readonly TableDescription[]> {
    const tables = await this.#read(signal, (connection) => storedTables(connection));
    return tables.filter(({ isShown }) => isShown).map(descriptionOf);
  }

  async alterTable(tableId: TableId, change: ColumnChange, { signal }: Waiting): Promise<void> {
    await this.#change(tableId, signal, (connection) => changeColumns(connection, tableId, change));
  }

  async emptyTable(tableId: TableId, { signal }: Waiting): Promise<void> {
    await this.#change(tableId, signal, (connection) => removeRows(connection, tableId));
  }

  async deleteLetters(letters: LettersToDelete, { signal }: Waiting): Promise<number> {
    checkDeletion(letters);
    return await this.#write(signal, (connection) => deleteLetters(connection, letters));
  }

  async renameTable(tableId: TableId, to: TableId, { signal }: Waiting): Promise<void> {
    await this.#change(tableId, signal, (connection) => renameWithin(connection, tableId, to));
  }

  async dropTable(tableId: TableId, { identity, signal }: DropTable): Promise<void> {
    await this.#change(tableId, signal, (connection) => removeTable(connection, tableId, identity));
  }

  async dropBucket(tableId: TableId, { signal }: Waiting): Promise<void> {
    await this.#write(signal, (connection) => removeEmptySchema(connection, schemaName(tableId)));
  }

  async createLedger(incarnation: Incarnation, { signal }: Waiting): Promise<void> {
    await this.#read(signal, (connection) => addLedgerRow(connection, incarnation));
  }

  async readLedger(incarnation: Incarnation, { signal }: Waiting): Promise<LedgerRow | undefined> {
    return await this.#read(signal, (connection) => readLedgerRow(connection, incarnation));
  }

  async readLedgers(
    incarnations: readonly Incarnation[],
    { signal }: Waiting,
  ): Promise<ReadonlyMap<Incarnation, LedgerRow>> {
    return await this.#read(signal, (connection) => readLedgerRows(connection, incarnations));
  }

  async deleteLedger(incarnation: Incarnation, { signal }: Waiting): Promise<void> {
    await this.#read(signal, (connection) => removeLedgerRow(connection, incarnation));
  }

  async readLedgerContents({ signal }: Waiting): Promise<LedgerContents> {
    return await this.#read(signal, readLedgerContents);
  }

  async adoptLedger(contents: LedgerContents, { signal }: Waiting): Promise<void> {
    await this.#write(signal, (connection) => adoptLedger(connection, contents));
  }

  async import(request: ImportRequest, { signal }: Waiting): Promise<LedgerRow['verdict']> {
    checkAttempt(request);
    this.#checkOpen();
    return await new SliceImport(this.#client, this.#limits, request).run(signal);
  }

  async abandon(
    incarnation: Incarnation,
    attempt: { readonly number: number; readonly id: string },
    { signal }: Waiting,
  ): Promise<LedgerRow['verdict']> {
    checkAttempt(attempt);
    return await this.#read(signal, async (connection) => {
      const { number, id } = attempt;
      const known = await verdictOf(connection, incarnation, attempt);
      if (known !== undefined) return known;
      if (await moveLedgerRow(connection, incarnation, { number, id, verdict: 'abandoned' })) return 'abandoned';
      const verdict = await verdictOf(connection, incarnation, attempt);
      if (verdict !== undefined) return verdict;
      throw new MillraceError('table.ledgerMismatch', `the ledger of incarnation ${incarnation} changed meanwhile`);
    });
  }

  async nextLetters(query: NextLetters, { signal }: Waiting): Promise<readonly DeadLetterCells[]> {
    return await this.#read(signal, (connection) => nextLetters(connection, query));
  }

  async openLoad(id: string, { signal }: Waiting): Promise<void> {
    await this.#read(signal, (connection) => openLoadRow(connection, id));
  }

  async readLoad(id: string, { signal }: Waiting): Promise<LoadRow | undefined> {
    return await this.#read(signal, (connection) => readLoadRow(connection, id));
  }

  async load(id: string, load: LoadRequest, { signal }: Waiting): Promise<LoadRow> {
    const plans = plannedLoads(id, load);
    this.#checkOpen();
    return await new TablesLoad(this.#client, this.#limits, { id, note: load.note, plans }).run(signal);
  }

  async abandonLoad(id: string, { signal }: Waiting): Promise<LoadRow> {
    return await this.#read(signal, (connection) => giveLoadUp(connection, id));
  }

  async forgetLoad(id: string, { signal }: Waiting): Promise<void> {
    await this.#read(signal, (connection) => removeLoadRow(connection, id));
  }

  async preview(tableId: TableId, query: PreviewQuery, { signal }: Waiting): Promise<TablePreview> {
    return await this.#read(signal, (connection) => previewRows(connection, { tableId, ...query }));
  }

  async countRows(tableId: TableId, query: CountQuery, { signal }: Waiting): Promise<readonly CountedRows[]> {
    return await this.#read(signal, (connection) => countRows(connection, { tableId, ...query }));
  }

  async exportTable(tableId: TableId, format: ExportFormat, waiting: Waiting): Promise<Readable> {
    this.#checkOpen();
    waiting.signal.throwIfAborted();
    const signal = AbortSignal.any([waiting.signal, this.#closing.signal]);
    const isParquet = format === 'parquet';
    const wanted = { tableId, format: isParquet ? 'csv' : format, hasHeader: format === 'csv', signal } as const;
    if (this.#exporting >= exportsAtOnce) {
      throw new MillraceError(
        'table.unavailable',
        `${exportsAtOnce} exports run already: try again when one has ended`,
      );
    }
    this.#exporting += 1;
    const text = await exportText(this.#exports, this.#limits, { ...wanted, onEnd: () => (this.#exporting -= 1) });
    if (!isParquet) return text.lines;
    const { parquetMemoryBytes: memoryLimitBytes } = this.#limits;
    return await exportParquet(text, { tempDir: join(this.#options.tempDir, 'tables'), memoryLimitBytes, signal });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(closed());
    await this.#exports[Symbol.asyncDispose]();
    await this.#client[Symbol.asyncDispose]();
  }

  /** Statements that are transactions of their own. */
  async #read<T>(signal: AbortSignal, work: (connection: PostgresConnection) => Promise<T>): Promise<T> {
    this.#checkOpen();
    return await this.#client.withConnection(work, this.#within(signal));
  }

  /** One transaction that needs the table for itself: a load that stands still is ended when it is in the way. */
  async #change(
    tableId: TableId,
    signal: AbortSignal,
    work: (connection: PostgresConnection) => Promise<void>,
  ): Promise<void> {
    try {
      await this.#write(signal, work);
    } catch (thrown) {
      if (!isLockTimeout(thrown)) throw thrown;
      const { importMs } = this.#limits;
      const ended = await this.#read(signal, (connection) => endStalledLoads(connection, { tableId, importMs }));
      if (ended === 0) throw thrown;
      await this.#write(signal, work);
    }
  }

  /** One transaction, which waits for locks of others only so long. */
  async #write<T>(signal: AbortSignal, work: (connection: PostgresConnection) => Promise<T>): Promise<T> {
    this.#checkOpen();
    return await this.#client.transaction(async (connection) => {
      await connection.query(`SELECT set_config('lock_timeout', $1, true)`, [String(this.#limits.lockMs)]);
      return await work(connection);
    }, this.#within(signal));
  }

  /** Each of these calls is a few short statements: one that has no answer by then has lost its server. */
  #within(signal: AbortSignal): Waiting & { readonly answerMs: number } {
    return { signal, answerMs: (this.#options.statementTimeoutMs ?? 30_000) + answerGraceMs };
  }

  #checkOpen(): void {
    if (this.#closing.signal.aborted) throw closed();
  }
}

function closed(): MillraceError {
  return new MillraceError('table.unavailable', 'the table store is closed');
}

function descriptionOf({ tableId, oid, columns, primaryKey, rows }: StoredTable): TableDescription {
  return { tableId, identity: oid, columns: columns.map(({ name }) => name), primaryKey, rows };
}
