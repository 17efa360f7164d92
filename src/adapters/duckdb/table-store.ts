import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { ColumnChange } from '../../core/column-change.ts';
import type { DeadLetterCells } from '../../core/dead-letter.ts';
import type { Incarnation } from '../../core/ids.ts';
import type { InstallationId } from '../../core/installation-id.ts';
import type { TableId } from '../../core/table-id.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { NextLetters } from '../../ports/dead-letters.ts';
import type { ImportRequest, LedgerRow } from '../../ports/import-ledger.ts';
import type { LedgerContents } from '../../ports/ledger-transfer.ts';
import type { CountedRows, CountQuery, ExportFormat, PreviewQuery, TablePreview } from '../../ports/table-pages.ts';
import type { TableStore } from '../../ports/table-store.ts';
import type { LoadRequest, LoadRow } from '../../ports/table-loads.ts';
import type { DropTable, MakeTable, TableDescription, LettersToDelete } from '../../ports/tables.ts';
import { contentsOf, plannedLoads, type PlannedLoad } from '../planned-loads.ts';
import { loadStaged } from '../staged-content.ts';
import { checkAttempt, checkDeletion } from '../table-requests.ts';
import { DuckDbClient } from './client.ts';
import { countRows } from './count-rows.ts';
import type { DuckDbConfig } from './config.ts';
import { nextLetters } from './dead-letters.ts';
import { exportFile } from './export-file.ts';
import { importSlices } from './import-slices.ts';
import {
  addLedgerRow,
  makeLedger,
  moveLedgerRow,
  readLedgerRow,
  readLedgerRows,
  removeLedgerRow,
  verdictOf,
} from './ledger.ts';
import { adoptLedger, readLedgerContents } from './ledger-transfer.ts';
import { giveLoadUp, loadRowOf, makeLoads, openLoadRow, readLoadRow, removeLoadRow } from './load-ledger.ts';
import { loadTables, localLoads } from './load-tables.ts';
import { makeMark, readMark, writeMark } from './installation-mark.ts';
import { localFiles } from './local-files.ts';
import { previewRows } from './preview-rows.ts';
import { changeColumns, removeRows, removeTable, renameWithin, deleteLetters } from './change-table.ts';
import { hasTable } from './has-table.ts';
import { columnsOf, describeTables, foreignColumns, makeTable, removeEmptySchema } from './table-catalog.ts';
import { transaction } from './transaction.ts';

const never = new AbortController().signal;

/** Tables in a file of their own. */
export interface DuckDbTables extends TableStore {
  /**
   * Runs `work` while nothing changes in the tables: what others want to change waits. It is given the files that hold them, and may run
   * again, after a failure of the store, so it must make anew what it made. Errors are those of the port, or of `work`.
   */
  whileStill<T>(work: (files: readonly string[]) => Promise<T>, options: Waiting): Promise<T>;
  /** Columns of tables that are no texts, or may be NULL, because somebody has made them so by hand; in words. */
  foreignColumns(options: Waiting): Promise<readonly string[]>;
}

/**
 * Opens or makes the tables of a file, which this process then has for itself. `data.locked` when another process has it;
 * `data.newerFormat`, `data.unusable`.
 */
export async function openDuckDbTableStore(config: DuckDbConfig): Promise<DuckDbTables> {
  const client = await DuckDbClient.open(config);
  try {
    await client.run('write', never, makeLedger);
    await client.run('write', never, makeLoads);
    await client.run('write', never, makeMark);
  } catch (error) {
    await client.close();
    throw error;
  }
  return new DuckDbTableStore(client);
}

class DuckDbTableStore implements DuckDbTables {
  readonly atomicity = 'sameTransaction';
  readonly #client: DuckDbClient;
  readonly #opening = `${randomUUID()}/`;

  constructor(client: DuckDbClient) {
    this.#client = client;
  }

  /** Its file may be moved. */
  async location(): Promise<undefined> {
    return undefined;
  }

  async claimant({ signal }: Waiting): Promise<InstallationId | undefined> {
    return await this.#client.run('read', signal, readMark);
  }

  async claim(installation: InstallationId, { signal }: Waiting): Promise<InstallationId> {
    return await this.#client.run('write', signal, (connection) => writeMark(connection, installation));
  }

  async createTable(
    tableId: TableId,
    columns: readonly string[],
    { primaryKey = [], signal }: MakeTable,
  ): Promise<void> {
    await this.#client.run('write', signal, (connection) =>
      transaction(connection, () => makeTable(connection, tableId, { columns, primaryKey })),
    );
  }

  async describeTable(tableId: TableId, { signal }: Waiting): Promise<TableDescription | undefined> {
    const [description] = await this.#client.run('read', signal, (connection) => this.#describe(connection, tableId));
    return description;
  }

  async columnsOf(tableId: TableId, { signal }: Waiting): Promise<readonly string[] | undefined> {
    return await this.#client.run('read', signal, (connection) =>
      transaction(connection, async () => {
        if (!(await hasTable(connection, tableId))) return undefined;
        return (await columnsOf(connection, tableId)).map(({ name }) => name);
      }),
    );
  }

  async listTables({ signal }: Waiting): Promise<readonly TableDescription[]> {
    return await this.#client.run('read', signal, (connection) => this.#describe(connection));
  }

  /** The numbers of the database begin anew when it is opened. */
  async #describe(connection: DuckDBConnection, tableId?: TableId): Promise<readonly TableDescription[]> {
    const found = await describeTables(connection, tableId);
    return found.map(({ number, ...table }) => ({ ...table, identity: `${this.#opening}${number}` }));
  }

  async alterTable(tableId: TableId, change: ColumnChange, { signal }: Waiting): Promise<void> {
    await this.#client.run('write', signal, (connection) => changeColumns(connection, tableId, change));
  }

  async emptyTable(tableId: TableId, { signal }: Waiting): Promise<void> {
    await this.#client.run('write', signal, (connection) => removeRows(connection, tableId));
  }

  async deleteLetters(letters: LettersToDelete, { signal }: Waiting): Promise<number> {
    checkDeletion(letters);
    return await this.#client.run('write', signal, (connection) => deleteLetters(connection, { ...letters, signal }));
  }

  async renameTable(tableId: TableId, to: TableId, { signal }: Waiting): Promise<void> {
    await this.#client.run('write', signal, (connection) => renameWithin(connection, tableId, to));
  }

  async dropTable(tableId: TableId, { identity, signal }: DropTable): Promise<void> {
    await this.#client.run('write', signal, async (connection) => {
      const [found] = await this.#describe(connection, tableId);
      // One of an earlier opening was told to nobody who could still be late.
      const isOther = identity?.startsWith(this.#opening) === true && identity !== found?.identity;
      if (found !== undefined && !isOther) await removeTable(connection, tableId);
    });
  }

  async dropBucket(tableId: TableId, { signal }: Waiting): Promise<void> {
    await this.#client.run('write', signal, (connection) => removeEmptySchema(connection, tableId));
  }

  async createLedger(incarnation: Incarnation, { signal }: Waiting): Promise<void> {
    await this.#client.run('write', signal, (connection) => addLedgerRow(connection, incarnation));
  }

  async readLedger(incarnation: Incarnation, { signal }: Waiting): Promise<LedgerRow | undefined> {
    return await this.#client.run('read', signal, (connection) => readLedgerRow(connection, incarnation));
  }

  async readLedgers(
    incarnations: readonly Incarnation[],
    { signal }: Waiting,
  ): Promise<ReadonlyMap<Incarnation, LedgerRow>> {
    return await this.#client.run('read', signal, (connection) => readLedgerRows(connection, incarnations));
  }

  async deleteLedger(incarnation: Incarnation, { signal }: Waiting): Promise<void> {
    await this.#client.run('write', signal, (connection) => removeLedgerRow(connection, incarnation));
  }

  async readLedgerContents({ signal }: Waiting): Promise<LedgerContents> {
    return await this.#client.run('read', signal, readLedgerContents);
  }

  async adoptLedger(contents: LedgerContents, { signal }: Waiting): Promise<void> {
    await this.#client.run('write', signal, (connection) =>
      transaction(connection, () => adoptLedger(connection, contents)),
    );
  }

  async import(request: ImportRequest, { signal }: Waiting): Promise<LedgerRow['verdict']> {
    checkAttempt(request);
    const known = await this.#client.run('read', signal, (connection) =>
      verdictOf(connection, request.incarnation, request),
    );
    if (known !== undefined) return known;
    const { rows, dead, replaced } = request;
    const contents = [...rows, ...dead, ...(replaced?.letters ?? [])];
    return await loadStaged(contents, () => this.#load(request, signal), { signal });
  }

  async #load(request: ImportRequest, signal: AbortSignal): Promise<LedgerRow['verdict']> {
    await using rows = await localFiles(request.rows, this.#client.tempDir, { signal });
    await using dead = await localFiles(request.dead, this.#client.tempDir, { signal });
    await using letters = await localFiles(request.replaced?.letters ?? [], this.#client.tempDir, { signal });
    return await this.#client.run('write', signal, (connection) =>
      importSlices(connection, { request, rows, dead, letters, signal }),
    );
  }

  async abandon(
    incarnation: Incarnation,
    attempt: { readonly number: number; readonly id: string },
    { signal }: Waiting,
  ): Promise<LedgerRow['verdict']> {
    checkAttempt(attempt);
    return await this.#client.run('write', signal, (connection) =>
      transaction(connection, async () => {
        const verdict = await verdictOf(connection, incarnation, attempt);
        if (verdict !== undefined) return verdict;
        await moveLedgerRow(connection, incarnation, { number: attempt.number, id: attempt.id, verdict: 'abandoned' });
        return 'abandoned';
      }),
    );
  }

  async nextLetters(query: NextLetters, { signal }: Waiting): Promise<readonly DeadLetterCells[]> {
    return await this.#client.run('read', signal, (connection) => nextLetters(connection, { ...query, signal }));
  }

  async openLoad(id: string, { signal }: Waiting): Promise<void> {
    await this.#client.run('write', signal, (connection) => openLoadRow(connection, id));
  }

  async readLoad(id: string, { signal }: Waiting): Promise<LoadRow | undefined> {
    return await this.#client.run('read', signal, (connection) => readLoadRow(connection, id));
  }

  async load(id: string, load: LoadRequest, { signal }: Waiting): Promise<LoadRow> {
    const plans = plannedLoads(id, load);
    const known = await this.#client.run('read', signal, (connection) => loadRowOf(connection, id));
    if (known.verdict !== 'open') return known;
    const loadOnce = (): Promise<LoadRow> => this.#loadTables({ id, note: load.note, plans }, signal);
    return await loadStaged(contentsOf(plans), loadOnce, { signal });
  }

  async #loadTables(
    load: { readonly id: string; readonly note: string; readonly plans: readonly PlannedLoad[] },
    signal: AbortSignal,
  ): Promise<LoadRow> {
    await using local = await localLoads(load.plans, this.#client.tempDir, { signal });
    return await this.#client.run('write', signal, (connection) =>
      loadTables(connection, { ...load, loads: local.loads, signal }),
    );
  }

  async abandonLoad(id: string, { signal }: Waiting): Promise<LoadRow> {
    return await this.#client.run('write', signal, (connection) =>
      transaction(connection, () => giveLoadUp(connection, id)),
    );
  }

  async forgetLoad(id: string, { signal }: Waiting): Promise<void> {
    await this.#client.run('write', signal, (connection) => removeLoadRow(connection, id));
  }

  async preview(tableId: TableId, query: PreviewQuery, { signal }: Waiting): Promise<TablePreview> {
    return await this.#client.run('read', signal, (connection) =>
      previewRows(connection, { tableId, ...query, signal }),
    );
  }

  async countRows(tableId: TableId, query: CountQuery, { signal }: Waiting): Promise<readonly CountedRows[]> {
    return await this.#client.run('read', signal, (connection) => countRows(connection, { tableId, ...query, signal }));
  }

  async exportTable(tableId: TableId, format: ExportFormat, { signal }: Waiting): Promise<Readable> {
    return await this.#client.run('export', signal, (connection) =>
      exportFile(connection, this.#client.tempDir, { tableId, format, signal }),
    );
  }

  async foreignColumns({ signal }: Waiting): Promise<readonly string[]> {
    return await this.#client.run('read', signal, foreignColumns);
  }

  async whileStill<T>(work: (files: readonly string[]) => Promise<T>, { signal }: Waiting): Promise<T> {
    return await this.#client.run('write', signal, () => work(this.#client.files));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.close();
  }
}
