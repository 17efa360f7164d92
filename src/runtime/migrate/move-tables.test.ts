import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDuckDbTableStore, type DuckDbTables } from '../../adapters/duckdb/table-store.ts';
import { parseIncarnation } from '../../core/ids.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { parseTableId } from '../../core/table-id.ts';
import { contentOf, csvOf } from '../../../test/contract/staged-csv.ts';
import { waiting } from '../../../test/contract/store-on-test.ts';
import { withMethod } from '../../../test/support/with-method.ts';
import { forgetPieces, moveTables } from './move-tables.ts';

let folder: string;
let stack: AsyncDisposableStack;
let from: DuckDbTables;
let to: DuckDbTables;

const orders = parseTableId('in.c-shop.orders');
const empty = parseTableId('in.c-shop.empty');

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-move-'));
  stack = new AsyncDisposableStack();
  const open = async (name: string): Promise<DuckDbTables> =>
    stack.use(
      await openDuckDbTableStore({
        path: join(folder, `${name}.duckdb`),
        threads: 1,
        memoryLimitBytes: 128 * 1024 ** 2,
        tempDir: join(folder, name),
      }),
    );
  [from, to] = [await open('from'), await open('to')];
  const incarnation = parseIncarnation(2);
  await from.createTable(orders, ['id', 'text'], { ...waiting, primaryKey: ['id'] });
  await from.createTable(empty, ['id'], waiting);
  await from.createLedger(incarnation, waiting);
  // An import adds rows, whatever the key of the table is.
  const rows = Array.from({ length: 200 }, (_, at) => [String(at % 150), `line\n"${at}"`]);
  const counts = { expected: { rows: 200, dead: 0 }, before: { rows: 0, dead: 0 } };
  const request = { incarnation, number: 1, id: 'import-1', tableId: orders, columns: ['id', 'text'], ...counts };
  await from.import({ ...request, rows: [contentOf(csvOf(rows))], dead: [] }, waiting);
});

afterEach(async () => {
  await stack.disposeAsync();
  await rm(folder, { recursive: true, force: true });
});

async function linesOf(store: DuckDbTables): Promise<string> {
  return text(await store.exportTable(orders, 'csv', waiting));
}

const move = (target = to) => ({
  from,
  to: target,
  tempDir: folder,
  id: 'm',
  pieceBytes: 300,
  onBytes: () => undefined,
  ...waiting,
});

test('M3: cut off behind each piece, a table has each row once, in its order, with its key', async () => {
  const tables = await from.listTables(waiting);
  let left = 0;
  let cuts = 0;
  const cut = withMethod(to, 'import', async (request, options) => {
    const verdict = await to.import(request, options);
    if (left > 0) {
      left = 0;
      throw new MillraceError('table.unavailable', 'the answer is lost');
    }
    return verdict;
  });
  for (; cuts < 5; cuts += 1) {
    left = 1;
    await expect(moveTables(tables, move(cut))).rejects.toMatchObject({ code: 'table.unavailable' });
  }
  await moveTables(tables, move(cut));
  expect(await linesOf(to)).toBe(await linesOf(from));
  expect(await to.describeTable(orders, waiting)).toMatchObject({ primaryKey: ['id'], rows: 200 });
  expect(await to.describeTable(empty, waiting)).toMatchObject({ columns: ['id'], rows: 0 });
  await to.adoptLedger(await from.readLedgerContents(waiting), waiting);
  await forgetPieces(to, waiting);
  expect(await to.readLedgerContents(waiting)).toEqual(await from.readLedgerContents(waiting));
});

test('M3: a table that has become another one is found before anything counts as moved', async () => {
  const altered = withMethod(to, 'exportTable', async (...given) => {
    const lines = await text(await to.exportTable(...given));
    return Readable.from([Buffer.from(lines.replace('line', 'lime'))]);
  });
  const tables = await from.listTables(waiting);
  await expect(moveTables(tables, move(altered))).rejects.toMatchObject({ code: 'migration.failed' });
});

test('a table whose rows cannot be written down says which it is, where, and that there must be room', async () => {
  const nowhere = join(folder, 'nowhere');
  await expect(moveTables(await from.listTables(waiting), { ...move(), tempDir: nowhere })).rejects.toMatchObject({
    code: 'table.unavailable',
    message: expect.stringMatching(
      /"in\.c-[a-z]+\.[a-z]+" cannot be written into ".*nowhere", where there must be room/,
    ) as string,
  });
});
