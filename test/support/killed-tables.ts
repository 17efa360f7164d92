import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DuckDbConfig } from '../../src/adapters/duckdb/config.ts';
import { openDuckDbTableStore } from '../../src/adapters/duckdb/table-store.ts';
import { parseIncarnation } from '../../src/core/ids.ts';
import { parseTableId } from '../../src/core/table-id.ts';
import type { LedgerRow } from '../../src/ports/import-ledger.ts';
import type { TableStore } from '../../src/ports/table-store.ts';

const waiting = { signal: new AbortController().signal };
const tableId = parseTableId('in.c-shop.orders');
const incarnation = parseIncarnation(1);
const rowsOfImport = 41;

/** Tables on DuckDB as a kill leaves them after some imports: the table file, and a log with the imports only. */
export interface KilledTables {
  readonly file: Buffer;
  readonly log: Buffer;
  /** Where in the log each import ends. */
  readonly ends: readonly number[];
}

/** Makes them in an empty folder. */
export async function killedTables(folder: string, imports: number): Promise<KilledTables> {
  {
    await using store = await openTablesIn(folder);
    await store.createTable(tableId, ['number', 'text'], waiting);
    await store.createLedger(incarnation, waiting);
  }
  await using store = await openTablesIn(folder);
  const ends: number[] = [];
  for (let number = 1; number <= imports; number += 1) {
    await importInto(store, folder, number);
    ends.push(statSync(logIn(folder)).size);
  }
  return { file: readFileSync(fileIn(folder)), log: readFileSync(logIn(folder)), ends };
}

/** Puts the table file and a log into a folder of its own below `folder`. */
export function placed(folder: string, name: string, { file, log }: Pick<KilledTables, 'file' | 'log'>): string {
  const place = join(folder, name);
  mkdirSync(place);
  writeFileSync(fileIn(place), file);
  writeFileSync(logIn(place), log);
  return place;
}

export function openTablesIn(folder: string, change: Partial<DuckDbConfig> = {}): Promise<TableStore> {
  return openDuckDbTableStore({
    path: fileIn(folder),
    threads: 1,
    memoryLimitBytes: 64 * 1024 ** 2,
    memoryCeilingBytes: 256 * 1024 ** 2,
    tempDir: join(folder, 'tmp'),
    ...change,
  });
}

export function fileIn(folder: string): string {
  return join(folder, 'tables.duckdb');
}

export function logIn(folder: string): string {
  return `${fileIn(folder)}.wal`;
}

/** The rows of an import hold its number, and a text that no other row has. */
export async function importInto(store: TableStore, folder: string, number: number): Promise<LedgerRow['verdict']> {
  const localPath = join(folder, 'slice.csv');
  const row = (): string =>
    `"${number}","${randomBytes(64)
      .toString('hex')
      .slice(0, 60 + number)}"\n`;
  writeFileSync(localPath, Array.from({ length: rowsOfImport }, row).join(''));
  const open = (): Promise<never> => Promise.reject(new Error('it has a path'));
  const content = { name: 'slice', bytes: statSync(localPath).size, localPath, open };
  const to = { incarnation, number, id: `import-${number}`, tableId, columns: ['number', 'text'] };
  const counts = { expected: { rows: rowsOfImport, dead: 0 }, before: { rows: 0, dead: 0 } };
  return await store.import({ ...to, rows: [content], dead: [], ...counts }, waiting);
}

/** The number of the ledger when the table has each import up to it once and no other; otherwise it throws. */
export async function importsIn(store: TableStore): Promise<number> {
  const number = (await store.readLedger(incarnation, waiting))?.number ?? 0;
  const { rows } = await store.preview(tableId, { limit: 100_000 }, waiting);
  const found = rows.map(([cell]) => Number(cell)).join();
  const wanted = Array.from({ length: number * rowsOfImport }, (_, at) => Math.floor(at / rowsOfImport) + 1).join();
  if (found !== wanted) throw new Error(`the ledger stands at ${number}, the rows are of ${found}`);
  return number;
}
