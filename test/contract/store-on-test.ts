import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { deadLetterColumns } from '../../src/core/dead-letter.ts';
import { parseIncarnation, type Incarnation } from '../../src/core/ids.ts';
import { parseTableId, type TableId } from '../../src/core/table-id.ts';
import type { CsvContent } from '../../src/ports/csv-content.ts';
import type { ImportRequest } from '../../src/ports/import-ledger.ts';
import type { TableStore } from '../../src/ports/table-store.ts';
import { importRequest } from './import-request.ts';
import type { Rows } from './staged-csv.ts';

export interface TableStoreFixture extends AsyncDisposable {
  /** Closes nothing: opens what the last store left, after it was disposed. */
  open(): Promise<TableStore>;
}

export const waiting = { signal: new AbortController().signal };

/** A line of the dead letter table. */
export const deadRow = (offset: number): string[] => deadLetterColumns.map((column) => `${column} ${offset}`);

/** The store of a suite, with a table id and an incarnation of their own for each test. */
export class StoreOnTest {
  /** How many tests have begun. */
  used = 0;
  #opened: { readonly folder: string; readonly fixture: TableStoreFixture; store: TableStore } | undefined;

  /** Opens and closes the store with the `describe` that this is called in; no test leaves a table. */
  constructor(factory: () => Promise<TableStoreFixture>) {
    beforeAll(async () => {
      const fixture = await factory();
      const folder = await mkdtemp(join(tmpdir(), 'millrace-csv-'));
      this.#opened = { folder, fixture, store: await fixture.open() };
    });
    afterAll(async () => {
      const { folder, fixture, store } = this.#open;
      await store[Symbol.asyncDispose]();
      await fixture[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    });
    beforeEach(() => void (this.used += 1));
    afterEach(async () => {
      for (const table of await this.store.listTables(waiting)) await this.store.dropTable(table.tableId, waiting);
    });
  }

  get #open() {
    if (this.#opened === undefined) throw new Error('no test runs');
    return this.#opened;
  }

  get store(): TableStore {
    return this.#open.store;
  }

  get tableId(): TableId {
    return parseTableId(`in.c-shop.orders_${this.used}`);
  }

  get incarnation(): Incarnation {
    return parseIncarnation(this.used);
  }

  /** Opens what the store has left, which was closed. */
  async openAgain(): Promise<void> {
    this.#open.store = await this.#open.fixture.open();
  }

  /** Makes the table and the ledger row of the test. */
  async made(columns: readonly string[] = ['a', 'b']): Promise<void> {
    await this.store.createTable(this.tableId, columns, waiting);
    await this.store.createLedger(this.incarnation, waiting);
  }

  /** An import of these rows into the table of the test. */
  request(number: number, rows: Rows, change: Partial<ImportRequest> = {}): ImportRequest {
    const { incarnation, tableId } = this;
    return { ...importRequest({ incarnation, tableId }, number, rows), ...change };
  }

  /** Content with a path on this machine. */
  async fileOf(csv: string | Buffer): Promise<CsvContent> {
    const localPath = join(this.#open.folder, randomUUID());
    await writeFile(localPath, csv);
    const open = (): Promise<Readable> => Promise.reject(new Error('it has a path'));
    return { name: 'file', bytes: (await stat(localPath)).size, localPath, open };
  }

  async rowsOf(id = this.tableId): Promise<Rows> {
    return (await this.store.preview(id, { limit: 100_000 }, waiting)).rows;
  }

  async exported(format: 'csv' | 'ndjson'): Promise<string> {
    return text(await this.store.exportTable(this.tableId, format, waiting));
  }
}
