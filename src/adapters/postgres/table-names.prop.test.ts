import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseTableId } from '../../core/table-id.ts';
import { identifier, orderColumn, relationName, schemaName, storedColumn } from './table-names.ts';

const word = fc.string({ unit: fc.constantFrom('a', 'B', '9', '_', '-', 'é', '日', '𐐷'), minLength: 1, maxLength: 48 });

describe('names in PostgreSQL', () => {
  it('a short id keeps its names, a long one its beginning', () => {
    const id = parseTableId('in.c-shop.orders');
    expect([schemaName(id), relationName(id)]).toEqual(['in.c-shop', 'orders']);
    const long = parseTableId(`in.c-shop.${'x'.repeat(64)}`);
    expect(relationName(long)).toMatch(/^x{30}~[0-9a-f]{32}$/);
  });

  it('every schema, table and column name fits into 63 bytes', () => {
    fc.assert(
      fc.property(word, word, fc.string({ unit: 'binary', minLength: 1, maxLength: 64 }), (bucket, table, column) => {
        const id = parseTableId(`out.${bucket}.${table}`);
        for (const name of [schemaName(id), relationName(id), storedColumn(column.toWellFormed())]) {
          expect(Buffer.byteLength(name)).toBeLessThanOrEqual(63);
        }
      }),
    );
  });

  it('different ids have different names, also when their beginnings are the same', () => {
    fc.assert(
      fc.property(fc.uniqueArray(word, { minLength: 2, maxLength: 40 }), (words) => {
        const names = words.map((table) => relationName(parseTableId(`in.c.${'x'.repeat(40)}${table}`)));
        expect(new Set(names).size).toBe(words.length);
      }),
    );
  });

  it('a column that looks like the stored name of another one, or is a column of the system, has a name of its own', () => {
    const long = 'y'.repeat(64);
    const stored = storedColumn(long);
    expect(storedColumn(stored)).not.toBe(stored);
    for (const column of ['ctid', 'xmin', 'tableoid', orderColumn]) {
      expect(storedColumn(column)).not.toBe(column);
      expect(storedColumn(storedColumn(column))).not.toBe(storedColumn(column));
    }
    expect(storedColumn('CTID')).toBe('CTID');
  });

  it('an identifier doubles its quotes', () => {
    expect(identifier('a"b')).toBe('"a""b"');
  });
});
