/**
 * Imports into the DuckDB file in the folder of the first argument, without end or up to the number of the second one, and
 * prints each number when it is loaded. Import `n` has `n * 311 % 1500 + 1` rows that hold `n`. Run as a process of its own, to be killed.
 */
import { writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openDuckDbTableStore } from '../../src/adapters/duckdb/table-store.ts';
import { parseIncarnation } from '../../src/core/ids.ts';
import { parseTableId } from '../../src/core/table-id.ts';

const [folder = '', last = 'Infinity'] = process.argv.slice(2);
const waiting = { signal: new AbortController().signal };
const tableId = parseTableId('in.c-shop.orders');
const incarnation = parseIncarnation(1);

const store = await openDuckDbTableStore({
  path: join(folder, 'tables.duckdb'),
  threads: 1,
  memoryLimitBytes: 64 * 1024 * 1024,
  memoryCeilingBytes: 256 * 1024 * 1024,
  tempDir: join(folder, 'tmp'),
});
if ((await store.describeTable(tableId, waiting)) === undefined) {
  await store.createTable(tableId, ['number', 'text'], waiting);
}
await store.createLedger(incarnation, waiting);

const localPath = join(folder, 'slice.csv');
const known = (await store.readLedger(incarnation, waiting))?.number ?? 0;
for (let number = known + 1; number <= Number(last); number += 1) {
  const rows = ((number * 311) % 1500) + 1;
  const text = Array.from({ length: 60 }, (_, at) => ((number * 7919 + at) * 104_729).toString(36)).join(' ');
  const csv = `"${number}","${text}"\n`.repeat(rows);
  writeFileSync(localPath, csv);
  const open = (): Promise<never> => Promise.reject(new Error('it has a path'));
  const content = { name: 'slice', bytes: csv.length, localPath, open };
  const before = { rows: 0, dead: 0 };
  const expected = { rows, dead: 0 };
  const to = { incarnation, number, id: `import-${number}`, tableId, columns: ['number', 'text'] };
  const request = { ...to, rows: [content], dead: [], expected, before };
  // As importers do: after a failure the ledger says what became of it.
  await store.import(request, waiting).catch(() => store.import(request, waiting));
  writeSync(1, `${number}\n`);
}
