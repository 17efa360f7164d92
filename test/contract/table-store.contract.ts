import { randomUUID } from 'node:crypto';
import { getEventListeners } from 'node:events';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import * as fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { crc32Checksum, parseChecksum } from '../../src/core/checksum.ts';
import { deadLetterColumns } from '../../src/core/dead-letter.ts';
import { isCancellation, MillraceError } from '../../src/core/millrace-error.ts';
import { parseIncarnation, type Incarnation } from '../../src/core/ids.ts';
import { deadLetterTable, parseTableId, type TableId } from '../../src/core/table-id.ts';
import type { CsvContent } from '../../src/ports/csv-content.ts';
import type { ImportRequest } from '../../src/ports/import-ledger.ts';
import type { PreviewQuery } from '../../src/ports/table-pages.ts';
import type { TableStore } from '../../src/ports/table-store.ts';
import { awkwardCells } from './awkward-cells.ts';
import { claimableContract } from './claimable.contract.ts';

export interface TableStoreFixture extends AsyncDisposable {
  /** Closes nothing: opens what the last store left, after it was disposed. */
  open(): Promise<TableStore>;
}

type Rows = readonly (readonly string[])[];

const waiting = { signal: new AbortController().signal };

/** A CSV object of staging, as `CsvContent` describes it. */
export function csvOf(rows: Rows): string {
  return rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',') + '\n').join('');
}

/** The rules that every `TableStore` keeps; the factory gives an empty one, and each test works on its own tables. */
export function tableStoreContract(name: string, factory: () => Promise<TableStoreFixture>): void {
  claimableContract(name, async () => {
    const fixture = await factory();
    const store = await fixture.open();
    return {
      // Not every store can be open twice.
      open: () => Promise.resolve({ mark: store, [Symbol.asyncDispose]: () => Promise.resolve() }),
      [Symbol.asyncDispose]: async () => {
        await store[Symbol.asyncDispose]();
        await fixture[Symbol.asyncDispose]();
      },
    };
  });

  describe(`${name}: TableStore contract`, () => {
    let fixture: TableStoreFixture;
    let store: TableStore;
    let folder: string;
    let tableId: TableId;
    let incarnation: Incarnation;
    let used = 0;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'millrace-csv-'));
      fixture = await factory();
      store = await fixture.open();
    });
    afterAll(async () => {
      await store[Symbol.asyncDispose]();
      await fixture[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    });
    beforeEach(() => {
      used += 1;
      tableId = parseTableId(`in.c-shop.orders_${used}`);
      incarnation = parseIncarnation(used);
    });
    afterEach(async () => {
      for (const table of await store.listTables(waiting)) await store.dropTable(table.tableId, waiting);
    });

    const contentOf = (csv: string | Buffer, name = 'content'): CsvContent => ({
      name,
      bytes: Buffer.byteLength(csv),
      localPath: undefined,
      open: async () => Readable.from([Buffer.from(csv)]),
    });
    const fileOf = async (csv: string | Buffer): Promise<CsvContent> => {
      const localPath = join(folder, randomUUID());
      await writeFile(localPath, csv);
      const open = (): Promise<Readable> => Promise.reject(new Error('it has a path'));
      return { name: 'file', bytes: (await stat(localPath)).size, localPath, open };
    };
    const made = async (columns: readonly string[] = ['a', 'b']): Promise<void> => {
      await store.createTable(tableId, columns, waiting);
      await store.createLedger(incarnation, waiting);
    };
    const request = (number: number, rows: Rows, change: Partial<ImportRequest> = {}): ImportRequest => ({
      incarnation,
      number,
      id: `import-${number}`,
      tableId,
      columns: ['a', 'b'],
      rows: rows.length === 0 ? [] : [contentOf(csvOf(rows))],
      dead: [],
      expected: { rows: rows.length, dead: 0 },
      before: { rows: 0, dead: 0 },
      ...change,
    });
    const rowsOf = async (id = tableId): Promise<Rows> => (await store.preview(id, { limit: 100_000 }, waiting)).rows;
    const exported = async (format: 'csv' | 'ndjson'): Promise<string> =>
      text(await store.exportTable(tableId, format, waiting));
    const deadRow = (offset: number): string[] => deadLetterColumns.map((column) => `${column} ${offset}`);

    describe('tables', () => {
      it('makes a table with its columns in order and no rows', async () => {
        await store.createTable(tableId, ['b', 'a', 'B c', 'é"x', '😀'], waiting);
        expect(await store.describeTable(tableId, waiting)).toMatchObject({
          tableId,
          columns: ['b', 'a', 'B c', 'é"x', '😀'],
          rows: 0,
        });
        expect(await store.preview(tableId, { limit: 10 }, waiting)).toEqual({
          columns: ['b', 'a', 'B c', 'é"x', '😀'],
          rows: [],
        });
      });

      it('D9: refuses a table that exists with table.exists and leaves it as it is', async () => {
        await store.createTable(tableId, ['a'], waiting);
        await expect(store.createTable(tableId, ['b'], waiting)).rejects.toMatchObject({ code: 'table.exists' });
        expect((await store.describeTable(tableId, waiting))?.columns).toEqual(['a']);
      });

      it('of several that make one table at once exactly one does; the others have table.exists', async () => {
        const results = await Promise.allSettled(
          [1, 2, 3, 4].map((maker) => store.createTable(tableId, [`by-${maker}`], waiting)),
        );
        expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
        for (const result of results.filter(({ status }) => status === 'rejected')) {
          expect(result).toMatchObject({ reason: { code: 'table.exists' } });
        }
        const winner = results.findIndex(({ status }) => status === 'fulfilled') + 1;
        expect((await store.describeTable(tableId, waiting))?.columns).toEqual([`by-${winner}`]);
      });

      it('drops a table that several drop at once', async () => {
        await store.createTable(tableId, ['a'], waiting);
        await Promise.all([1, 2, 3].map(() => store.dropTable(tableId, waiting)));
        expect(await store.describeTable(tableId, waiting)).toBeUndefined();
      });

      it('a table that is made again has none of the rows of the one before', async () => {
        await made();
        await store.import(request(1, [['1', '2']]), waiting);
        await store.dropTable(tableId, waiting);
        await store.createTable(tableId, ['a', 'b'], waiting);
        expect(await rowsOf()).toEqual([]);
        expect((await store.describeTable(tableId, waiting))?.rows).toBe(0);
      });

      it.each([[[]], [['a', '']], [['a', 'b', 'a']], [['a\0']]])('D9: refuses the columns %j', async (columns) => {
        await expect(store.createTable(tableId, columns, waiting)).rejects.toMatchObject({ code: 'input.invalid' });
        expect(await store.describeTable(tableId, waiting)).toBeUndefined();
      });

      it('lists all tables sorted by id, with their rows', async () => {
        await made();
        await store.createTable(parseTableId('in.a.b'), ['x'], waiting);
        await store.createTable(parseTableId('out.c-ä.Tabelle-1'), ['x'], waiting);
        await store.import(request(1, [['1', '2']]), waiting);
        expect((await store.listTables(waiting)).map((table) => [table.tableId, table.rows])).toEqual([
          ['in.a.b', 0],
          [tableId, 1],
          ['out.c-ä.Tabelle-1', 0],
        ]);
      });

      it('drops a table once and does nothing the second time', async () => {
        await made();
        await store.dropTable(tableId, waiting);
        await store.dropTable(tableId, waiting);
        expect(await store.describeTable(tableId, waiting)).toBeUndefined();
        await store.createTable(tableId, ['x'], waiting);
        expect((await store.describeTable(tableId, waiting))?.columns).toEqual(['x']);
      });

      it('a drop of a table that was made again since spares the later one', async () => {
        await made();
        const { identity = '' } = (await store.describeTable(tableId, waiting)) ?? {};
        await store.import(request(1, [['1', '2']]), waiting);
        expect((await store.describeTable(tableId, waiting))?.identity).toBe(identity);
        await store.dropTable(tableId, { ...waiting, identity });
        expect(await store.describeTable(tableId, waiting)).toBeUndefined();
        await store.dropTable(tableId, { ...waiting, identity });
        await store.createTable(tableId, ['a', 'b'], waiting);
        expect((await store.describeTable(tableId, waiting))?.identity).not.toBe(identity);
        await store.dropTable(tableId, { ...waiting, identity });
        expect(await store.describeTable(tableId, waiting)).toMatchObject({ columns: ['a', 'b'] });
      });

      it('drops a bucket once nothing is in it, and not before', async () => {
        await made();
        const other = parseTableId('in.c-other.b');
        await store.dropBucket(other, waiting);
        await store.createTable(other, ['x'], waiting);
        await store.dropBucket(tableId, waiting);
        await store.import(request(1, [['1', '2']]), waiting);
        expect(await rowsOf()).toEqual([['1', '2']]);
        await store.dropTable(tableId, waiting);
        await store.dropBucket(tableId, waiting);
        await store.dropBucket(tableId, waiting);
        expect((await store.listTables(waiting)).map((table) => table.tableId)).toEqual([other]);
        await store.createTable(tableId, ['x'], waiting);
        expect((await store.describeTable(tableId, waiting))?.columns).toEqual(['x']);
      });

      it('answers table.notFound when a table that is not there is read', async () => {
        await expect(store.preview(tableId, { limit: 1 }, waiting)).rejects.toMatchObject({ code: 'table.notFound' });
        for (const format of ['csv', 'ndjson', 'parquet'] as const) {
          await expect(store.exportTable(tableId, format, waiting)).rejects.toMatchObject({ code: 'table.notFound' });
        }
      });
    });

    describe('the ledger', () => {
      it('begins at number 0, loaded, and is made once', async () => {
        expect(await store.readLedger(incarnation, waiting)).toBeUndefined();
        await store.createLedger(incarnation, waiting);
        expect(await store.readLedger(incarnation, waiting)).toMatchObject({ number: 0, verdict: 'loaded' });
        await store.createTable(tableId, ['a', 'b'], waiting);
        await store.import(request(1, [['1', '2']]), waiting);
        await store.createLedger(incarnation, waiting);
        expect(await store.readLedger(incarnation, waiting)).toMatchObject({
          number: 1,
          id: 'import-1',
          verdict: 'loaded',
        });
      });

      it('is made once by several that make it at the same time', async () => {
        await Promise.all([1, 2, 3, 4].map(() => store.createLedger(incarnation, waiting)));
        expect(await store.readLedger(incarnation, waiting)).toMatchObject({ number: 0, verdict: 'loaded' });
        await store.createTable(tableId, ['a', 'b'], waiting);
        await store.import(request(1, [['1', '2']]), waiting);
        expect(await store.readLedger(incarnation, waiting)).toMatchObject({
          number: 1,
          id: 'import-1',
          verdict: 'loaded',
        });
      });

      it('is gone when it is deleted', async () => {
        await store.createLedger(incarnation, waiting);
        await store.deleteLedger(incarnation, waiting);
        await store.deleteLedger(incarnation, waiting);
        expect(await store.readLedger(incarnation, waiting)).toBeUndefined();
      });

      it('D4: counts what its imports loaded, each once; what is given up, refused or repeated adds nothing', async () => {
        const loadedOf = async () => (await store.readLedger(incarnation, waiting))?.loaded;
        await made();
        expect(await loadedOf()).toEqual({ rows: 0, dead: 0 });
        const dead = [contentOf(csvOf([deadRow(1), deadRow(2)]))];
        const first = request(1, [['1', 'x']], {
          dead,
          expected: { rows: 1, dead: 2 },
          before: { rows: 70, dead: 70 },
        });
        await store.import(first, waiting);
        await store.import(first, waiting);
        expect(await loadedOf()).toEqual({ rows: 1, dead: 2 });
        await store.abandon(incarnation, { number: 2, id: 'given-up' }, waiting);
        await expect(
          store.import(request(3, [['1', 'x']], { expected: { rows: 2, dead: 0 } }), waiting),
        ).rejects.toMatchObject({ code: 'table.invalidContent' });
        expect(await loadedOf()).toEqual({ rows: 1, dead: 2 });
        await store.import(
          request(3, [
            ['2', 'y'],
            ['3', 'z'],
          ]),
          waiting,
        );
        expect(await loadedOf()).toEqual({ rows: 3, dead: 2 });
      });

      it('tells the rows of many incarnations at once, of those that have one', async () => {
        const other = parseIncarnation(700_000 + used);
        await made();
        await store.createLedger(other, waiting);
        await store.import(request(1, [['1', '2']]), waiting);
        const missing = Array.from({ length: 1000 }, (_, at) => parseIncarnation(10_000_000 + at));
        const found = await store.readLedgers([other, ...missing, incarnation], waiting);
        expect([...found].toSorted(([a], [b]) => a - b)).toEqual([
          [incarnation, { number: 1, id: 'import-1', verdict: 'loaded', loaded: { rows: 1, dead: 0 } }],
          [other, { number: 0, id: '', verdict: 'loaded', loaded: { rows: 0, dead: 0 } }],
        ]);
        expect((await store.readLedgers([], waiting)).size).toBe(0);
      });

      it('keeps every incarnation apart', async () => {
        const other = parseIncarnation(9_007_199_254_740_991);
        await made();
        await store.createLedger(other, waiting);
        await store.import(request(1, [['1', '2']]), waiting);
        expect(await store.readLedger(other, waiting)).toMatchObject({ number: 0 });
        await store.deleteLedger(other, waiting);
        expect(await store.readLedger(incarnation, waiting)).toMatchObject({ number: 1 });
      });
    });

    describe('imports', () => {
      it('loads the rows of all contents in order, by path and by stream, and moves the ledger', async () => {
        await made();
        const rows = [
          await fileOf(
            csvOf([
              ['1', 'x'],
              ['2', 'y'],
            ]),
          ),
          contentOf(csvOf([['3', 'z']])),
          contentOf(''),
        ];
        expect(await store.import(request(1, [], { rows, expected: { rows: 3, dead: 0 } }), waiting)).toBe('loaded');
        expect(await rowsOf()).toEqual([
          ['1', 'x'],
          ['2', 'y'],
          ['3', 'z'],
        ]);
        expect(await store.readLedger(incarnation, waiting)).toMatchObject({
          number: 1,
          id: 'import-1',
          verdict: 'loaded',
        });
        expect(await store.import(request(2, [['4', 'w']]), waiting)).toBe('loaded');
        expect((await rowsOf()).map(([first]) => first)).toEqual(['1', '2', '3', '4']);
        expect((await store.describeTable(tableId, waiting))?.rows).toBe(4);
      });

      it('D3: a repeated import changes nothing and has the same answer', async () => {
        await made();
        const once = request(1, [['1', 'x']]);
        await store.import(once, waiting);
        expect(await store.import(once, waiting)).toBe('loaded');
        expect(await store.import({ ...once, rows: [], tableId: parseTableId('in.c-shop.gone') }, waiting)).toBe(
          'loaded',
        );
        expect(await rowsOf()).toEqual([['1', 'x']]);
      });

      it.each([
        ['another id of the same number', 2, 'import-other'],
        ['the number before', 1, 'import-1'],
        ['a gap', 4, 'import-4'],
      ])('D3: %s is table.ledgerMismatch and loads nothing', async (_, number, id) => {
        await made();
        await store.import(request(1, [['1', 'x']]), waiting);
        await store.import(request(2, [['2', 'y']]), waiting);
        await expect(store.import(request(number, [['3', 'z']], { id }), waiting)).rejects.toMatchObject({
          code: 'table.ledgerMismatch',
          retryable: true,
        });
        expect(await rowsOf()).toHaveLength(2);
        expect(await store.readLedger(incarnation, waiting)).toMatchObject({
          number: 2,
          id: 'import-2',
          verdict: 'loaded',
        });
      });

      it('D3: without a ledger row it is table.ledgerMismatch and loads nothing', async () => {
        await store.createTable(tableId, ['a', 'b'], waiting);
        await expect(store.import(request(1, [['1', 'x']]), waiting)).rejects.toMatchObject({
          code: 'table.ledgerMismatch',
        });
        expect(await rowsOf()).toEqual([]);
        expect(await store.readLedger(incarnation, waiting)).toBeUndefined();
      });

      it('D3: of imports that race for one number exactly one loads', async () => {
        await made();
        const results = await Promise.allSettled(
          [1, 2, 3, 4].map((writer) =>
            store.import(request(1, [[`${writer}`, 'x']], { id: `writer-${writer}` }), waiting),
          ),
        );
        expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
        const winner = `${results.findIndex(({ status }) => status === 'fulfilled') + 1}`;
        expect(await rowsOf()).toEqual([[winner, 'x']]);
        expect((await store.readLedger(incarnation, waiting))?.id).toBe(`writer-${winner}`);
      });

      it('D3: of the same import sent several times at once exactly one loads and all say loaded', async () => {
        await made();
        const results = await Promise.all([1, 2, 3].map(() => store.import(request(1, [['1', 'x']]), waiting)));
        expect(results).toEqual(['loaded', 'loaded', 'loaded']);
        expect(await rowsOf()).toHaveLength(1);
      });

      it('D2: what an aborted import did is found in the ledger', async () => {
        await made();
        const rows = Array.from({ length: 20_000 }, (_, row) => [`${row}`, 'x'.repeat(50)]);
        for (let number = 1; number <= 6; number += 1) {
          const abort = new AbortController();
          setTimeout(() => abort.abort(), (number - 1) * 8);
          const answer: unknown = await store
            .import(request(number, rows), { signal: abort.signal })
            .catch((error: unknown) => (isCancellation(error) ? 'aborted' : error));
          expect(['loaded', 'aborted']).toContain(answer);
          const loaded = (await store.readLedger(incarnation, waiting))?.number === number;
          expect(loaded || answer === 'aborted').toBe(true);
          expect((await store.describeTable(tableId, waiting))?.rows).toBe(
            (loaded ? number : number - 1) * rows.length,
          );
          expect(await store.import(request(number, rows), waiting)).toBe('loaded');
          expect((await store.describeTable(tableId, waiting))?.rows).toBe(number * rows.length);
        }
      });

      it('rejects with the reason of a signal that was aborted before, and loads nothing', async () => {
        await made();
        await expect(store.import(request(1, [['1', 'x']]), { signal: AbortSignal.abort() })).rejects.toMatchObject({
          name: 'AbortError',
        });
        expect(await store.readLedger(incarnation, waiting)).toMatchObject({ number: 0 });
      });

      it('D6: a missing table is table.notFound, and the import goes through when it is there', async () => {
        await store.createLedger(incarnation, waiting);
        await expect(store.import(request(1, [['1', 'x']]), waiting)).rejects.toMatchObject({ code: 'table.notFound' });
        expect(await store.readLedger(incarnation, waiting)).toMatchObject({ number: 0 });
        await store.createTable(tableId, ['a', 'b'], waiting);
        expect(await store.import(request(1, [['1', 'x']]), waiting)).toBe('loaded');
      });

      it.each([[['a']], [['b', 'a']], [['a', 'b', 'c']], [['a', 'B']]])(
        'D6: a table with the columns %j is table.schemaMismatch, says both, and loads nothing',
        async (columns) => {
          await made(columns);
          const found = columns.map((column) => `"${column}"`).join(', ');
          await expect(store.import(request(1, [['1', 'x']]), waiting)).rejects.toMatchObject({
            code: 'table.schemaMismatch',
            message: `columns of the table "${tableId}" do not match expected ["a", "b"], found [${found}]`,
          });
          expect(await rowsOf()).toEqual([]);
          expect(await store.readLedger(incarnation, waiting)).toMatchObject({ number: 0 });
        },
      );

      it.each([
        [
          'a line more than expected',
          csvOf([
            ['1', 'x'],
            ['2', 'y'],
          ]),
        ],
        ['a line less than expected', ''],
        ['a cell too few', '"1"\n'],
        ['a cell too many', '"1","secret","3"\n'],
        ['an open quote', '"1","secret\n'],
        ['text after a quote', '"1","secret"x\n'],
        [
          'bytes that are not UTF-8',
          Buffer.concat([Buffer.from('"1","secret'), Buffer.from([0xff, 0xfe]), Buffer.from('"\n')]),
        ],
      ])('D9: %s is table.invalidContent, loads nothing and shows no cell', async (_, csv) => {
        await made();
        const error: unknown = await store
          .import(request(1, [], { rows: [contentOf(csv)], expected: { rows: 1, dead: 0 } }), waiting)
          .catch((thrown: unknown) => thrown);
        expect(error).toMatchObject({ code: 'table.invalidContent', retryable: true });
        expect(error instanceof Error ? `${error.message} ${String(error.cause)}` : '').not.toContain('secret');
        expect(await rowsOf()).toEqual([]);
        expect(await store.readLedger(incarnation, waiting)).toMatchObject({ number: 0 });
        expect(await store.import(request(1, [['1', 'x']]), waiting)).toBe('loaded');
      });

      it('D2: dead letters go to their table in the same transaction', async () => {
        await made();
        const dead = [contentOf(csvOf([deadRow(1), deadRow(2)]))];
        await expect(
          store.import(request(1, [['1', 'x']], { dead, expected: { rows: 1, dead: 3 } }), waiting),
        ).rejects.toMatchObject({ code: 'table.invalidContent' });
        expect(await store.describeTable(deadLetterTable, waiting)).toBeUndefined();
        expect(await rowsOf()).toEqual([]);
        await store.import(request(1, [['1', 'x']], { dead, expected: { rows: 1, dead: 2 } }), waiting);
        await store.import(
          request(2, [], { dead: [contentOf(csvOf([deadRow(3)]))], expected: { rows: 0, dead: 1 } }),
          waiting,
        );
        expect(await rowsOf()).toEqual([['1', 'x']]);
        expect(await rowsOf(deadLetterTable)).toEqual([deadRow(1), deadRow(2), deadRow(3)]);
        expect((await store.listTables(waiting)).map((table) => table.tableId)).toContain(deadLetterTable);
      });

      it('D2: a dead letter may be as long as the longest request body', async () => {
        await made();
        const long = [...deadRow(1).slice(0, -1), 'x'.repeat(24_000_000)];
        const dead = [contentOf(csvOf([long, deadRow(2)]))];
        await store.import(request(1, [], { dead, expected: { rows: 0, dead: 2 } }), waiting);
        expect((await rowsOf(deadLetterTable)).map((row) => row.at(-1)?.length)).toEqual([24_000_000, 6]);
      });

      it('loads nothing but moves the ledger when there is no content', async () => {
        await made();
        expect(await store.import(request(1, []), waiting)).toBe('loaded');
        expect(await store.readLedger(incarnation, waiting)).toMatchObject({ number: 1 });
      });

      it('two sinks feed one table', async () => {
        await made();
        const other = parseIncarnation(900_000 + used);
        await store.createLedger(other, waiting);
        await Promise.all([
          store.import(request(1, [['1', 'x']]), waiting),
          store.import(request(1, [['2', 'y']], { incarnation: other }), waiting),
        ]);
        expect((await rowsOf()).toSorted(([a = ''], [b = '']) => a.localeCompare(b))).toEqual([
          ['1', 'x'],
          ['2', 'y'],
        ]);
      });

      it('takes 200 contents in one import', async () => {
        await made();
        const rows = await Promise.all(Array.from({ length: 200 }, (_, slice) => fileOf(csvOf([[`${slice}`, '']]))));
        await store.import(request(1, [], { rows, expected: { rows: 200, dead: 0 } }), waiting);
        expect((await rowsOf()).map(([first]) => Number(first))).toEqual(
          Array.from({ length: 200 }, (_, slice) => slice),
        );
      });
    });

    describe('content with a checksum', () => {
      const line = csvOf([['1', 'x'.repeat(300_000)]]);
      const staged = crc32Checksum(crc32(line));
      const flipped = (csv: string): Buffer => {
        const bytes = Buffer.from(csv);
        bytes[bytes.length - 100] = (bytes.at(-100) ?? 0) ^ 1;
        return bytes;
      };
      const expected = { rows: 1, dead: 0 };

      it.each([
        ['one flipped byte', flipped(line)],
        ['a byte that ends a cell', Buffer.from(line.replace('xx', '"x'))],
        ['an end that is missing', Buffer.from(line.slice(0, -10))],
        ['a line more', Buffer.from(line + line)],
        ['nothing', Buffer.alloc(0)],
      ])('D2: %s is objects.corrupt, by path and by stream, names the object and loads nothing', async (_, bytes) => {
        await made();
        for (const content of [contentOf(bytes, 'a/b.csv'), { ...(await fileOf(bytes)), name: 'a/b.csv' }]) {
          const rows = [contentOf(csvOf([['0', 'w']])), { ...content, bytes: line.length, checksum: staged }];
          const change = { rows, expected: { rows: 2, dead: 0 } };
          await expect(store.import(request(1, [], change), waiting)).rejects.toMatchObject({
            code: 'objects.corrupt',
            message: expect.stringContaining('"a/b.csv"') as string,
            details: { object: 'a/b.csv', expected: staged },
          });
          expect(await rowsOf()).toEqual([]);
          expect(await store.readLedger(incarnation, waiting)).toMatchObject({ number: 0 });
        }
        const whole = [{ ...contentOf(line), checksum: staged }];
        expect(await store.import(request(1, [], { rows: whole, expected }), waiting)).toBe('loaded');
      });

      it('D2: a flipped byte of a dead letter is objects.corrupt and loads nothing', async () => {
        await made();
        const csv = csvOf([deadRow(1)]);
        for (const content of [contentOf(flipped(csv)), await fileOf(flipped(csv))]) {
          const dead = [{ ...content, checksum: crc32Checksum(crc32(csv)) }];
          const change = { dead, expected: { rows: 1, dead: 1 } };
          await expect(store.import(request(1, [['1', 'x']], change), waiting)).rejects.toMatchObject({
            code: 'objects.corrupt',
          });
          expect(await rowsOf()).toEqual([]);
        }
        const letters = await store.describeTable(deadLetterTable, waiting);
        expect(letters?.rows ?? 0).toBe(0);
      });

      it.each([
        ['altered', flipped(line)],
        ['cut', Buffer.from(line.slice(0, -10))],
      ])('D2: content that is read %s once and whole the second time is loaded once', async (_, wrong) => {
        await made();
        let reads = 0;
        const open = async (): Promise<Readable> => Readable.from([(reads += 1) === 1 ? wrong : Buffer.from(line)]);
        const rows = [{ ...contentOf(line), checksum: staged, open }];
        expect(await store.import(request(1, [], { rows, expected }), waiting)).toBe('loaded');
        expect((await rowsOf()).map(([first]) => first)).toEqual(['1']);
      });

      it('D2: content that is altered at every read is read twice, no more', async () => {
        await made();
        let reads = 0;
        const open = async (): Promise<Readable> => {
          reads += 1;
          return Readable.from([flipped(line)]);
        };
        const rows = [{ ...contentOf(line), checksum: staged, open }];
        await expect(store.import(request(1, [], { rows, expected }), waiting)).rejects.toMatchObject({
          code: 'objects.corrupt',
        });
        expect(reads).toBe(2);
      });

      it('D2: content with a checksum of a later algorithm is loaded as it is', async () => {
        await made();
        const checksum = parseChecksum('later:00');
        const rows = [{ ...contentOf(line), ...(checksum === undefined ? {} : { checksum }) }];
        expect(await store.import(request(1, [], { rows, expected }), waiting)).toBe('loaded');
      });
    });

    describe('giving an import up', () => {
      it('D3: moves the ledger, loads nothing, and the import of that number follows the verdict', async () => {
        await made();
        const attempt = { number: 1, id: 'import-1' };
        expect(await store.abandon(incarnation, attempt, waiting)).toBe('abandoned');
        expect(await store.abandon(incarnation, attempt, waiting)).toBe('abandoned');
        expect(await store.import(request(1, [['1', 'x']]), waiting)).toBe('abandoned');
        expect(await rowsOf()).toEqual([]);
        expect(await store.import(request(2, [['1', 'x']]), waiting)).toBe('loaded');
        expect(await rowsOf()).toHaveLength(1);
      });

      it('D3: an import that was loaded stays loaded', async () => {
        await made();
        await store.import(request(1, [['1', 'x']]), waiting);
        expect(await store.abandon(incarnation, { number: 1, id: 'import-1' }, waiting)).toBe('loaded');
        expect(await rowsOf()).toHaveLength(1);
        expect(await store.readLedger(incarnation, waiting)).toMatchObject({ verdict: 'loaded' });
      });

      it('D3: any other number, another id or no ledger is table.ledgerMismatch', async () => {
        const refused = { code: 'table.ledgerMismatch' };
        await expect(store.abandon(incarnation, { number: 1, id: 'x' }, waiting)).rejects.toMatchObject(refused);
        await made();
        await store.import(request(1, []), waiting);
        await expect(store.abandon(incarnation, { number: 1, id: 'x' }, waiting)).rejects.toMatchObject(refused);
        await expect(store.abandon(incarnation, { number: 3, id: 'x' }, waiting)).rejects.toMatchObject(refused);
      });

      it('D3: an import and its giving up race: both have the one verdict that the table shows', async () => {
        await made();
        for (let number = 1, rows = 0; number <= 5; number += 1) {
          const verdicts = await Promise.all([
            store.import(request(number, [['1', 'x']]), waiting),
            store.abandon(incarnation, { number, id: `import-${number}` }, waiting),
          ]);
          expect(verdicts[0]).toBe(verdicts[1]);
          rows += verdicts[0] === 'loaded' ? 1 : 0;
          expect(await rowsOf()).toHaveLength(rows);
        }
      });
    });

    describe('cells', () => {
      const roundTrip = async (rows: Rows): Promise<void> => {
        const columns = (rows[0] ?? []).map((_, index) => `c${index}`);
        await made(columns);
        try {
          await store.import(
            request(1, [], { columns, rows: [contentOf(csvOf(rows))], expected: { rows: rows.length, dead: 0 } }),
            waiting,
          );
          expect(await rowsOf()).toEqual(rows);
          expect(await exported('csv')).toBe(csvOf([columns, ...rows]));
          const lines = (await exported('ndjson')).split('\n');
          expect(lines.pop()).toBe('');
          expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(
            rows.map((row) => Object.fromEntries(row.map((cell, index) => [`c${index}`, cell]))),
          );
        } finally {
          await store.dropTable(tableId, waiting);
          await store.deleteLedger(incarnation, waiting);
        }
      };

      it('awkward cells come back byte for byte, in one column', () => roundTrip(awkwardCells.map((cell) => [cell])));

      it('awkward cells come back byte for byte, beside each other', () =>
        roundTrip(awkwardCells.map((_, at) => [0, 1, 2].map((step) => awkwardCells.at(at - step) ?? ''))));

      it('empty cells of one column are rows', () => roundTrip([[''], [''], ['']]));

      it('100 columns come back, filled and empty', () =>
        roundTrip([Array.from({ length: 100 }, (_, at) => `${at}`), Array.from({ length: 100 }, () => '')]));

      it('rows of 1,536 KB come back', () =>
        roundTrip([
          ['x'.repeat(1_536_000), ''],
          ['', '"\n'.repeat(400_000)],
          ['😀'.repeat(390_000), '\r\n'],
        ]));

      it.each(['b,\n', '",\n"', '"x"\n"y"\n'])('cells of 1.4 MB of %j, a CSV in a CSV, come back', (unit) => {
        const text = unit.repeat(1_400_000 / csvOf([[unit]]).length);
        return roundTrip(Array.from({ length: 6 }, (_, at) => [text, `${at}`]));
      });

      it('any cells come back byte for byte (property)', async () => {
        const cell = fc.oneof(
          fc.constantFrom(...awkwardCells),
          fc.string({ unit: fc.constantFrom('"', '\n', '\r', ',', ' ', '\\', 'a', 'é', '😀'), maxLength: 40 }),
          fc.string({ unit: 'binary', maxLength: 20 }).map((value) => value.replaceAll('\0', '')),
        );
        const batch = fc
          .integer({ min: 1, max: 6 })
          .chain((width) =>
            fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 400 }),
          );
        await fc.assert(fc.asyncProperty(batch, roundTrip), { numRuns: 20 });
      });
    });

    describe('reading', () => {
      it('shows the first rows in the order of loading and the columns that were asked for', async () => {
        await made();
        await store.import(
          request(
            1,
            Array.from({ length: 5000 }, (_, row) => [`${row}`, 'x']),
          ),
          waiting,
        );
        expect(await store.preview(tableId, { limit: 2 }, waiting)).toEqual({
          columns: ['a', 'b'],
          rows: [
            ['0', 'x'],
            ['1', 'x'],
          ],
        });
        expect(await store.preview(tableId, { columns: ['b', 'a'], limit: 1 }, waiting)).toEqual({
          columns: ['b', 'a'],
          rows: [['x', '0']],
        });
        expect((await store.preview(tableId, { limit: 0 }, waiting)).rows).toEqual([]);
      });

      it('D8: shows no more rows than have the wanted number of bytes together, and says so', async () => {
        await made();
        const rows = Array.from({ length: 20 }, (_, row) => [`${row % 10}`, 'ä'.repeat(50)]);
        await store.import(request(1, rows), waiting);
        const show = (query: PreviewQuery) => store.preview(tableId, query, waiting);
        expect(await show({ limit: 15, maxBytes: 304 })).toEqual({
          columns: ['a', 'b'],
          rows: rows.slice(0, 3),
          isCut: true,
        });
        expect(await show({ limit: 2, maxBytes: 304 })).toEqual({ columns: ['a', 'b'], rows: rows.slice(0, 2) });
        expect(await show({ limit: 100, maxBytes: 2020 })).toEqual({ columns: ['a', 'b'], rows });
        expect(await show({ limit: 1, maxBytes: 100 })).toEqual({ columns: ['a', 'b'], rows: [], isCut: true });
        expect(await show({ columns: ['a'], limit: 100, maxBytes: 20 })).toMatchObject({
          rows: rows.map(([a]) => [a]),
        });
      });

      it('D9: refuses a column that the table does not have', async () => {
        await made();
        await expect(store.preview(tableId, { columns: ['A'], limit: 1 }, waiting)).rejects.toMatchObject({
          code: 'input.invalid',
          message: `table "${tableId}" has no column "A"`,
        });
      });

      it('exports a Parquet file', async () => {
        await made();
        for (const rows of [[], [['1', 'x']]]) {
          await store.import(request(rows.length + 1, rows), waiting);
          const file = await buffer(await store.exportTable(tableId, 'parquet', waiting));
          expect([file.subarray(0, 4), file.subarray(-4)].map(String)).toEqual(['PAR1', 'PAR1']);
        }
      });

      it('exports an empty table', async () => {
        await made(['a', 'x"y']);
        expect(await exported('csv')).toBe('"a","x""y"\n');
        expect(await exported('ndjson')).toBe('');
      });

      it('an aborted export ends its stream with the reason', async () => {
        await made();
        await store.import(
          request(
            1,
            Array.from({ length: 20_000 }, (_, row) => [`${row}`, 'x'.repeat(100)]),
          ),
          waiting,
        );
        await expect(store.exportTable(tableId, 'csv', { signal: AbortSignal.abort() })).rejects.toMatchObject({
          name: 'AbortError',
        });
        const abort = new AbortController();
        const stream = await store.exportTable(tableId, 'csv', { signal: abort.signal });
        abort.abort();
        await expect(text(stream)).rejects.toMatchObject({ name: 'AbortError' });
      });
    });

    it('rejects every call with the reason of an aborted signal and changes nothing', async () => {
      const reason = new Error('stopped');
      const aborted = { signal: AbortSignal.abort(reason) };
      await made();
      await store.import(request(1, [['1', 'x']]), waiting);
      const other = parseTableId(`in.c-shop.other_${used}`);
      const calls: readonly (() => Promise<unknown>)[] = [
        () => store.createTable(other, ['a'], aborted),
        () => store.describeTable(tableId, aborted),
        () => store.listTables(aborted),
        () => store.dropTable(tableId, aborted),
        () => store.createLedger(parseIncarnation(800_000 + used), aborted),
        () => store.readLedger(incarnation, aborted),
        () => store.readLedgers([incarnation], aborted),
        () => store.deleteLedger(incarnation, aborted),
        () => store.import(request(2, [['2', 'y']]), aborted),
        () => store.abandon(incarnation, { number: 2, id: 'import-2' }, aborted),
        () => store.preview(tableId, { limit: 1 }, aborted),
        () => store.exportTable(tableId, 'csv', aborted),
      ];
      for (const call of calls) await expect(call()).rejects.toBe(reason);
      expect(await rowsOf()).toEqual([['1', 'x']]);
      expect(await store.describeTable(other, waiting)).toBeUndefined();
      expect(await store.readLedger(incarnation, waiting)).toMatchObject({ number: 1 });
      expect(await store.readLedger(parseIncarnation(800_000 + used), waiting)).toBeUndefined();
    });

    it('an import that is aborted while its content arrives rejects with the reason and loads nothing', async () => {
      await made();
      const reason = new Error('stopped');
      const stop = new AbortController();
      const endless = async function* () {
        for (let row = 0; ; row += 1) {
          yield Buffer.from(csvOf([[`${row}`, 'x'.repeat(1_000)]]));
          if (row === 100) stop.abort(reason);
          await new Promise((resolve) => setImmediate(resolve));
        }
      };
      const content = { ...contentOf('x'), bytes: 1_000_000_000, open: async () => Readable.from(endless()) };
      const change = { rows: [content], expected: { rows: 1_000_000, dead: 0 } };
      await expect(store.import(request(1, [], change), { signal: stop.signal })).rejects.toBe(reason);
      expect(await store.readLedger(incarnation, waiting)).toMatchObject({ number: 0 });
      expect(await store.import(request(1, [['1', 'x']]), waiting)).toBe('loaded');
      expect(await rowsOf()).toEqual([['1', 'x']]);
    });

    it('D6: content that cannot be opened or breaks off is the error of its store, and loads nothing', async () => {
      await made();
      const gone = new MillraceError('objects.notFound', 'there is none');
      const broken = async function* () {
        yield Buffer.from(csvOf([['1', 'x']]));
        throw gone;
      };
      for (const open of [() => Promise.reject(gone), async () => Readable.from(broken())]) {
        const rows = [contentOf(csvOf([['0', 'w']])), { ...contentOf('x'), open }];
        await expect(
          store.import(request(1, [], { rows, expected: { rows: 2, dead: 0 } }), waiting),
        ).rejects.toMatchObject({ code: 'objects.notFound' });
        expect(await rowsOf()).toEqual([]);
        expect(await store.readLedger(incarnation, waiting)).toMatchObject({ number: 0 });
      }
    });

    it('D8: calls that have ended hold nothing of a signal that lives on', async () => {
      await made();
      const { signal } = new AbortController();
      for (let number = 1; number <= 10; number += 1) {
        await store.import(request(number, [[`${number}`, 'x']]), { signal });
        await store.preview(tableId, { limit: 1 }, { signal });
        await store.listTables({ signal });
        await store.readLedger(incarnation, { signal });
        await text(await store.exportTable(tableId, 'csv', { signal }));
      }
      await expect.poll(() => getEventListeners(signal, 'abort').length).toBeLessThan(5);
    });

    it('D2: everything is there after it was closed and opened again', async () => {
      await made();
      await store.import(request(1, [['1', '']]), waiting);
      await store.abandon(incarnation, { number: 2, id: 'import-2' }, waiting);
      await store[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
      await expect(store.listTables(waiting)).rejects.toMatchObject({ code: 'table.unavailable' });
      store = await fixture.open();
      expect(await rowsOf()).toEqual([['1', '']]);
      expect((await store.describeTable(tableId, waiting))?.rows).toBe(1);
      expect(await store.readLedger(incarnation, waiting)).toMatchObject({
        number: 2,
        id: 'import-2',
        verdict: 'abandoned',
      });
      expect(await store.import(request(1, [['1', '']], { id: 'import-2', number: 2 }), waiting)).toBe('abandoned');
    });
  });
}
