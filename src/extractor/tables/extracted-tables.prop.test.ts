import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvCells } from '../../../test/support/csv-cells.ts';
import { MemorySpool } from '../../../test/support/memory-spool.ts';
import { ExtractedTables } from './extracted-tables.ts';
import { ExtractorError } from '../values/extractor-error.ts';
import type { JsonValue } from '../values/json-value.ts';

/** The texts of all cells, or the message of an `ExtractorError`. */
async function outcome(pages: readonly (readonly JsonValue[])[]): Promise<unknown> {
  const spool = new MemorySpool({ pieceBytes: 7 });
  try {
    const tables = new ExtractedTables({ spool, warn: () => undefined });
    for (const page of pages) await tables.take({ dataType: 't', items: page, added: [] }).write();
    const found: unknown[] = [];
    for await (const { name, columns, count, csv } of tables.tables()) {
      const rows = await csvCells(csv());
      expect(rows).toHaveLength(count);
      found.push({ name, columns, rows });
    }
    return found;
  } catch (error) {
    if (error instanceof ExtractorError) return error.message;
    throw error;
  }
}

/** A page of nothing but one null has no row, so a null does not stand alone here. */
const items = fc.array(
  fc.jsonValue().filter((value) => value !== null),
  { maxLength: 8 },
) as fc.Arbitrary<JsonValue[]>;

describe('any pages', () => {
  it('1.11: become the same tables, or the same error, whatever way they are cut', async () => {
    await fc.assert(
      fc.asyncProperty(items, fc.nat(8), async (page, at) => {
        expect(await outcome([page.slice(0, at), page.slice(at)])).toEqual(await outcome([page]));
      }),
    );
  });

  it('1.11: become the same tables whatever later pages say of the places of earlier ones', async () => {
    // Few keys and values, so that what stands at a place changes often and seldom contradicts.
    const { value } = fc.letrec<{ value: JsonValue; object: JsonValue }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom<JsonValue>(null, {}, [], 1, true, false, '', 'a"b', '\n', '","', 2n ** 60n),
        fc.array(tie('value'), { maxLength: 2 }),
        tie('object'),
      ),
      object: fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), tie('value'), { maxKeys: 2 }),
    }));
    const item = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), value, { maxKeys: 3 });
    await fc.assert(
      fc.asyncProperty(fc.array(item, { minLength: 2, maxLength: 6 }), async (page) => {
        const whole = await outcome([page]);
        expect(await outcome(page.map((item) => [item]))).toEqual(whole);
        expect(await outcome([page.slice(0, 2), page.slice(2)])).toEqual(whole);
      }),
      { numRuns: 1000 },
    );
  });

  it('1.11: keep every text of an object', async () => {
    const flat = fc.dictionary(
      fc.string(),
      fc.oneof(fc.string(), fc.array(fc.string()), fc.dictionary(fc.string(), fc.string())),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(flat), async (page) => {
        const found = JSON.stringify(await outcome([page]));
        if (found.startsWith('"')) return;
        const texts = page.flatMap((item) =>
          Object.values(item).flatMap((value) => (typeof value === 'string' ? [value] : Object.values(value))),
        );
        for (const text of texts) expect(found).toContain(JSON.stringify(text));
      }),
    );
  });
});
