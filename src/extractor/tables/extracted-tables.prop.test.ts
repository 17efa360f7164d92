import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExtractedTables } from './extracted-tables.ts';
import { ExtractorError } from '../values/extractor-error.ts';
import type { JsonValue } from '../values/json-value.ts';

/** The texts of all cells, or the message of an `ExtractorError`. */
async function outcome(pages: readonly (readonly JsonValue[])[]): Promise<unknown> {
  const lines = new Map<string, string[]>();
  const spool = {
    append(name: string, line: string): void {
      lines.set(name, [...(lines.get(name) ?? []), line]);
    },
    async *read(name: string): AsyncIterable<string> {
      yield* lines.get(name) ?? [];
    },
  };
  try {
    const tables = new ExtractedTables({ spool, warn: () => undefined });
    for (const page of pages) await tables.add('t', page, []);
    const found: unknown[] = [];
    for await (const { name, columns, batches } of tables.tables()) {
      const read: (readonly string[])[] = [];
      for await (const batch of batches) for (const row of batch) read.push(row);
      found.push({ name, columns, rows: read });
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
