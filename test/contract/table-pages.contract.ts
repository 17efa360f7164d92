import { buffer, text } from 'node:stream/consumers';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseTableId } from '../../src/core/table-id.ts';
import type { CellCondition, CountQuery, PreviewQuery } from '../../src/ports/table-pages.ts';
import { awkwardCells } from './awkward-cells.ts';
import { contentOf, csvOf, type Rows } from './staged-csv.ts';
import { waiting, type StoreOnTest } from './store-on-test.ts';

/** What every store of tables keeps as `TablePages`. */
export function tablePagesContract(at: StoreOnTest): void {
  describe('cells', () => {
    const roundTrip = async (rows: Rows): Promise<void> => {
      const columns = (rows[0] ?? []).map((_, index) => `c${index}`);
      await at.made(columns);
      try {
        await at.store.import(
          at.request(1, [], { columns, rows: [contentOf(csvOf(rows))], expected: { rows: rows.length, dead: 0 } }),
          waiting,
        );
        expect(await at.rowsOf()).toEqual(rows);
        expect(await at.exported('csv')).toBe(csvOf([columns, ...rows]));
        const lines = (await at.exported('ndjson')).split('\n');
        expect(lines.pop()).toBe('');
        expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(
          rows.map((row) => Object.fromEntries(row.map((cell, index) => [`c${index}`, cell]))),
        );
      } finally {
        await at.store.dropTable(at.tableId, waiting);
        await at.store.deleteLedger(at.incarnation, waiting);
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
    it('answers table.notFound when a table that is not there is read', async () => {
      await expect(at.store.preview(at.tableId, { limit: 1 }, waiting)).rejects.toMatchObject({
        code: 'table.notFound',
      });
      for (const format of ['csv', 'ndjson', 'parquet'] as const) {
        await expect(at.store.exportTable(at.tableId, format, waiting)).rejects.toMatchObject({
          code: 'table.notFound',
        });
      }
    });

    it('shows the first rows in the order of loading and the columns that were asked for', async () => {
      await at.made();
      await at.store.import(
        at.request(
          1,
          Array.from({ length: 5000 }, (_, row) => [`${row}`, 'x']),
        ),
        waiting,
      );
      expect(await at.store.preview(at.tableId, { limit: 2 }, waiting)).toEqual({
        columns: ['a', 'b'],
        rows: [
          ['0', 'x'],
          ['1', 'x'],
        ],
      });
      expect(await at.store.preview(at.tableId, { columns: ['b', 'a'], limit: 1 }, waiting)).toEqual({
        columns: ['b', 'a'],
        rows: [['x', '0']],
      });
      expect((await at.store.preview(at.tableId, { limit: 0 }, waiting)).rows).toEqual([]);
    });

    it('shows the last rows in the order of loading, over several imports', async () => {
      await at.made();
      for (const number of [1, 2, 3])
        await at.store.import(
          at.request(
            number,
            Array.from({ length: 300 }, (_, row) => [`${number}-${row}`, `${row % 2}`]),
          ),
          waiting,
        );
      const show = async (query: PreviewQuery) => (await at.store.preview(at.tableId, query, waiting)).rows;
      expect(await show({ limit: 2, last: true })).toEqual([
        ['3-298', '0'],
        ['3-299', '1'],
      ]);
      expect(await show({ limit: 2, last: true, where: [{ column: 'b', value: '0' }], columns: ['a'] })).toEqual([
        ['3-296'],
        ['3-298'],
      ]);
      expect((await show({ limit: 1000, last: true })).map(([a]) => a)).toEqual(
        (await show({ limit: 1000 })).map(([a]) => a),
      );
      expect(await show({ limit: 0, last: true })).toEqual([]);
    });

    it('shows the rows whose cells are the wanted texts byte for byte, whatever they hold', async () => {
      await at.made();
      const hostile = ["' OR 1=1 --", '"', '$1', '%', '_', 'É', 'é', 'e\u0301', 'A', 'a', ' a', 'a '];
      const texts = [...new Set([...awkwardCells, ...hostile])];
      const rows = texts.map((text, row) => [`${row}`, text]);
      await at.store.import(at.request(1, rows), waiting);
      const show = async (query: PreviewQuery) => (await at.store.preview(at.tableId, query, waiting)).rows;
      for (const row of rows)
        for (const last of [false, true])
          expect(await show({ limit: 9, last, where: [{ column: 'b', value: row[1] ?? '' }] })).toEqual([row]);
      const both = [
        { column: 'a', value: '0' },
        { column: 'b', value: texts[0] ?? '' },
      ];
      expect(await show({ limit: 9, where: both })).toEqual([rows[0]]);
      expect(await show({ limit: 9, where: [...both, { column: 'a', value: '1' }] })).toEqual([]);
      // The condition may be on a column that is not shown.
      expect(await show({ limit: 9, columns: ['a'], where: [{ column: 'b', value: texts[1] ?? '' }] })).toEqual([
        ['1'],
      ]);
    });

    it('shows the rows whose cells are among these texts, among no others, or within these bounds, by their bytes', async () => {
      await at.made();
      const texts = ['', 'A', 'B', 'a', 'b', 'z', 'É', 'é', '\uFEFFx', '😀', "' OR 1=1 --"];
      await at.store.import(
        at.request(
          1,
          texts.map((text, row) => [`${row}`, text]),
        ),
        waiting,
      );
      const shown = async (condition: CellCondition): Promise<readonly (string | undefined)[]> =>
        (await at.store.preview(at.tableId, { limit: 99, where: [condition] }, waiting)).rows.map(([, text]) => text);
      const column = 'b';
      expect(await shown({ column, values: ['a', 'É', "' OR 1=1 --", '\uFEFFx', 'no'] })).toEqual([
        'a',
        'É',
        '\uFEFFx',
        "' OR 1=1 --",
      ]);
      expect(await shown({ column, values: [] })).toEqual([]);
      expect(await shown({ column, values: [], isNot: true })).toEqual(texts);
      expect(await shown({ column, values: texts.slice(1), isNot: true })).toEqual(['']);
      const before = (one: string, other: string): boolean => Buffer.compare(Buffer.from(one), Buffer.from(other)) < 0;
      for (const bound of texts) {
        expect(await shown({ column, from: bound })).toEqual(texts.filter((text) => !before(text, bound)));
        expect(await shown({ column, before: bound })).toEqual(texts.filter((text) => before(text, bound)));
      }
      expect(await shown({ column, from: 'B', before: 'b' })).toEqual(['B', 'a']);
      expect(await shown({ column })).toEqual(texts);
    });

    it('counts the rows of each kind, most first, then by the bytes of the cells', async () => {
      await at.made();
      await expect(at.store.countRows(parseTableId('in.c-no.no'), { by: [], limit: 1 }, waiting)).rejects.toMatchObject(
        { code: 'table.notFound' },
      );
      const count = (query: Omit<CountQuery, 'limit'>, limit = 9) =>
        at.store.countRows(at.tableId, { ...query, limit }, waiting);
      expect(await count({ by: [] })).toEqual([]);
      expect(await count({ by: ['a'] })).toEqual([]);
      const rows = ['b', 'É', 'a', 'b', 'É', 'z', '\uFEFF'].map((text, row) => [text, `${row % 2}`]);
      await at.store.import(at.request(1, rows), waiting);
      expect(await count({ by: [] })).toEqual([{ cells: [], rows: 7 }]);
      expect(await count({ by: ['a'] })).toEqual([
        { cells: ['b'], rows: 2 },
        { cells: ['É'], rows: 2 },
        { cells: ['a'], rows: 1 },
        { cells: ['z'], rows: 1 },
        { cells: ['\uFEFF'], rows: 1 },
      ]);
      expect(await count({ by: ['a'] }, 2)).toEqual([
        { cells: ['b'], rows: 2 },
        { cells: ['É'], rows: 2 },
      ]);
      expect(await count({ by: ['b', 'a'], where: [{ column: 'a', values: ['b', 'z'] }] })).toEqual([
        { cells: ['0', 'b'], rows: 1 },
        { cells: ['1', 'b'], rows: 1 },
        { cells: ['1', 'z'], rows: 1 },
      ]);
      expect(await count({ by: [], where: [{ column: 'a', value: 'b' }] })).toEqual([{ cells: [], rows: 2 }]);
      expect(await count({ by: [], where: [{ column: 'a', value: 'no' }] })).toEqual([]);
      await expect(count({ by: ['c'] })).rejects.toMatchObject({ code: 'input.invalid' });
      await expect(count({ by: [], where: [{ column: 'c', value: 'x' }] })).rejects.toMatchObject({
        code: 'input.invalid',
      });
    });

    it('D9: refuses a condition on a column that the table does not have, and a value that no cell can be', async () => {
      await at.made();
      const show = (column: string, value: string) =>
        at.store.preview(at.tableId, { limit: 1, where: [{ column, value }] }, waiting);
      await expect(show('a" = \'\' OR "a', 'x')).rejects.toMatchObject({ code: 'input.invalid' });
      const column = 'a';
      for (const text of ['\0', '\ud800']) {
        const conditions: readonly CellCondition[] = [
          { column, value: text },
          { column, values: ['x', text] },
          { column, from: text },
          { column, before: text },
        ];
        for (const condition of conditions)
          await expect(at.store.preview(at.tableId, { limit: 1, where: [condition] }, waiting)).rejects.toMatchObject({
            code: 'input.invalid',
            message: expect.stringContaining('column "a"') as string,
          });
      }
    });

    it('D8: of the last rows the last ones are shown that have the wanted number of bytes together', async () => {
      await at.made();
      const rows = Array.from({ length: 20 }, (_, row) => [`${row % 10}`, 'ä'.repeat(50 + (row < 10 ? 500 : 0))]);
      await at.store.import(at.request(1, rows), waiting);
      const show = (query: PreviewQuery) => at.store.preview(at.tableId, { ...query, last: true }, waiting);
      expect(await show({ limit: 15, maxBytes: 304 })).toEqual({
        columns: ['a', 'b'],
        rows: rows.slice(-3),
        isCut: true,
      });
      expect(await show({ limit: 2, maxBytes: 304 })).toEqual({ columns: ['a', 'b'], rows: rows.slice(-2) });
    });

    it('D8: shows no more rows than have the wanted number of bytes together, and says so', async () => {
      await at.made();
      const rows = Array.from({ length: 20 }, (_, row) => [`${row % 10}`, 'ä'.repeat(50)]);
      await at.store.import(at.request(1, rows), waiting);
      const show = (query: PreviewQuery) => at.store.preview(at.tableId, query, waiting);
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

    it('D8: a row of 1,000 columns is shown within bytes, too', async () => {
      const columns = Array.from({ length: 1000 }, (_, number) => `c${number}`);
      await at.made(columns);
      const row = columns.map((_, number) => String(number % 10));
      await at.store.import(
        at.request(1, [], { columns, rows: [contentOf(csvOf([row, row]))], expected: { rows: 2, dead: 0 } }),
        waiting,
      );
      const shown = (maxBytes: number) => at.store.preview(at.tableId, { limit: 10, maxBytes }, waiting);
      expect(await shown(2000)).toEqual({ columns, rows: [row, row] });
      expect(await shown(1999)).toEqual({ columns, rows: [row], isCut: true });
    });

    it('D9: refuses a column that the table does not have', async () => {
      await at.made();
      await expect(at.store.preview(at.tableId, { columns: ['A'], limit: 1 }, waiting)).rejects.toMatchObject({
        code: 'input.invalid',
        message: `table "${at.tableId}" has no column "A"`,
      });
    });

    it('exports a Parquet file', async () => {
      await at.made();
      for (const rows of [[], [['1', 'x']]]) {
        await at.store.import(at.request(rows.length + 1, rows), waiting);
        const file = await buffer(await at.store.exportTable(at.tableId, 'parquet', waiting));
        expect([file.subarray(0, 4), file.subarray(-4)].map(String)).toEqual(['PAR1', 'PAR1']);
      }
    });

    it('exports an empty table', async () => {
      await at.made(['a', 'x"y']);
      expect(await at.exported('csv')).toBe('"a","x""y"\n');
      expect(await at.exported('ndjson')).toBe('');
    });

    it('an aborted export ends its stream with the reason', async () => {
      await at.made();
      await at.store.import(
        at.request(
          1,
          Array.from({ length: 20_000 }, (_, row) => [`${row}`, 'x'.repeat(100)]),
        ),
        waiting,
      );
      await expect(at.store.exportTable(at.tableId, 'csv', { signal: AbortSignal.abort() })).rejects.toMatchObject({
        name: 'AbortError',
      });
      const abort = new AbortController();
      const stream = await at.store.exportTable(at.tableId, 'csv', { signal: abort.signal });
      abort.abort();
      await expect(text(stream)).rejects.toMatchObject({ name: 'AbortError' });
    });
  });
}
