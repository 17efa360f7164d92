/**
 * Loads into the DuckDB file in the folder of the first argument, without end, and prints each number when it is loaded. Load `n` appends
 * `n * 311 % 1500 + 1` rows that hold `n` to one table, and puts `n` into the row `n % 7` of a table with a key; each fifth is given
 * up instead. Run as a process of its own, to be killed.
 */
import { writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openDuckDbTableStore } from '../../src/adapters/duckdb/table-store.ts';
import { parseTableId } from '../../src/core/table-id.ts';
import type { TableLoad } from '../../src/ports/table-loads.ts';

const [folder = ''] = process.argv.slice(2);
const waiting = { signal: new AbortController().signal };

const store = await openDuckDbTableStore({
  path: join(folder, 'tables.duckdb'),
  threads: 1,
  memoryLimitBytes: 64 * 1024 * 1024,
  memoryCeilingBytes: 256 * 1024 * 1024,
  tempDir: join(folder, 'tmp'),
});

function tableLoad(name: string, lines: readonly string[], change: Partial<TableLoad>): TableLoad {
  const localPath = join(folder, `${name}.csv`);
  const csv = lines.join('');
  writeFileSync(localPath, csv);
  const open = (): Promise<never> => Promise.reject(new Error('it has a path'));
  return {
    tableId: parseTableId(`in.c-shop.${name}`),
    columns: [],
    primaryKey: [],
    isIncremental: true,
    rows: [{ name, bytes: csv.length, localPath, open }],
    expectedRows: lines.length,
    ...change,
  };
}

for (let number = 1; ; number += 1) {
  const id = `job/${number}`;
  await store.openLoad(id, waiting);
  if ((await store.readLoad(id, waiting))?.verdict !== 'open') continue;
  if (number % 5 === 0) {
    await store.abandonLoad(id, waiting);
    writeSync(1, `${number}\n`);
    continue;
  }
  const text = Array.from({ length: 60 }, (_, at) => ((number * 7919 + at) * 104_729).toString(36)).join(' ');
  const orders = Array.from({ length: ((number * 311) % 1500) + 1 }, () => `"${number}","${text}"\n`);
  const last = { columns: ['key', 'number'], primaryKey: ['key'] };
  const tables = [
    tableLoad('orders', orders, { columns: ['number', 'text'] }),
    tableLoad('last', [`"${number % 7}","${number}"\n`], last),
  ];
  const load = { tables, note: JSON.stringify({ number }) };
  // As a job does: after a failure the ledger says what became of it.
  await store.load(id, load, waiting).catch(() => store.load(id, load, waiting));
  writeSync(1, `${number}\n`);
}
