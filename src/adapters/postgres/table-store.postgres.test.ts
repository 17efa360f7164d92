import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { tableStoreContract } from '../../../test/contract/table-store.contract.ts';
import { isPostgresMissing, openPostgresForTests } from '../../../test/support/postgres.ts';
import { openPostgresTableStore } from './table-store.ts';

const waiting = { signal: new AbortController().signal };
const isMissing = await isPostgresMissing();

describe.skipIf(isMissing)('tables on PostgreSQL', () => {
  tableStoreContract('PostgreSQL', async () => {
    const server = await openPostgresForTests();
    const url = await server.createDatabase();
    const tempDir = await mkdtemp(join(tmpdir(), 'millrace tables [pg] '));
    return {
      open: () => openPostgresTableStore({ url, tempDir }, waiting),
      [Symbol.asyncDispose]: async () => {
        await server[Symbol.asyncDispose]();
        await rm(tempDir, { recursive: true, force: true });
      },
    };
  });
});
