import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { importInto, importsIn, killedTables, openTablesIn, placed } from '../../../test/support/killed-tables.ts';
import type { KilledTables } from '../../../test/support/killed-tables.ts';

let folder: string;
let tables: KilledTables;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-torn-log-'));
  tables = await killedTables(folder, 5);
});
afterAll(() => rmSync(folder, { recursive: true }));

const share = fc.integer({ min: 0, max: 10_000 }).map((parts) => parts / 10_000);
const bytes = fc.oneof(fc.integer({ min: 64, max: 600 }), fc.constantFrom(4096, Infinity));

/** What a disk may have of a log: it ends somewhere, and somewhere before that are zeros. */
const torn = fc.record({ end: fc.oneof(fc.constant(1), share), hole: share, bytes }).map(({ end, hole, bytes }) => {
  const log = Buffer.from(tables.log.subarray(0, Math.round(end * tables.log.length)));
  const from = Math.round(hole * log.length);
  return log.fill(0, from, Math.min(log.length, from + bytes));
});

let places = 0;

it('L1, D2, D3: whatever a loss of power left of the log, the tables open with the imports that are whole, and take the next one', async () => {
  await fc.assert(
    fc.asyncProperty(torn, async (log) => {
      const differs = tables.log.findIndex((byte, at) => byte !== log[at]);
      const whole = tables.ends.filter((end) => differs === -1 || end <= differs).length;
      const place = placed(folder, `${(places += 1)}`, { file: tables.file, log });
      {
        await using store = await openTablesIn(place);
        expect(await importsIn(store)).toBe(whole);
        expect(await importInto(store, place, whole + 1)).toBe('loaded');
      }
      {
        await using store = await openTablesIn(place);
        expect(await importsIn(store)).toBe(whole + 1);
      }
      rmSync(place, { recursive: true });
    }),
    { numRuns: 60 },
  );
});
