import { describe, expect, it } from 'vitest';
import { csvCells } from '../../../test/support/csv-cells.ts';
import { MemorySpool } from '../../../test/support/memory-spool.ts';
import { ExtractedTables } from './extracted-tables.ts';
import type { JsonValue } from '../values/json-value.ts';
import type { AddedValue } from './row-writer.ts';

async function tablesOf(pages: readonly (readonly JsonValue[])[], added: readonly AddedValue[] = []) {
  const warnings: string[] = [];
  const tables = new ExtractedTables({ spool: new MemorySpool(), warn: (text) => warnings.push(text) });
  for (const page of pages) await tables.take({ dataType: 'users', items: page, added }).write();
  const found: Record<string, readonly (readonly string[])[]> = {};
  for await (const { name, columns, csv } of tables.tables()) {
    const rows = await csvCells(csv());
    found[name] = [columns, ...rows.map((row) => row.map((cell) => cell.replaceAll(/_[0-9a-f]{32}$/g, '_#')))];
  }
  return { ...found, warnings };
}

const parsed = JSON.parse('{"__proto__": "p", "constructor": 1}') as JsonValue;

describe('1.11: items become tables', () => {
  it.each<[string, readonly JsonValue[], object]>([
    ['nested object', [{ a: { b: { c: 1 } } }], { users: [['a_b_c'], ['1']] }],
    [
      'true, false, null',
      [{ a: true, b: false, c: null }],
      {
        users: [
          ['a', 'b', 'c'],
          ['1', '', ''],
        ],
      },
    ],
    [
      'numbers',
      [{ a: 2, b: 0.1, c: 2n ** 60n }],
      {
        users: [
          ['a', 'b', 'c'],
          ['2', '0.1', '1152921504606846976'],
        ],
      },
    ],
    ['empty object', [{ a: 1, b: {} }], { users: [['a'], ['1']] }],
    ['empty array', [{ a: [] }], { users: [['a'], ['']] }],
    ['only empty objects', [{}, {}], { users: [[''], [''], ['']] }],
    ['scalars', [1, 'b'], { users: [['data'], ['1'], ['b']] }],
    [
      'array of objects',
      [{ m: [{ x: 1 }] }],
      {
        users: [['m'], ['users_#']],
        users_m: [
          ['x', 'JSON_parentId'],
          ['1', 'users_#'],
        ],
      },
    ],
    [
      'array of scalars',
      [{ m: [1] }],
      {
        users: [['m'], ['users_#']],
        users_m: [
          ['data', 'JSON_parentId'],
          ['1', 'users_#'],
        ],
      },
    ],
    [
      'null first, then an array',
      [{ m: null }, { m: [1] }],
      {
        users: [['m'], [''], ['users_#']],
        users_m: [
          ['data', 'JSON_parentId'],
          ['1', 'users_#'],
        ],
      },
    ],
    [
      'names of the prototype',
      [parsed],
      {
        users: [
          ['proto', 'constructor'],
          ['p', '1'],
        ],
      },
    ],
    [
      'equal names',
      [{ 'a b': 1, a_b: 2 }],
      {
        users: [
          ['a_b', 'a_b_u0'],
          ['1', '2'],
        ],
      },
    ],
  ])('1.11: %s', async (_title, page, tables) => {
    expect(await tablesOf([page])).toEqual({ ...tables, warnings: [] });
  });

  it('1.11: an array directly in an array is JSON text', async () => {
    const warnings = ["Converting nested array 'users.[].m.[]' to JSON string."];
    expect(await tablesOf([[{ m: [[1, 2], []] }]])).toMatchObject({
      users_m: [
        ['data', 'JSON_parentId'],
        ['[1,2]', 'users_#'],
        ['[]', 'users_#'],
      ],
      warnings,
    });
  });

  it('1.11: a column that becomes an array on a later page is one for the first', async () => {
    const { users_m: rows } = (await tablesOf([[{ m: 1 }], [{ m: [2] }]])) as Record<string, unknown>;
    expect(rows).toEqual([
      ['data', 'JSON_parentId'],
      ['1', 'users_#'],
      ['2', 'users_#'],
    ]);
  });

  it('1.11: objects before an array of them are its elements, whatever fields they have', async () => {
    expect(await tablesOf([[{ m: { a: 1 } }], [{ m: [{ b: 2 }, { a: 3 }] }]])).toMatchObject({
      users_m: [
        ['a', 'b', 'JSON_parentId'],
        ['1', '', 'users_#'],
        ['', '2', 'users_#'],
        ['3', '', 'users_#'],
      ],
    });
  });

  it('1.11: cells of earlier pages stand in the columns that they have in the end', async () => {
    const pages = [[{ a: { x: 1 }, b: 'l\n"2"' }], [{ c: 3 }], [{ a: { x: 4, y: 5 }, m: [6] }]];
    expect(await tablesOf(pages)).toMatchObject({
      users: [
        ['a_x', 'a_y', 'b', 'c', 'm'],
        ['1', '', 'l\n"2"', '', ''],
        ['', '', '', '3', ''],
        ['4', '5', '', '', 'users_#'],
      ],
      users_m: [
        ['data', 'JSON_parentId'],
        ['6', 'users_#'],
      ],
    });
  });

  it('1.11: each of many pages may bring a column', async () => {
    const pages = Array.from({ length: 100 }, (_, at) => [{ [`c${at}`]: at }]);
    const { users = [] } = (await tablesOf(pages)) as { users?: string[][] };
    expect(users[0]).toEqual(pages.map((_, at) => `c${at}`));
    expect(users.slice(1)).toEqual(pages.map((_, row) => pages.map((_, at) => (at === row ? String(at) : ''))));
  });

  it.each<[readonly JsonValue[], string]>([
    [
      [{ a: 1 }, { a: [] }, { a: [{ b: 1 }] }],
      'Unhandled nodeType change from "scalar" to "object" in "users.[].a.[]"',
    ],
    [[{ a: 1 }, { a: { b: 1 } }], 'Unhandled nodeType change from "scalar" to "object" in "users.[].a"'],
    [[{ a: { b: 1 } }, { a: [1] }], "Data array in 'users.[].a' contains incompatible types 'scalar' and 'object'"],
    [[{ a: [1] }, { a: { b: 1 } }], "Data array in 'users.[].a' contains incompatible types 'scalar' and 'object'"],
  ])('1.11: types that do not go together: %j', async (page, text) => {
    await expect(tablesOf([page])).rejects.toThrow(`Error parsing response JSON: ${text}`);
  });

  it('1.9: an added column comes last, and is renamed beside one of the data', async () => {
    const added = [{ name: 'tag', value: 'x' }];
    expect(await tablesOf([[{ tag: 1 }]], added)).toMatchObject({
      users: [
        ['tag', 'tag_u0'],
        ['1', 'x'],
      ],
    });
  });
});
