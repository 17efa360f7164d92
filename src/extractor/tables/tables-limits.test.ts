import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../values/json-value.ts';
import { ExtractedTables } from './extracted-tables.ts';
import { tablesLimits } from './tables-limits.ts';

function newTables(mappings: JsonValue = null): ExtractedTables {
  const spool = { append: () => undefined, async *read() {} };
  return new ExtractedTables({ spool, warn: () => undefined, mappings });
}

async function add(tables: ExtractedTables, dataType: string, items: readonly JsonValue[]): Promise<void> {
  await tables.take({ dataType, items, added: [] }).write();
}

function fields(count: number, name = (at: number): string => `f${at}`): JsonValue {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [name(at), at]));
}

function nested(levels: number, around: (inner: JsonValue) => JsonValue): JsonValue {
  let value: JsonValue = 1;
  for (let level = 0; level < levels; level++) value = around(value);
  return value;
}

describe('D8: limits of tables', () => {
  it('D8: fields of all pages and tables of a job together', async () => {
    const tables = newTables();
    await add(tables, 'a', [fields(tablesLimits.fields - 1)]);
    await add(tables, 'b', [{ last: 1 }]);
    await add(tables, 'a', [fields(tablesLimits.fields - 1)]);
    await expect(add(tables, 'b', [{ more: 1 }])).rejects.toThrow(
      `Error parsing response JSON: 'b.[]' has more than 10000 fields. Leave it out with 'mappings', or store it as text with 'responseFilter'.`,
    );
  });

  it('D8: characters in the names of fields', async () => {
    const tables = newTables();
    const half = tablesLimits.nameCharacters / 2;
    await add(tables, 'a', [fields(2, (at) => String(at).repeat(half))]);
    await expect(add(tables, 'a', [{ b: 1 }])).rejects.toThrow(
      `'a.[]' has more than 4194304 characters in the names of fields.`,
    );
  });

  it('D8: a path of any length is shown by its end', async () => {
    const item = { ['k'.repeat(1000)]: fields(tablesLimits.fields) };
    await expect(add(newTables(), 'a', [item])).rejects.toThrow(`'…${'k'.repeat(200)}' has more`);
  });

  it('D8: tables of a job, of its data types and of arrays', async () => {
    const tables = newTables();
    for (let at = 1; at < tablesLimits.tables; at++) await add(tables, `t${at}`, [{ a: 1 }]);
    await add(tables, 't1', [{ m: [1] }]);
    await expect(add(tables, 'more', [{ a: 1 }])).rejects.toThrow('The job has more than 500 tables.');
    await expect(add(newTables(), 't', [fields(1), arrays(tablesLimits.tables)])).rejects.toThrow(
      'has more than 500 tables',
    );
  });

  it.each<[string, (inner: JsonValue) => JsonValue]>([
    ['objects', (inner) => ({ a: inner })],
    ['arrays', (inner) => [inner]],
  ])('D8: nesting of %s, also by a mapping and however deep', async (_title, around) => {
    const mappings = { mapped: { a: { forceType: true, mapping: { destination: 'a' } } } };
    for (const type of ['plain', 'mapped']) {
      await add(newTables(mappings), type, [nested(tablesLimits.nesting, around)]);
      for (const levels of [tablesLimits.nesting + 1, 100_000]) {
        await expect(add(newTables(mappings), type, [nested(levels, around)])).rejects.toThrow(
          `Error parsing response JSON: An item of '${type}' has more than 300 levels of nesting.`,
        );
      }
    }
  });

  it('D8: different sets of added columns', async () => {
    const tables = newTables();
    const addOne = async (at: number): Promise<void> =>
      tables.take({ dataType: 'a', items: [1], added: [{ name: `n${at}`, value: at }] }).write();
    for (let at = 0; at < tablesLimits.addedSets; at++) await addOne(at);
    await addOne(0);
    await expect(addOne(tablesLimits.addedSets)).rejects.toThrow(
      'The job adds more than 10000 different sets of columns.',
    );
  });
});

function arrays(count: number): JsonValue {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, [1]]));
}
