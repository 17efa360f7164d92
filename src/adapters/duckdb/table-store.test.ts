import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tableStoreContract } from '../../../test/contract/table-store.contract.ts';
import { openDuckDbTableStore } from './table-store.ts';

const mebibyte = 1024 * 1024;

tableStoreContract('DuckDB', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace [tables] *, a=1 '));
  return {
    open: () =>
      openDuckDbTableStore({
        path: join(folder, 'tables.duckdb'),
        threads: 1,
        memoryLimitBytes: 96 * mebibyte,
        memoryCeilingBytes: 512 * mebibyte,
        tempDir: join(folder, 'tmp'),
      }),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
});
