import { MillraceError } from '../../core/millrace-error.ts';
import type { TableId } from '../../core/table-id.ts';
import type { LoadRow } from '../../ports/table-loads.ts';
import { contentsOf, type LoadPart, type PlannedLoad } from '../planned-loads.ts';
import { loadStaged } from '../staged-content.ts';
import type { PostgresClient, PostgresConnection } from './client.ts';
import { answerGraceMs } from './config.ts';
import { copyContents } from './copy-contents.ts';
import { dependable } from './dependable.ts';
import { fitTable, purposeOf } from './fitting-table.ts';
import { ledgerMismatch, loadRowOf, moveLoadRow, readLoadRow } from './load-ledger.ts';
import { lockTable } from './lock-table.ts';
import { makeTable, removeHidden } from './make-table.ts';
import { ProgressWatch } from './progress-watch.ts';
import type { TableLimits } from './table-config.ts';
import { identifier, orderColumn, storedColumn, tableOf } from './table-names.ts';
import { addRows, storedTables, type StoredTable } from './table-registry.ts';

interface Loading {
  readonly id: string;
  readonly note: string;
  readonly plans: readonly PlannedLoad[];
}

interface Loaded {
  readonly tableId: TableId;
  /** What the table has more by it; all that it has where its rows were replaced. */
  readonly rows: number;
  readonly isReplaced: boolean;
}

const never = new AbortController().signal;

/** How often a load begins anew because its tables have changed between a look at them and their locks. */
const mostTries = 10;

/**
 * Loads all tables and moves the ledger row in one transaction, or returns the row that has moved already. As with an import the
 * row is moved last, and an abort takes everything back until then.
 *
 * Tables that are missing are made before, in a transaction of their own and shown to nobody: who makes tables keeps others from it until
 * the transaction ends. A table is locked at once as strongly as its load needs it, so that loads never wait for each other in a circle.
 */
export class TablesLoad {
  readonly #client: PostgresClient;
  readonly #limits: TableLimits;
  readonly #loading: Loading;

  constructor(client: PostgresClient, limits: TableLimits, loading: Loading) {
    this.#client = client;
    this.#limits = limits;
    this.#loading = loading;
  }

  /** Rejects with the errors of the port; `table.unavailable` may mean that it was loaded. */
  async run(signal: AbortSignal): Promise<LoadRow> {
    return await loadStaged(contentsOf(this.#loading.plans), () => this.#runOnce(signal), { signal });
  }

  async #runOnce(signal: AbortSignal): Promise<LoadRow> {
    const { id, note } = this.#loading;
    using watch = new ProgressWatch(signal, { stillMs: this.#limits.progressMs, reason: () => this.#stands() });
    let isCommitting = false;
    const made: TableId[] = [];
    try {
      const row = await this.#client.withConnection(async (connection) => {
        const known = await loadRowOf(connection, id);
        if (known.verdict !== 'open') return known;
        const loaded = await this.#load(connection, made, watch);
        watch.ignoreCaller();
        if (!(await moveLoadRow(connection, id, note))) return await this.#rowOfTheOther(connection);
        for (const one of loaded) await addRows(connection, one);
        watch.progress();
        isCommitting = true;
        const { command } = await connection.query('COMMIT');
        if (command !== 'COMMIT')
          throw new MillraceError('table.unavailable', 'PostgreSQL rolled the transaction back');
        return { verdict: 'loaded', note } as const;
      }, watch);
      if (row.verdict === 'abandoned') await this.#removeMade(made);
      return row;
    } catch (thrown) {
      if (isCommitting) return await this.#lookUp(thrown);
      await this.#removeMade(made);
      throw thrown;
    }
  }

  async #load(connection: PostgresConnection, made: TableId[], watch: ProgressWatch): Promise<readonly Loaded[]> {
    for (let tries = 1; tries <= mostTries; tries += 1) {
      await this.#makeMissing(connection, made);
      const { importMs, lockMs } = this.#limits;
      // Row numbers that this connection has left from an earlier load would put its rows before those of others.
      await connection.query(
        `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL statement_timeout = ${importMs};
          SET LOCAL lock_timeout = ${lockMs}; SET LOCAL enable_nestloop = off; DISCARD SEQUENCES`,
      );
      const tables = await this.#lockAll(connection, watch);
      if (tables !== undefined) {
        const loaded: Loaded[] = [];
        for (const [plan, table] of tables) loaded.push(await this.#loadTable(connection, { plan, table, watch }));
        return loaded;
      }
      await connection.query('ROLLBACK');
    }
    throw new MillraceError('table.unavailable', 'the tables of a load are changed all the time: try again later');
  }

  async #makeMissing(connection: PostgresConnection, made: TableId[]): Promise<void> {
    for (const { tableId, columns, primaryKey } of this.#loading.plans) {
      const [present] = await storedTables(connection, tableId);
      if (present !== undefined) continue;
      made.push(tableId);
      await connection.query(`BEGIN; SET LOCAL lock_timeout = ${this.#limits.lockMs}`);
      await makeTable(connection, tableId, { columns, primaryKey, isShown: false });
      await connection.query('COMMIT');
    }
  }

  /** Undefined when a table has gone, or needs a stronger lock than it seemed to. */
  async #lockAll(
    connection: PostgresConnection,
    watch: ProgressWatch,
  ): Promise<readonly (readonly [PlannedLoad, StoredTable])[] | undefined> {
    const tables: (readonly [PlannedLoad, StoredTable])[] = [];
    for (const plan of this.#loading.plans) {
      const [seen] = await storedTables(connection, plan.tableId);
      if (seen === undefined) return undefined;
      const purpose = purposeOf(plan, seen);
      const table = await lockTable(connection, plan.tableId, purpose).catch((thrown: unknown) => {
        if (thrown instanceof MillraceError && thrown.code === 'table.notFound') return undefined;
        throw thrown;
      });
      if (table === undefined || purposeOf(plan, table) !== purpose) return undefined;
      watch.progress();
      tables.push([plan, table]);
    }
    return tables;
  }

  async #loadTable(
    connection: PostgresConnection,
    { plan, table, watch }: { readonly plan: PlannedLoad; readonly table: StoredTable; readonly watch: ProgressWatch },
  ): Promise<Loaded> {
    const { tableId, parts, isIncremental } = plan;
    // Each statement of the server ends by itself.
    const patience = this.#limits.importMs + answerGraceMs;
    watch.progress(patience);
    const { columns, primaryKey } = await fitTable(connection, plan, table);
    watch.progress();
    let rows = 0;
    for (const part of parts) rows += await copyContents(connection, { tableId, ...placedPart(part, columns) }, watch);
    watch.progress(patience);
    if (primaryKey.length > 0) rows -= await removeReplaced(connection, tableId, primaryKey);
    watch.progress();
    return { tableId, rows, isReplaced: !isIncremental || !table.isShown };
  }

  /** Somebody else has moved the row meanwhile: what we loaded goes back, and the ledger says what holds. */
  async #rowOfTheOther(connection: PostgresConnection): Promise<LoadRow> {
    await connection.query('ROLLBACK');
    const row = await loadRowOf(connection, this.#loading.id);
    if (row.verdict !== 'open') return row;
    throw ledgerMismatch(`the ledger row of the load "${this.#loading.id}" changed meanwhile`);
  }

  /** The answer to the commit was lost. Only a ledger row that has moved tells; one that is open may move still. */
  async #lookUp(thrown: unknown): Promise<LoadRow> {
    const row = await this.#client
      .withConnection((connection) => readLoadRow(connection, this.#loading.id), this.#lastLook())
      .catch(() => undefined);
    if (row === undefined || row.verdict === 'open') throw thrown;
    return row;
  }

  /** As far as it can be done: a table that stays is shown to nobody, and gives way to whoever makes one in its place. */
  async #removeMade(made: readonly TableId[]): Promise<void> {
    if (made.length === 0) return;
    const remove = (connection: PostgresConnection): Promise<void> => removeHidden(connection, made);
    await this.#client.transaction(remove, this.#lastLook()).catch(() => undefined);
  }

  #lastLook() {
    return { signal: never, answerMs: this.#limits.progressMs };
  }

  #stands(): MillraceError {
    const seconds = this.#limits.progressMs / 1000;
    return new MillraceError(
      'table.unavailable',
      `the load "${this.#loading.id}" stood still for ${seconds} s: PostgreSQL takes no bytes, or its content does not come`,
    );
  }
}

function placedPart({ columns, contents, expectedRows }: LoadPart, all: readonly string[]) {
  const cells = all.map((name) => (columns.includes(name) ? columns.indexOf(name) : null));
  return { columns, contents, expected: expectedRows, placed: { columns: all, cells } };
}

/**
 * Of rows with the same key, one of which this transaction has loaded, the last one stays. Answers how many went: one statement, whatever
 * the number of rows. Without statistics PostgreSQL would take the loaded ones for a few, and read the table once for each: nested loops
 * are off.
 */
async function removeReplaced(
  connection: PostgresConnection,
  tableId: TableId,
  primaryKey: readonly string[],
): Promise<number> {
  const table = tableOf(tableId);
  const order = identifier(orderColumn);
  const key = primaryKey.map((column) => identifier(storedColumn(column)));
  const isSame = key.map((column) => `present.${column} = loaded.${column}`).join(' AND ');
  const statement = connection.query(
    `DELETE FROM ONLY ${table} present
      USING (SELECT ${key.join(', ')}, max(${order}) AS last FROM ONLY ${table}
        WHERE xmin = pg_current_xact_id()::xid GROUP BY ${key.join(', ')}) loaded
      WHERE ${isSame} AND present.${order} < loaded.last`,
  );
  let removed = 0;
  await dependable(
    tableId,
    statement.then(({ rowCount }) => (removed = rowCount ?? 0)),
  );
  return removed;
}
