import { Readable } from 'node:stream';
import { crc32, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { crc32Checksum } from '../../src/core/checksum.ts';
import { parseTableId, type TableId } from '../../src/core/table-id.ts';
import type { LoadRequest, LoadRow, TableLoad } from '../../src/ports/table-loads.ts';
import { awkwardCells } from './awkward-cells.ts';
import { contentOf, csvOf, type Rows } from './staged-csv.ts';
import { waiting, type StoreOnTest } from './store-on-test.ts';

/** What every store of tables keeps as `TableLoads`. */
export function tableLoadsContract(at: StoreOnTest): void {
  const part = (rows: Rows, change: Partial<TableLoad> = {}): TableLoad => ({
    tableId: at.tableId,
    columns: ['a', 'b'],
    primaryKey: [],
    isIncremental: true,
    rows: rows.length === 0 ? [] : [contentOf(csvOf(rows))],
    expectedRows: rows.length,
    ...change,
  });
  const keyed = (rows: Rows, change: Partial<TableLoad> = {}): TableLoad =>
    part(rows, { primaryKey: ['a'], ...change });
  const requestOf = (...tables: readonly TableLoad[]): LoadRequest => ({ tables, note: '{"state":"ü"}' });
  let loads = 0;
  const nextId = (): string => `job/${at.used}.${(loads += 1)}`;
  /** A load under an id of its own. */
  const loaded = async (...tables: readonly TableLoad[]): Promise<LoadRow> => {
    const id = nextId();
    await at.store.openLoad(id, waiting);
    return await at.store.load(id, requestOf(...tables), waiting);
  };
  const refused = async (code: string, ...tables: readonly TableLoad[]): Promise<string> => {
    const id = nextId();
    await at.store.openLoad(id, waiting);
    let message = '';
    await expect(
      at.store.load(id, requestOf(...tables), waiting).catch((thrown: unknown) => {
        message = thrown instanceof Error ? thrown.message : '';
        throw thrown;
      }),
    ).rejects.toMatchObject({ code });
    expect(await at.store.readLoad(id, waiting)).toEqual({ verdict: 'open', note: '' });
    return message;
  };
  const described = async (tableId: TableId = at.tableId) => {
    const found = await at.store.describeTable(tableId, waiting);
    return found && { columns: found.columns, primaryKey: found.primaryKey, rows: found.rows };
  };

  describe('the ledger of loads', () => {
    it('D3: a row is made once, moves once, keeps the note, and is gone when it is forgotten', async () => {
      const id = nextId();
      expect(await at.store.readLoad(id, waiting)).toBeUndefined();
      await Promise.all([1, 2, 3].map(() => at.store.openLoad(id, waiting)));
      expect(await at.store.readLoad(id, waiting)).toEqual({ verdict: 'open', note: '' });
      const note = '\ufeff{"state": {"é": "\\u0000 1.50"}}';
      const request = { tables: [part([['1', 'x']])], note };
      expect(await at.store.load(id, request, waiting)).toEqual({ verdict: 'loaded', note });
      await at.store.openLoad(id, waiting);
      expect(await at.store.readLoad(id, waiting)).toEqual({ verdict: 'loaded', note });
      await at.store.forgetLoad(id, waiting);
      await at.store.forgetLoad(id, waiting);
      expect(await at.store.readLoad(id, waiting)).toBeUndefined();
      await expect(at.store.load(id, request, waiting)).rejects.toMatchObject({ code: 'table.ledgerMismatch' });
      expect(await at.rowsOf()).toEqual([['1', 'x']]);
    });

    it('D3: a load without a row is table.ledgerMismatch and loads nothing', async () => {
      await expect(at.store.load(nextId(), requestOf(part([['1', 'x']])), waiting)).rejects.toMatchObject({
        code: 'table.ledgerMismatch',
      });
      expect(await at.store.describeTable(at.tableId, waiting)).toBeUndefined();
    });

    it('D3: a repeated load changes nothing and has the answer of the first, whatever it brings', async () => {
      const id = nextId();
      await at.store.openLoad(id, waiting);
      const first = await at.store.load(id, requestOf(part([['1', 'x']])), waiting);
      const other = { tables: [part([['2', 'y']], { isIncremental: false })], note: 'other' };
      expect(await at.store.load(id, other, waiting)).toEqual(first);
      expect(await at.rowsOf()).toEqual([['1', 'x']]);
    });

    it('D3: of several that load under one id at once, one does', async () => {
      await at.store.createTable(at.tableId, ['a', 'b'], waiting);
      const id = nextId();
      await at.store.openLoad(id, waiting);
      const answers = await Promise.all(
        ['1', '2', '3', '4'].map((by) => at.store.load(id, { tables: [part([[by, 'x']])], note: by }, waiting)),
      );
      const [{ note } = { note: '' }] = answers;
      expect(answers).toEqual(answers.map(() => ({ verdict: 'loaded', note })));
      expect(await at.rowsOf()).toEqual([[note, 'x']]);
    });

    it('D3: what was given up cannot be loaded any more, whether it had a row or not', async () => {
      const given = { verdict: 'abandoned', note: '' };
      for (const isOpened of [true, false]) {
        const id = nextId();
        if (isOpened) await at.store.openLoad(id, waiting);
        expect(await at.store.abandonLoad(id, waiting)).toEqual(given);
        expect(await at.store.abandonLoad(id, waiting)).toEqual(given);
        await at.store.openLoad(id, waiting);
        expect(await at.store.load(id, requestOf(part([['1', 'x']])), waiting)).toEqual(given);
        expect(await at.store.readLoad(id, waiting)).toEqual(given);
      }
      expect(await at.store.describeTable(at.tableId, waiting)).toBeUndefined();
    });

    it('D3: what was loaded stays loaded when it is given up', async () => {
      const id = nextId();
      await at.store.openLoad(id, waiting);
      const row = await at.store.load(id, requestOf(part([['1', 'x']])), waiting);
      expect(await at.store.abandonLoad(id, waiting)).toEqual(row);
      expect(await at.rowsOf()).toEqual([['1', 'x']]);
    });

    it('D3: a load and its giving up race: both have the one verdict that the table shows', async () => {
      await at.store.createTable(at.tableId, ['a', 'b'], waiting);
      for (let round = 0, rows = 0; round < 6; round += 1) {
        const id = nextId();
        await at.store.openLoad(id, waiting);
        const calls = [
          () => at.store.load(id, requestOf(part([['1', 'x']])), waiting),
          () => at.store.abandonLoad(id, waiting),
        ];
        const [one, other] = await Promise.all((round % 2 === 0 ? calls : calls.toReversed()).map((call) => call()));
        expect(one).toEqual(other);
        rows += one?.verdict === 'loaded' ? 1 : 0;
        expect(await at.rowsOf()).toHaveLength(rows);
      }
    });

    it('D3: a load that is given up while its content arrives loads nothing', async () => {
      const id = nextId();
      await at.store.openLoad(id, waiting);
      const giveUp = async function* () {
        yield Buffer.from(csvOf([['1', 'x']]));
        await at.store.abandonLoad(id, waiting);
        yield Buffer.from(csvOf([['2', 'y']]));
      };
      const rows = [{ ...contentOf('x'), open: async () => Readable.from(giveUp()) }];
      const given = { verdict: 'abandoned', note: '' };
      expect(await at.store.load(id, requestOf(part([], { rows, expectedRows: 2 })), waiting)).toEqual(given);
      expect(await at.store.describeTable(at.tableId, waiting)).toBeUndefined();
    });

    it('D2: rows and ledger are there after the store was closed and opened again', async () => {
      const id = nextId();
      await at.store.openLoad(id, waiting);
      const row = await at.store.load(id, requestOf(keyed([['1', 'x']])), waiting);
      const open = nextId();
      await at.store.openLoad(open, waiting);
      await at.store[Symbol.asyncDispose]();
      await at.openAgain();
      expect(await at.store.readLoad(id, waiting)).toEqual(row);
      expect(await at.store.readLoad(open, waiting)).toEqual({ verdict: 'open', note: '' });
      expect(await described()).toEqual({ columns: ['a', 'b'], primaryKey: ['a'], rows: 1 });
      await at.store.load(open, requestOf(keyed([['1', 'y']])), waiting);
      expect(await at.rowsOf()).toEqual([['1', 'y']]);
    });
  });

  describe('tables that are loaded', () => {
    it('D2: makes bucket, table and columns, and loads all contents in order, by path and by stream', async () => {
      const other = parseTableId('out.c-new.x');
      const rows = [await at.fileOf(csvOf([['1', 'x']])), contentOf(''), contentOf(csvOf([['2', 'y']]))];
      await loaded(part([], { rows, expectedRows: 2 }), part([['3']], { tableId: other, columns: ['é"x'] }));
      expect(await described()).toEqual({ columns: ['a', 'b'], primaryKey: [], rows: 2 });
      await loaded(part([['c', '3', 'd']], { columns: ['c', 'a', 'A d'] }));
      expect(await described()).toEqual({ columns: ['a', 'b', 'c', 'A d'], primaryKey: [], rows: 3 });
      expect(await at.rowsOf()).toEqual([
        ['1', 'x', '', ''],
        ['2', 'y', '', ''],
        ['3', '', 'c', 'd'],
      ]);
      expect(await at.rowsOf(other)).toEqual([['3']]);
      await at.store.dropTable(other, waiting);
      await at.store.dropBucket(other, waiting);
    });

    it('makes a table of which there are no rows, and loads nothing but the note without tables', async () => {
      await loaded(keyed([]));
      expect(await described()).toEqual({ columns: ['a', 'b'], primaryKey: ['a'], rows: 0 });
      expect(await loaded()).toMatchObject({ verdict: 'loaded' });
    });

    it.each([[[]], [['a']]])('D2: keeps every cell as it is, with the key %j', async (primaryKey) => {
      const rows = awkwardCells.map((cell, index) => [`${index}`, cell]);
      await loaded(part(rows, { primaryKey }));
      expect(await at.rowsOf()).toEqual(rows);
    });

    it.each([[[]], [['a']]])(
      'replaces all rows unless the load is incremental, with the key %j',
      async (primaryKey) => {
        await at.store.createTable(at.tableId, ['b', 'z'], waiting);
        await loaded(part([['1', 'x']], { columns: ['b', 'z'] }));
        await loaded(
          part(
            [
              ['2', 'y'],
              ['3', 'y'],
            ],
            { primaryKey, isIncremental: false },
          ),
        );
        expect(await described()).toEqual({ columns: ['b', 'z', 'a'], primaryKey, rows: 2 });
        expect(await at.rowsOf()).toEqual([
          ['y', '', '2'],
          ['y', '', '3'],
        ]);
        await loaded(part([], { isIncremental: false }));
        expect(await described()).toEqual({ columns: ['b', 'z', 'a'], primaryKey, rows: 0 });
      },
    );

    it('D3: rows with the same key replace each other, the last one stays, in its place in the order of loading', async () => {
      await loaded(
        keyed([
          ['1', 'x'],
          ['2', 'x'],
          ['1', 'y'],
          ['3', 'x'],
        ]),
      );
      expect(await at.rowsOf()).toEqual([
        ['2', 'x'],
        ['1', 'y'],
        ['3', 'x'],
      ]);
      await loaded(
        keyed([
          ['3', 'z'],
          ['', 'w'],
          ['2', 'z'],
          ['3', 'v'],
        ]),
      );
      const rows = [
        ['1', 'y'],
        ['', 'w'],
        ['2', 'z'],
        ['3', 'v'],
      ];
      expect(await at.rowsOf()).toEqual(rows);
      expect((await at.store.preview(at.tableId, { limit: 2, last: true }, waiting)).rows).toEqual(rows.slice(2));
      expect((await described())?.rows).toBe(4);
      expect((await at.store.listTables(waiting)).map((table) => [table.rows, table.primaryKey])).toEqual([[4, ['a']]]);
    });

    it('D3: keys are the same byte for byte, in all their columns', async () => {
      const columns = ['x', 'a b', 'Ä'];
      const rows = [
        ['1', 'a', 'b'],
        ['2', 'A', 'b'],
        ['3', 'a ', 'b'],
        ['4', 'a', ''],
        ['5', 'ab', ''],
        ['6', 'é', ''],
        ['7', 'e\u0301', ''],
        ['8', 'a,b', ''],
      ];
      const primaryKey = ['Ä', 'a b'];
      await loaded(part(rows, { columns, primaryKey }));
      await loaded(part([['9', 'a', '']], { columns, primaryKey: ['a b', 'Ä'] }));
      expect(await at.rowsOf()).toEqual([...rows.filter(([x]) => x !== '4'), ['9', 'a', '']]);
      expect((await described())?.primaryKey).toEqual(primaryKey);
    });

    it('D3: a load without a key keeps the key of the table', async () => {
      await loaded(keyed([['1', 'x']]));
      await loaded(
        part([
          ['1', 'y'],
          ['2', 'y'],
        ]),
      );
      expect(await at.rowsOf()).toEqual([
        ['1', 'y'],
        ['2', 'y'],
      ]);
      await loaded(
        part(
          [
            ['3', 'x'],
            ['3', 'y'],
          ],
          { isIncremental: false },
        ),
      );
      expect(await at.rowsOf()).toEqual([['3', 'y']]);
      expect((await described())?.primaryKey).toEqual(['a']);
    });

    it('D9: another key takes its place where the rows that stay are unique by it, and nowhere else', async () => {
      const rows = [
        ['1', 'x'],
        ['2', 'x'],
      ];
      await loaded(part(rows));
      expect(await refused('table.schemaMismatch', part([['3', 'y']], { primaryKey: ['b'] }))).toContain(
        `the table "${at.tableId}" cannot get the primary key ["b"]: it has none, and several of its rows are the same by it`,
      );
      expect(await described()).toEqual({ columns: ['a', 'b'], primaryKey: [], rows: 2 });
      await loaded(keyed([['1', 'y']]));
      expect(await at.rowsOf()).toEqual([
        ['2', 'x'],
        ['1', 'y'],
      ]);
      await loaded(part([['4', 'x']], { primaryKey: ['b'] }));
      expect(await at.rowsOf()).toEqual([
        ['1', 'y'],
        ['4', 'x'],
      ]);
      await loaded(part([['4', 'z']], { primaryKey: ['b'] }));
      expect(await refused('table.schemaMismatch', keyed([['5', 'x']]))).toContain('it has ["b"]');
      expect(await described()).toEqual({ columns: ['a', 'b'], primaryKey: ['b'], rows: 3 });
      await loaded(part([['5', 'x']], { primaryKey: ['a', 'b'], isIncremental: false }));
      expect(await described()).toEqual({ columns: ['a', 'b'], primaryKey: ['a', 'b'], rows: 1 });
    });

    it('D9: lines without a column of the key are table.schemaMismatch', async () => {
      await loaded(keyed([['1', 'x']]));
      for (const isIncremental of [true, false]) {
        const lacking = part([['y']], { columns: ['b'], isIncremental });
        expect(await refused('table.schemaMismatch', lacking)).toContain('the rows to load have no column "a"');
      }
      expect(await at.rowsOf()).toEqual([['1', 'x']]);
    });

    it('a table that stands several times in a load gets all of it, once', async () => {
      await loaded(part([['0', 'w']]));
      await loaded(
        part([['1', 'x']]),
        part([['2', 'y']], { columns: ['b', 'c'], isIncremental: false }),
        part([['3', 'z']]),
      );
      expect(await at.rowsOf()).toEqual([
        ['1', 'x', ''],
        ['', '2', 'y'],
        ['3', 'z', ''],
      ]);
      await loaded(part([['1', 'x']], { isIncremental: false }), keyed([['2', 'x']]), part([['1', 'y']]));
      expect(await at.rowsOf()).toEqual([
        ['2', 'x', ''],
        ['1', 'y', ''],
      ]);
      const two = [keyed([['1', 'x']]), part([['1', 'x']], { primaryKey: ['b'] })];
      expect(await refused('table.schemaMismatch', ...two)).toContain('two primary keys, ["a"] and ["b"]');
    });

    it('D3: a table that a sink feeds, too, goes on to be fed, and loads replace what it fed by their key', async () => {
      await at.made();
      await at.store.import(
        at.request(1, [
          ['1', 'sink'],
          ['1', 'sink'],
          ['2', 'sink'],
        ]),
        waiting,
      );
      await loaded(part([['3', 'load']]));
      await at.store.import(at.request(2, [['4', 'sink']]), waiting);
      await loaded(keyed([['9', 'load']], { isIncremental: false }));
      await at.store.import(
        at.request(3, [
          ['5', 'sink'],
          ['5', 'sink'],
          ['6', 'sink'],
        ]),
        waiting,
      );
      await loaded(keyed([['5', 'load']]));
      expect(await at.rowsOf()).toEqual([
        ['9', 'load'],
        ['6', 'sink'],
        ['5', 'load'],
      ]);
      expect((await described())?.rows).toBe(3);
      await loaded(part([['7', 'load', 'x']], { columns: ['a', 'b', 'c'] }));
      await expect(at.store.import(at.request(4, [['8', 'x']]), waiting)).rejects.toMatchObject({
        code: 'table.schemaMismatch',
      });
      expect((await at.store.readLedger(at.incarnation, waiting))?.loaded).toEqual({ rows: 7, dead: 0 });
    });

    it('D3: loads at once into one table, new or there, lose nothing and keep its key', async () => {
      const both = Array.from({ length: 8 }, (_, by) =>
        loaded(keyed(Array.from({ length: 50 }, (_, row) => [`${row + by}`, `${by}`]))),
      );
      for (const { verdict } of await Promise.all(both)) expect(verdict).toBe('loaded');
      const keys = (await at.rowsOf()).map(([a]) => Number(a));
      expect(keys.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 57 }, (_, row) => row));
      const appended = parseTableId(`${at.tableId}-b`);
      await Promise.all(
        Array.from({ length: 8 }, (_, by) =>
          loaded(part([[`${by}`, 'x']], { tableId: appended, columns: ['a', `c${by % 2}`] })),
        ),
      );
      expect(new Set((await at.rowsOf(appended)).map(([a]) => a)).size).toBe(8);
      expect((await described(appended))?.columns.toSorted()).toEqual(['a', 'c0', 'c1']);
    });

    it('D3: loads at once into two tables, named in either order, end both', async () => {
      const other = parseTableId(`${at.tableId}-b`);
      const rounds = Array.from({ length: 6 }, (_, by) => {
        const tables = [keyed([['1', `${by}`]]), keyed([['1', `${by}`]], { tableId: other })];
        return loaded(...(by % 2 === 0 ? tables : tables.toReversed()));
      });
      for (const { verdict } of await Promise.all(rounds)) expect(verdict).toBe('loaded');
      expect(await at.rowsOf()).toEqual(await at.rowsOf(other));
    });

    it('a table that was emptied, dropped or renamed before is loaded as it is then', async () => {
      await loaded(keyed([['1', 'x']]));
      await at.store.emptyTable(at.tableId, waiting);
      await loaded(
        part([
          ['1', 'y'],
          ['1', 'z'],
        ]),
      );
      expect(await described()).toEqual({ columns: ['a', 'b'], primaryKey: ['a'], rows: 1 });
      const other = parseTableId(`${at.tableId}-renamed`);
      await at.store.renameTable(at.tableId, other, waiting);
      expect(await described(other)).toEqual({ columns: ['a', 'b'], primaryKey: ['a'], rows: 1 });
      await loaded(part([['1', 'w']], { tableId: other }), part([['1', 'x']]));
      expect(await at.rowsOf(other)).toEqual([['1', 'w']]);
      expect(await described()).toEqual({ columns: ['a', 'b'], primaryKey: [], rows: 1 });
      await at.store.dropTable(other, waiting);
      await loaded(part([['1'], ['1']], { tableId: other, columns: ['x'] }));
      expect(await described(other)).toEqual({ columns: ['x'], primaryKey: [], rows: 2 });
    });

    it('a load and what happens to its table at once end, and the table is as one of them left it', async () => {
      for (let round = 0; round < 3; round += 1) {
        await loaded(keyed([['1', 'x']]));
        const change = { before: ['a', 'b'], dropped: [], renamed: [], added: ['c'] };
        await Promise.all([
          loaded(keyed([['2', 'x']])),
          at.store.emptyTable(at.tableId, waiting),
          at.store.alterTable(at.tableId, change, waiting),
        ]);
        const rows = await at.rowsOf();
        expect([[], [['2', 'x', '']]]).toContainEqual(rows);
        await Promise.all([loaded(keyed([['3', 'x']])), at.store.dropTable(at.tableId, waiting)]);
        const left = await described();
        expect([undefined, 1, rows.length + 1]).toContain(left?.rows);
        await at.store.dropTable(at.tableId, waiting);
      }
    });
  });

  describe('what is refused', () => {
    it.each([
      ['no columns', { columns: [] }],
      ['an empty name', { columns: ['a', ''] }],
      ['a column twice', { columns: ['a', 'a'] }],
      ['a key without its column', { primaryKey: ['c'] }],
      ['a column twice in the key', { primaryKey: ['a', 'a'] }],
      ['the stage of the product', { tableId: parseTableId('sys.c-own.x') }],
      ['the dead letters', { tableId: parseTableId('sys.c-millrace.dead_letters') }],
    ])('D9: %s is input.invalid, and nothing is loaded of the other tables', async (_, change) => {
      const other = parseTableId(`${at.tableId}-b`);
      await refused('input.invalid', part([['1', 'x']], { tableId: other }), part([['1', 'x']], change));
      expect(await at.store.listTables(waiting)).toEqual([]);
    });

    const line = csvOf([['1', 'x'.repeat(1000)]]);
    const checksum = crc32Checksum(crc32(line));
    const flipped = Buffer.from(line.replace('xx', 'xy'));
    it.each([
      ['a row too few', 'table.invalidContent', { expectedRows: 2 }],
      ['a row too many', 'table.invalidContent', { expectedRows: 0 }],
      ['none of its rows', 'table.invalidContent', { rows: [] }],
      ['a cell too few', 'table.invalidContent', { rows: [contentOf('"1"\n')] }],
      ['a quote that does not end', 'table.invalidContent', { rows: [contentOf('"1","x\n')] }],
      ['another byte', 'objects.corrupt', { rows: [{ ...contentOf(flipped), checksum }] }],
    ])('D2: content with %s is %s, and nothing of the load is there', async (_, code, change) => {
      const other = parseTableId(`${at.tableId}-b`);
      await loaded(keyed([['1', 'x']]));
      for (const primaryKey of [[], ['a']]) {
        await refused(
          code,
          keyed([['1', 'y']], { isIncremental: false, columns: ['a', 'b', 'c'], rows: [contentOf('"1","y",""\n')] }),
          part([['1', 'x']], { tableId: other, rows: [contentOf(line)], primaryKey, ...change }),
        );
        expect(await at.rowsOf()).toEqual([['1', 'x']]);
        expect(await described()).toEqual({ columns: ['a', 'b'], primaryKey: ['a'], rows: 1 });
        expect(await at.store.describeTable(other, waiting)).toBeUndefined();
      }
      expect((await at.store.listTables(waiting)).map(({ tableId }) => tableId)).toEqual([at.tableId]);
      await at.store.createTable(other, ['later'], waiting);
    });

    it('D2: a table that a refused load was for is made with the columns of the next one', async () => {
      await refused('table.invalidContent', keyed([['1', 'x']], { expectedRows: 2 }));
      await loaded(part([['1', '2']], { columns: ['z', 'b'] }));
      expect(await described()).toEqual({ columns: ['z', 'b'], primaryKey: [], rows: 1 });
    });

    it('D2: compressed content, and content that is read wrongly once, is loaded once', async () => {
      const zipped = gzipSync(line);
      const about = { bytes: line.length, checksum, compressed: { as: 'gzip' as const, bytes: zipped.length } };
      let reads = 0;
      const open = async (): Promise<Readable> => Readable.from([(reads += 1) === 1 ? flipped : Buffer.from(line)]);
      const rows = [
        { ...contentOf(zipped), ...about },
        { ...(await at.fileOf(zipped)), ...about },
        { ...contentOf(line), checksum, open },
      ];
      await loaded(part([], { rows, expectedRows: 3 }));
      expect((await at.rowsOf()).map(([a]) => a)).toEqual(['1', '1', '1']);
      expect(reads).toBeGreaterThan(1);
    });

    it('an abort while content arrives rejects with the reason and loads nothing', async () => {
      await loaded(keyed([['0', 'x']]));
      const reason = new Error('stopped');
      const stop = new AbortController();
      const endless = async function* () {
        for (let row = 0; ; row += 1) {
          yield Buffer.from(csvOf([[`${row}`, 'x'.repeat(1000)]]));
          if (row === 100) stop.abort(reason);
          await new Promise((resolve) => setImmediate(resolve));
        }
      };
      const rows = [{ ...contentOf('x'), bytes: 1_000_000_000, open: async () => Readable.from(endless()) }];
      const id = nextId();
      await at.store.openLoad(id, waiting);
      const request = requestOf(keyed([], { rows, expectedRows: 1_000_000, isIncremental: false }));
      await expect(at.store.load(id, request, { signal: stop.signal })).rejects.toBe(reason);
      expect(await at.store.readLoad(id, waiting)).toEqual({ verdict: 'open', note: '' });
      expect(await at.rowsOf()).toEqual([['0', 'x']]);
      expect(await at.store.load(id, requestOf(keyed([['1', 'y']])), waiting)).toMatchObject({ verdict: 'loaded' });
      expect(await at.rowsOf()).toHaveLength(2);
    });
  });

  describe('the primary key of a table', () => {
    it('is given when the table is made, and kept', async () => {
      await at.store.createTable(at.tableId, ['a', 'b', 'c'], { ...waiting, primaryKey: ['c', 'a'] });
      expect((await described())?.primaryKey).toEqual(['c', 'a']);
      await loaded(
        part(
          [
            ['1', 'x', ''],
            ['1', 'y', ''],
          ],
          { columns: ['a', 'b', 'c'] },
        ),
      );
      expect(await at.rowsOf()).toEqual([['1', 'y', '']]);
    });

    it.each([[['c']], [['a', 'a']]])('D9: %j is input.invalid, and no table is made', async (primaryKey) => {
      const made = at.store.createTable(at.tableId, ['a', 'b'], { ...waiting, primaryKey });
      await expect(made).rejects.toMatchObject({ code: 'input.invalid' });
      expect(await at.store.describeTable(at.tableId, waiting)).toBeUndefined();
    });

    it('D9: goes with a column that is renamed; none of its columns can be dropped', async () => {
      await at.store.createTable(at.tableId, ['a', 'b', 'c'], { ...waiting, primaryKey: ['b', 'a'] });
      const before = ['a', 'b', 'c'];
      const dropped = at.store.alterTable(at.tableId, { before, dropped: ['a'], renamed: [], added: ['a'] }, waiting);
      await expect(dropped).rejects.toMatchObject({
        code: 'table.inUse',
        message: expect.stringContaining(
          `the primary key ["b", "a"] of the table "${at.tableId}" has the column "a"`,
        ) as string,
      });
      const renamed = [
        { from: 'a', to: 'z' },
        { from: 'b', to: 'B' },
      ];
      await at.store.alterTable(at.tableId, { before, dropped: ['c'], renamed, added: ['d'] }, waiting);
      expect(await described()).toEqual({ columns: ['z', 'B', 'd'], primaryKey: ['B', 'z'], rows: 0 });
      await loaded(
        part(
          [
            ['1', '1', 'x'],
            ['1', '1', 'y'],
          ],
          { columns: ['z', 'B', 'd'] },
        ),
      );
      expect(await at.rowsOf()).toEqual([['1', '1', 'y']]);
    });
  });
}
