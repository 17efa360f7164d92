import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { openPostgresTableStore } from '../../src/adapters/postgres/table-store.ts';
import type { PostgresTableOptions } from '../../src/adapters/postgres/table-config.ts';
import { Secret } from '../../src/config/secrets.ts';
import { parseIncarnation, type Incarnation } from '../../src/core/ids.ts';
import { parseTableId, type TableId } from '../../src/core/table-id.ts';
import type { CsvContent } from '../../src/ports/csv-content.ts';
import type { ImportRequest } from '../../src/ports/import-ledger.ts';
import type { TableStore } from '../../src/ports/table-store.ts';
import { importRequest } from '../contract/import-request.ts';
import type { Rows } from '../contract/staged-csv.ts';

const waiting = { signal: new AbortController().signal };

/** Tables on one PostgreSQL database, and imports of rows into them. */
export interface TableHarness extends AsyncDisposable {
  readonly store: TableStore;
  readonly tableId: TableId;
  readonly incarnation: Incarnation;
  readonly tempDir: string;
  /** Another process' view of the same tables. */
  open(change?: Partial<PostgresTableOptions>): Promise<TableStore>;
  /** The table with the columns `a` and `b`, and its ledger row. */
  make(): Promise<void>;
  request(number: number, rows: Rows, change?: Partial<ImportRequest>): ImportRequest;
  rows(): Promise<Rows>;
}

export async function openTableHarness(
  url: Secret,
  options: Partial<PostgresTableOptions> = {},
): Promise<TableHarness> {
  const tempDir = await mkdtemp(join(tmpdir(), 'millrace-pg-tables-'));
  const tableId = parseTableId('in.c-shop.orders');
  const incarnation = parseIncarnation(1);
  const opened: TableStore[] = [];
  const open = async (change: Partial<PostgresTableOptions> = {}): Promise<TableStore> => {
    const store = await openPostgresTableStore({ url, tempDir, ...options, ...change }, waiting);
    opened.push(store);
    return store;
  };
  const store = await open();
  return {
    store,
    tableId,
    incarnation,
    tempDir,
    open,
    make: async () => {
      await store.createTable(tableId, ['a', 'b'], waiting);
      await store.createLedger(incarnation, waiting);
    },
    request: (number, rows, change = {}) => ({ ...importRequest({ incarnation, tableId }, number, rows), ...change }),
    rows: async () => (await store.preview(tableId, { limit: 1_000_000 }, waiting)).rows,
    [Symbol.asyncDispose]: async () => {
      for (const each of opened) await each[Symbol.asyncDispose]();
      await rm(tempDir, { recursive: true, force: true });
    },
  };
}

/** Content that is read chunk by chunk, without a path; `chunks` may wait or act between them. */
export function streamed(chunks: () => AsyncIterable<string> | Iterable<string>): CsvContent {
  const open = async (): Promise<Readable> =>
    Readable.from(
      (async function* () {
        for await (const chunk of chunks()) yield Buffer.from(chunk);
      })(),
    );
  return { name: 'streamed', bytes: 1, localPath: undefined, open };
}

/** The same database behind another port of this machine. */
export function throughPort(url: Secret, port: number): Secret {
  const changed = new URL(url.reveal());
  changed.port = String(port);
  return new Secret(changed.href);
}
