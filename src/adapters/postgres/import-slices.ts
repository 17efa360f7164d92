import { cellsInPlace } from '../../core/column-change.ts';
import { deadLetterColumns } from '../../core/dead-letter.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { deadLetterTable, type TableId } from '../../core/table-id.ts';
import type { ImportRequest, LedgerRow } from '../../ports/import-ledger.ts';
import { requireTaken } from '../letters-gone.ts';
import { loadStaged } from '../staged-content.ts';
import type { PostgresClient, PostgresConnection } from './client.ts';
import { copyContents, type Load } from './copy-contents.ts';
import { takeLetters } from './dead-letters.ts';
import { moveLedgerRow, verdictOf } from './ledger.ts';
import { checkColumns, lockTable } from './lock-table.ts';
import { makeTable } from './make-table.ts';
import { ProgressWatch } from './progress-watch.ts';
import type { TableLimits } from './table-config.ts';
import { countRows, storedTables } from './table-registry.ts';

interface Loaded {
  readonly tableId: TableId;
  readonly rows: number;
}

const never = new AbortController().signal;

/**
 * Loads all content and moves the ledger row in one transaction, or returns the verdict that the ledger has. The row is
 * moved last: another load under the same number waits only for our commit, and abandoning an import never waits for
 * its load. An abort takes everything back until then, and is not seen any more after that.
 */
export class SliceImport {
  readonly #client: PostgresClient;
  readonly #limits: TableLimits;
  readonly #request: ImportRequest;

  constructor(client: PostgresClient, limits: TableLimits, request: ImportRequest) {
    this.#client = client;
    this.#limits = limits;
    this.#request = request;
  }

  /** Rejects with the errors of the port; `table.unavailable` may mean that it was loaded. */
  async run(signal: AbortSignal): Promise<LedgerRow['verdict']> {
    const { rows, dead, replaced } = this.#request;
    const contents = [...rows, ...dead, ...(replaced?.letters ?? [])];
    return await loadStaged(contents, () => this.#runOnce(signal), { signal });
  }

  async #runOnce(signal: AbortSignal): Promise<LedgerRow['verdict']> {
    using watch = new ProgressWatch(signal, { stillMs: this.#limits.progressMs, reason: () => this.#stands() });
    const options = { signal: watch.signal };
    let isCommitting = false;
    try {
      return await this.#client.withConnection(async (connection) => {
        const known = await verdictOf(connection, this.#request.incarnation, this.#request);
        if (known !== undefined) return known;
        const loads = this.#loads();
        if (loads.some(({ tableId }) => tableId === deadLetterTable)) await makeDeadLetterTable(connection);
        const loaded = await this.#load(connection, loads, watch);
        const deleted = await this.#takeLetters(connection, watch);
        watch.ignoreCaller();
        if (!(await this.#moveLedger(connection, loaded, deleted))) return await this.#verdictOfTheOther(connection);
        watch.progress();
        isCommitting = true;
        await commit(connection);
        return 'loaded';
      }, options);
    } catch (thrown) {
      if (!isCommitting) throw thrown;
      return await this.#lookUp(thrown);
    }
  }

  #loads(): readonly Load[] {
    const { tableId, columns, placed = cellsInPlace(columns), rows, dead, expected } = this.#request;
    const ordinary: Load = { tableId, columns, placed, contents: rows, expected: expected.rows };
    if (expected.dead === 0 && dead.length === 0) return [ordinary];
    const placedLetters = cellsInPlace(deadLetterColumns);
    const letters = { columns: deadLetterColumns, placed: placedLetters, contents: dead, expected: expected.dead };
    return [ordinary, { tableId: deadLetterTable, ...letters }];
  }

  async #load(
    connection: PostgresConnection,
    loads: readonly Load[],
    watch: ProgressWatch,
  ): Promise<readonly Loaded[]> {
    const { importMs, lockMs } = this.#limits;
    // In one round trip. Row numbers that this connection has left from an earlier import would put its rows before
    // those of others.
    await connection.query(
      `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL statement_timeout = ${importMs};
        SET LOCAL lock_timeout = ${lockMs}; DISCARD SEQUENCES`,
    );
    for (const load of loads) {
      checkColumns(await lockTable(connection, load.tableId, 'rows'), load.placed.columns);
      watch.progress();
    }
    const loaded: Loaded[] = [];
    for (const load of loads) loaded.push({ tableId: load.tableId, rows: await copyContents(connection, load, watch) });
    return loaded;
  }

  /** In the transaction of the rows; answers how many that were. `table.lettersGone` when they are not those that were named. */
  async #takeLetters(connection: PostgresConnection, watch: ProgressWatch): Promise<number> {
    const { incarnation, replaced } = this.#request;
    if (replaced === undefined) return 0;
    const deleted = await takeLetters(connection, { incarnation, replaced, watch });
    requireTaken(this.#request, deleted);
    return deleted;
  }

  async #moveLedger(
    connection: PostgresConnection,
    [ordinary, letters]: readonly Loaded[],
    deleted: number,
  ): Promise<boolean> {
    const { incarnation, number, id, before } = this.#request;
    const loaded = { rows: ordinary?.rows ?? 0, dead: (letters?.rows ?? 0) - deleted };
    if (!(await moveLedgerRow(connection, incarnation, { number, id, verdict: 'loaded', loaded, before })))
      return false;
    const added = new Map<TableId, number>();
    for (const one of [ordinary, letters]) {
      if (one !== undefined) added.set(one.tableId, (added.get(one.tableId) ?? 0) + one.rows);
    }
    if (deleted > 0) added.set(deadLetterTable, (added.get(deadLetterTable) ?? 0) - deleted);
    await countRows(connection, added);
    return true;
  }

  /** Somebody else has moved the row meanwhile: what we loaded goes back, and the ledger says what holds. */
  async #verdictOfTheOther(connection: PostgresConnection): Promise<LedgerRow['verdict']> {
    const { incarnation, number } = this.#request;
    await connection.query('ROLLBACK');
    const verdict = await verdictOf(connection, incarnation, this.#request);
    if (verdict !== undefined) return verdict;
    throw new MillraceError('table.ledgerMismatch', `the ledger of incarnation ${incarnation} changed meanwhile`, {
      details: { incarnation, number },
    });
  }

  /** The answer to the commit was lost. Only a ledger that has this import tells; one without it may get it still. */
  async #lookUp(thrown: unknown): Promise<LedgerRow['verdict']> {
    const { incarnation } = this.#request;
    const options = { signal: never, answerMs: this.#limits.progressMs };
    const verdict = await this.#client
      .withConnection((connection) => verdictOf(connection, incarnation, this.#request), options)
      .catch(() => undefined);
    if (verdict === undefined) throw thrown;
    return verdict;
  }

  #stands(): MillraceError {
    const { tableId } = this.#request;
    const seconds = this.#limits.progressMs / 1000;
    return new MillraceError(
      'table.unavailable',
      `the import into the table "${tableId}" stood still for ${seconds} s: PostgreSQL takes no bytes, or staging gives none`,
      { details: { tableId } },
    );
  }
}

/** In a transaction of its own, so that imports of other sinks do not wait until this one has ended. */
async function makeDeadLetterTable(connection: PostgresConnection): Promise<void> {
  const [present] = await storedTables(connection, deadLetterTable);
  if (present !== undefined) return;
  await connection.query('BEGIN');
  await makeTable(connection, deadLetterTable, { columns: deadLetterColumns, isShown: false });
  await commit(connection);
}

/** A commit of a transaction that failed before answers ROLLBACK and no error. */
async function commit(connection: PostgresConnection): Promise<void> {
  const { command } = await connection.query('COMMIT');
  if (command !== 'COMMIT') throw new MillraceError('table.unavailable', 'PostgreSQL rolled the transaction back');
}
