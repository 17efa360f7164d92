import { expect, it } from 'vitest';
import { deadLetterTable, parseTableId } from '../../src/core/table-id.ts';
import { contentOf, csvOf } from './staged-csv.ts';
import { deadRow, waiting, type StoreOnTest } from './store-on-test.ts';

/** What every store of tables keeps as `Tables`. */
export function tablesContract(at: StoreOnTest): void {
  it('makes a table with its columns in order and no rows', async () => {
    await at.store.createTable(at.tableId, ['b', 'a', 'B c', 'é"x', '😀'], waiting);
    expect(await at.store.describeTable(at.tableId, waiting)).toMatchObject({
      tableId: at.tableId,
      columns: ['b', 'a', 'B c', 'é"x', '😀'],
      rows: 0,
    });
    expect(await at.store.preview(at.tableId, { limit: 10 }, waiting)).toEqual({
      columns: ['b', 'a', 'B c', 'é"x', '😀'],
      rows: [],
    });
  });

  it('tells the columns of one table as its description does, and none where there is no table', async () => {
    expect(await at.store.columnsOf(at.tableId, waiting)).toBeUndefined();
    await at.store.createTable(at.tableId, ['b', 'a', 'B c', 'é"x', '\uFEFF😀'], waiting);
    expect(await at.store.columnsOf(at.tableId, waiting)).toEqual(['b', 'a', 'B c', 'é"x', '\uFEFF😀']);
    await at.store.dropTable(at.tableId, waiting);
    expect(await at.store.columnsOf(at.tableId, waiting)).toBeUndefined();
  });

  it('D9: refuses a table that exists with table.exists and leaves it as it is', async () => {
    await at.store.createTable(at.tableId, ['a'], waiting);
    await expect(at.store.createTable(at.tableId, ['b'], waiting)).rejects.toMatchObject({ code: 'table.exists' });
    expect((await at.store.describeTable(at.tableId, waiting))?.columns).toEqual(['a']);
  });

  it('of several that make one table at once exactly one does; the others have table.exists', async () => {
    const results = await Promise.allSettled(
      [1, 2, 3, 4].map((maker) => at.store.createTable(at.tableId, [`by-${maker}`], waiting)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results.filter(({ status }) => status === 'rejected')) {
      expect(result).toMatchObject({ reason: { code: 'table.exists' } });
    }
    const winner = results.findIndex(({ status }) => status === 'fulfilled') + 1;
    expect((await at.store.describeTable(at.tableId, waiting))?.columns).toEqual([`by-${winner}`]);
  });

  it('drops a table that several drop at once', async () => {
    await at.store.createTable(at.tableId, ['a'], waiting);
    await Promise.all([1, 2, 3].map(() => at.store.dropTable(at.tableId, waiting)));
    expect(await at.store.describeTable(at.tableId, waiting)).toBeUndefined();
  });

  it('a table that is made again has none of the rows of the one before', async () => {
    await at.made();
    await at.store.import(at.request(1, [['1', '2']]), waiting);
    await at.store.dropTable(at.tableId, waiting);
    await at.store.createTable(at.tableId, ['a', 'b'], waiting);
    expect(await at.rowsOf()).toEqual([]);
    expect((await at.store.describeTable(at.tableId, waiting))?.rows).toBe(0);
  });

  it.each([[[]], [['a', '']], [['a', 'b', 'a']], [['a\0']]])('D9: refuses the columns %j', async (columns) => {
    await expect(at.store.createTable(at.tableId, columns, waiting)).rejects.toMatchObject({ code: 'input.invalid' });
    expect(await at.store.describeTable(at.tableId, waiting)).toBeUndefined();
  });

  it('lists all tables sorted by id, with their rows', async () => {
    await at.made();
    await at.store.createTable(parseTableId('in.a.b'), ['x'], waiting);
    await at.store.createTable(parseTableId('out.c-ä.Tabelle-1'), ['x'], waiting);
    await at.store.import(at.request(1, [['1', '2']]), waiting);
    expect((await at.store.listTables(waiting)).map((table) => [table.tableId, table.rows])).toEqual([
      ['in.a.b', 0],
      [at.tableId, 1],
      ['out.c-ä.Tabelle-1', 0],
    ]);
  });

  it('drops a table once and does nothing the second time', async () => {
    await at.made();
    await at.store.dropTable(at.tableId, waiting);
    await at.store.dropTable(at.tableId, waiting);
    expect(await at.store.describeTable(at.tableId, waiting)).toBeUndefined();
    await at.store.createTable(at.tableId, ['x'], waiting);
    expect((await at.store.describeTable(at.tableId, waiting))?.columns).toEqual(['x']);
  });

  it('a drop of a table that was made again since spares the later one', async () => {
    await at.made();
    const { identity = '' } = (await at.store.describeTable(at.tableId, waiting)) ?? {};
    await at.store.import(at.request(1, [['1', '2']]), waiting);
    expect((await at.store.describeTable(at.tableId, waiting))?.identity).toBe(identity);
    await at.store.dropTable(at.tableId, { ...waiting, identity });
    expect(await at.store.describeTable(at.tableId, waiting)).toBeUndefined();
    await at.store.dropTable(at.tableId, { ...waiting, identity });
    await at.store.createTable(at.tableId, ['a', 'b'], waiting);
    expect((await at.store.describeTable(at.tableId, waiting))?.identity).not.toBe(identity);
    await at.store.dropTable(at.tableId, { ...waiting, identity });
    expect(await at.store.describeTable(at.tableId, waiting)).toMatchObject({ columns: ['a', 'b'] });
  });

  it('drops a bucket once nothing is in it, and not before', async () => {
    await at.made();
    const other = parseTableId('in.c-other.b');
    await at.store.dropBucket(other, waiting);
    await at.store.createTable(other, ['x'], waiting);
    await at.store.dropBucket(at.tableId, waiting);
    await at.store.import(at.request(1, [['1', '2']]), waiting);
    expect(await at.rowsOf()).toEqual([['1', '2']]);
    await at.store.dropTable(at.tableId, waiting);
    await at.store.dropBucket(at.tableId, waiting);
    await at.store.dropBucket(at.tableId, waiting);
    expect((await at.store.listTables(waiting)).map((table) => table.tableId)).toEqual([other]);
    await at.store.createTable(at.tableId, ['x'], waiting);
    expect((await at.store.describeTable(at.tableId, waiting))?.columns).toEqual(['x']);
  });

  const change = { before: ['a', 'b'], dropped: ['a'], renamed: [{ from: 'b', to: 'é"x' }], added: ['c', 'A'] };

  it('changes the columns all at once: cells go with theirs, what is added is empty, the order of rows stays', async () => {
    await at.made();
    await at.store.import(
      at.request(1, [
        ['1', '2'],
        ['3', '4'],
      ]),
      waiting,
    );
    const { identity } = (await at.store.describeTable(at.tableId, waiting)) ?? {};
    await at.store.alterTable(at.tableId, change, waiting);
    const after = { identity, columns: ['é"x', 'c', 'A'], rows: 2 };
    expect(await at.store.describeTable(at.tableId, waiting)).toMatchObject(after);
    const rows = [
      ['2', '', ''],
      ['4', '', ''],
    ];
    expect(await at.rowsOf()).toEqual(rows);
    expect(await at.exported('csv')).toBe('"é""x","c","A"\n"2","",""\n"4","",""\n');
    // Done again it is done already.
    await at.store.alterTable(at.tableId, change, waiting);
    const columns = ['é"x', 'c', 'A'];
    await at.store.import(at.request(2, [['5', '', '6']], { columns }), waiting);
    expect(await at.rowsOf()).toEqual([...rows, ['5', '', '6']]);
    await at.store[Symbol.asyncDispose]();
    await at.openAgain();
    expect(await at.rowsOf()).toEqual([...rows, ['5', '', '6']]);
  });

  it('a column that was renamed to another letter case keeps its cells', async () => {
    await at.made();
    await at.store.import(at.request(1, [['1', '2']]), waiting);
    const toUpper = { before: ['a', 'b'], dropped: [], renamed: [{ from: 'a', to: 'A' }], added: [] };
    await at.store.alterTable(at.tableId, toUpper, waiting);
    expect((await at.store.describeTable(at.tableId, waiting))?.columns).toEqual(['A', 'b']);
    expect(await at.rowsOf()).toEqual([['1', '2']]);
  });

  it('D9: changes nothing of a table that has other columns than it was asked to change, or is not there', async () => {
    await expect(at.store.alterTable(at.tableId, change, waiting)).rejects.toMatchObject({ code: 'table.notFound' });
    await expect(at.store.emptyTable(at.tableId, waiting)).rejects.toMatchObject({ code: 'table.notFound' });
    const other = parseTableId(`${at.tableId}-b`);
    await expect(at.store.renameTable(at.tableId, other, waiting)).rejects.toMatchObject({ code: 'table.notFound' });
    await at.made(['b', 'a']);
    await expect(at.store.alterTable(at.tableId, change, waiting)).rejects.toMatchObject({
      code: 'table.schemaMismatch',
    });
    const twice = { before: ['b', 'a'], dropped: [], renamed: [], added: ['b'] };
    await expect(at.store.alterTable(at.tableId, twice, waiting)).rejects.toMatchObject({ code: 'input.invalid' });
    expect((await at.store.describeTable(at.tableId, waiting))?.columns).toEqual(['b', 'a']);
  });

  it('of several that change the columns at once each does so once, or finds them changed', async () => {
    await at.made();
    await at.store.import(at.request(1, [['1', '2']]), waiting);
    await Promise.all([1, 2, 3].map(() => at.store.alterTable(at.tableId, change, waiting)));
    expect(await at.rowsOf()).toEqual([['2', '', '']]);
  });

  it('empties a table, into which imports go on', async () => {
    await at.made();
    await at.store.import(at.request(1, [['1', '2']]), waiting);
    await at.store.emptyTable(at.tableId, waiting);
    expect(await at.store.describeTable(at.tableId, waiting)).toMatchObject({ columns: ['a', 'b'], rows: 0 });
    expect(await at.rowsOf()).toEqual([]);
    await at.store.emptyTable(at.tableId, waiting);
    await at.store.import(at.request(2, [['3', '4']]), waiting);
    expect(await at.rowsOf()).toEqual([['3', '4']]);
    expect((await at.store.describeTable(at.tableId, waiting))?.rows).toBe(1);
    expect((await at.store.readLedger(at.incarnation, waiting))?.loaded).toEqual({ rows: 2, dead: 0 });
  });

  it('deletes the dead letters for which all conditions hold, so many at once, and goes on to count and load', async () => {
    const where = [
      { column: 'reason', values: ['reason 1', 'reason 2', 'reason 3'] },
      { column: 'offset', before: 'offset 3' },
    ];
    expect(await at.store.deleteLetters({ where, limit: 9 }, waiting)).toBe(0);
    await at.made();
    const dead = (...offsets: readonly number[]) => ({
      dead: [contentOf(csvOf(offsets.map(deadRow)))],
      expected: { rows: 0, dead: offsets.length },
    });
    await at.store.import(at.request(1, [], dead(1, 2, 3, 4)), waiting);
    const left = async () => ({
      rows: (await at.store.describeTable(deadLetterTable, waiting))?.rows,
      letters: await at.rowsOf(deadLetterTable),
    });
    expect(await at.store.deleteLetters({ where, limit: 1 }, waiting)).toBe(1);
    expect((await left()).rows).toBe(3);
    expect(await at.store.deleteLetters({ where, limit: 1 }, waiting)).toBe(1);
    expect(await at.store.deleteLetters({ where, limit: 1 }, waiting)).toBe(0);
    expect(await left()).toEqual({ rows: 2, letters: [deadRow(3), deadRow(4)] });
    await at.store.import(at.request(2, [], dead(5)), waiting);
    expect(await left()).toEqual({ rows: 3, letters: [deadRow(3), deadRow(4), deadRow(5)] });
    expect((await at.store.readLedger(at.incarnation, waiting))?.loaded).toEqual({ rows: 0, dead: 5 });
    await expect(
      at.store.deleteLetters({ where: [{ column: 'no', value: '' }], limit: 9 }, waiting),
    ).rejects.toMatchObject({ code: 'input.invalid' });
    await expect(at.store.deleteLetters({ where: [], limit: 9 }, waiting)).rejects.toMatchObject({
      code: 'internal.bug',
    });
    expect((await left()).rows).toBe(3);
  });

  it('gives a table another name in its bucket, and to no table the name of another', async () => {
    await at.made();
    await at.store.import(at.request(1, [['1', '2']]), waiting);
    const other = parseTableId(`${at.tableId}-renamed`);
    await at.store.createTable(other, ['x'], waiting);
    await expect(at.store.renameTable(at.tableId, other, waiting)).rejects.toMatchObject({ code: 'table.exists' });
    await at.store.dropTable(other, waiting);
    const { identity } = (await at.store.describeTable(at.tableId, waiting)) ?? {};
    await at.store.renameTable(at.tableId, other, waiting);
    expect(await at.store.describeTable(at.tableId, waiting)).toBeUndefined();
    expect(await at.store.describeTable(other, waiting)).toMatchObject({ identity, columns: ['a', 'b'], rows: 1 });
    await at.store.renameTable(other, other, waiting);
    expect(await at.rowsOf(other)).toEqual([['1', '2']]);
    await at.store.createTable(at.tableId, ['y'], waiting);
    await at.store.import(at.request(2, [['3', '4']], { tableId: other }), waiting);
    expect(await at.rowsOf(other)).toEqual([
      ['1', '2'],
      ['3', '4'],
    ]);
  });
}
