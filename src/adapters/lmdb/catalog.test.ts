import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { catalogContract } from '../../../test/contract/catalog.contract.ts';
import { openLmdbCatalog } from './catalog.ts';

catalogContract('LMDB', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-catalog-'));
  return {
    open: () => openLmdbCatalog({ path: join(folder, 'catalog.1'), rescanMs: 3_600_000 }),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
});
