import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { openEnvironment } from '../client.ts';
import { DataFile } from './data-file.ts';
import { pagesOf } from './write-size.ts';

const keys = fc.integer({ min: 0, max: 400 }).map((number) => Buffer.from(`key ${String(number).padStart(20, '0')}`));
const bytes = fc.oneof(fc.integer({ max: 100, min: 0 }), fc.integer({ max: 5000, min: 0 }), fc.constant(120_000));
const write = fc.record({
  puts: fc.array(fc.record({ key: keys, bytes }), { maxLength: 40 }),
  removals: fc.array(keys, { maxLength: 40 }),
});

it('D8: no write takes more pages into use than it was estimated to', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(write, { minLength: 1, maxLength: 30 }), async (writes) => {
      const folder = mkdtempSync(join(tmpdir(), 'millrace-write-size-'));
      const environment = openEnvironment({ path: folder, kind: 'log', format: 1 });
      const file = new DataFile(folder);
      try {
        for (const { puts, removals } of writes) {
          const before = file.usedBytes;
          await environment.batch(() => {
            for (const put of puts) void environment.put(put.key, Buffer.alloc(put.bytes), 1);
            for (const key of removals) void environment.remove(key);
          });
          const size = { values: puts.map((put) => put.bytes), removed: removals.length };
          const pages = (file.usedBytes - before) / file.pageSize;
          expect(pages).toBeLessThanOrEqual(pagesOf(size, file.pageSize));
        }
      } finally {
        file.close();
        await environment.close();
        rmSync(folder, { recursive: true });
      }
    }),
    { numRuns: 25 },
  );
});
