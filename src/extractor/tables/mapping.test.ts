import { describe, expect, it } from 'vitest';
import { csvCells } from '../../../test/support/csv-cells.ts';
import { MemorySpool } from '../../../test/support/memory-spool.ts';
import { ExtractedTables } from './extracted-tables.ts';
import type { JsonValue } from '../values/json-value.ts';

async function mapped(mapping: JsonValue, item: JsonValue): Promise<unknown> {
  const spool = new MemorySpool();
  const tables = new ExtractedTables({ spool, warn: () => undefined, mappings: { u: mapping } });
  await tables.take({ dataType: 'u', items: [item], added: [{ name: 'who', value: 'me' }] }).write();
  const found: Record<string, unknown> = {};
  for await (const { name, columns, csv } of tables.tables()) {
    const rows = await csvCells(csv());
    found[name] = [columns, ...rows.map((row) => row.map((cell) => (/^[0-9a-f]{32}$/.test(cell) ? '#' : cell)))];
  }
  return found;
}

const key = { mapping: { destination: 'id', primaryKey: true } };
const child = { type: 'table', destination: 'c', tableMapping: { '.': 'v' } };

describe('1.12: mappings', () => {
  it.each<[string, JsonValue, JsonValue, object]>([
    [
      'a column, others dropped',
      { 'a.b': 'x', n: 'y' },
      { a: { b: 1 }, z: 2 },
      {
        u: [
          ['x', 'y'],
          ['1', ''],
        ],
      },
    ],
    ['delimiter', { 'a/b': { delimiter: '/', mapping: { destination: 'x' } } }, { a: { b: 1 } }, { u: [['x'], ['1']] }],
    ['one element', { 'a.0': 'x' }, { a: [7] }, { u: [['x'], ['7']] }],
    ['forceType', { a: { forceType: true, mapping: { destination: 'x' } } }, { a: [1] }, { u: [['x'], ['[1]']] }],
    ['user', { who: { type: 'user', mapping: { destination: 'x' } } }, {}, { u: [['x'], ['me']] }],
    [
      'date',
      { a: { type: 'date', mapping: { destination: 'x' } } },
      { a: '1970-01-02 00:00:00' },
      { u: [['x'], ['86400']] },
    ],
    ['no date', { a: { type: 'date', mapping: { destination: 'x' } } }, { a: 'soon' }, { u: [['x'], ['soon']] }],
    [
      'table with a key',
      { i: key, a: child },
      { i: 5, a: [1] },
      {
        u: [['id'], ['5']],
        c: [
          ['v', 'u_pk'],
          ['1', '5'],
        ],
      },
    ],
    [
      'table without a key',
      { a: child },
      { a: 1 },
      {
        u: [['c'], ['#']],
        c: [
          ['v', 'u_pk'],
          ['1', '#'],
        ],
      },
    ],
    ['disable', { a: { ...child, parentKey: { disable: true } } }, { a: [1] }, { u: [[], []], c: [['v'], ['1']] }],
    [
      'a link keeps the place of its table in the mapping',
      { a: child, b: 'x' },
      { a: [1], b: 2 },
      {
        u: [
          ['c', 'x'],
          ['#', '2'],
        ],
        c: [
          ['v', 'u_pk'],
          ['1', '#'],
        ],
      },
    ],
    [
      'the link of a child, in its key, leads to the children of the child (example 070)',
      {
        i: key,
        a: { ...child, parentKey: { primaryKey: true }, tableMapping: { n: 'n', b: { ...child, destination: 'd' } } },
      },
      { i: 5, a: [{ n: 6, b: [7] }] },
      {
        u: [['id'], ['5']],
        c: [
          ['n', 'u_pk'],
          ['6', '5'],
        ],
        d: [
          ['v', 'c_pk'],
          ['7', '5'],
        ],
      },
    ],
    ['empty values have no child rows without a key', { a: child }, { a: 0 }, { u: [['c'], ['']], c: [['v', 'u_pk']] }],
    [
      'a value without fields is the value of any path (example 114)',
      { i: key, a: { ...child, tableMapping: { '0': 'x' } } },
      { i: 5, a: ['l', 'm'] },
      {
        u: [['id'], ['5']],
        c: [
          ['x', 'u_pk'],
          ['l', '5'],
          ['m', '5'],
        ],
      },
    ],
    ['header only', { i: key, a: child }, { i: 5, a: [] }, { u: [['id'], ['5']], c: [['v', 'u_pk']] }],
    ...[{ i: 5 }, { i: 5, a: null }].map((item): [string, JsonValue, JsonValue, object] => [
      `a child that is null or not there is a row with the key alone: ${JSON.stringify(item)}`,
      { i: key, a: { ...child, tableMapping: { n: 'n', b: { ...child, destination: 'd' } } } },
      item,
      {
        u: [['id'], ['5']],
        c: [
          ['n', 'd', 'u_pk'],
          ['', '', '5'],
        ],
        d: [['v', 'c_pk']],
      },
    ]),
    [
      'a child in the table of its item that is null has no row',
      { i: key, a: { type: 'table', destination: 'u', parentKey: { disable: true } } },
      { i: 5, a: [{ i: 6, a: null }] },
      { u: [['id'], ['6'], ['5']] },
    ],
  ])('1.12: %s', async (_title, ...[mapping, item, tables]) => {
    expect(await mapped(mapping, item)).toEqual(tables);
  });

  it.each<[JsonValue, JsonValue, string]>([
    [
      { '.': { type: 'table', destination: 'u', parentKey: { disable: true } } },
      {},
      "The item itself, '.', cannot be a child row of its own table 'u'.",
    ],
    [{ a: {} }, {}, "Key 'mapping.destination' is not set for column 'a'."],
    [
      { a: 'n' },
      { a: [1] },
      "Error saving 'u' data to CSV column: Error writing 'n' column: Cannot write data into column: [1]",
    ],
    [
      { i: { ...key, forceType: true }, a: child },
      { i: [1], a: 1 },
      'Only scalar values are allowed in primary key. Primary key: [1]',
    ],
  ])('1.12: refuses %j', async (mapping, item, text) => {
    await expect(mapped(mapping, item)).rejects.toThrow(text);
  });
});
