import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { tableStoreContract } from '../../../test/contract/table-store.contract.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { isPostgresMissing, openPostgresForTests } from '../../../test/support/postgres.ts';
import { parseInstallationId } from '../../core/installation-id.ts';
import type { TableStore } from '../../ports/table-store.ts';
import { lockMaking } from './make-table.ts';
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

  it('D2: of several that saw no mark, and wait while another makes one, none takes the database for its own', async () => {
    await using stack = new AsyncDisposableStack();
    const server = stack.use(await openPostgresForTests());
    const url = await server.createDatabase();
    const open = async (): Promise<TableStore> =>
      stack.use(await openPostgresTableStore({ url, tempDir: tmpdir() }, waiting));
    const stores = [await open(), await open(), await open()];
    for (const store of stores) expect(await store.claimant(waiting)).toBeUndefined();
    const holder = new Client({ connectionString: url.reveal() });
    await holder.connect();
    stack.defer(() => holder.end());
    await holder.query('BEGIN');
    await lockMaking(holder);
    const claims = stores.map((store) => store.claim(parseInstallationId(randomUUID()), waiting));
    await eventually(async () => {
      const waitingLocks = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";
      expect((await holder.query(waitingLocks)).rowCount).toBe(stores.length);
    });
    await holder.query('COMMIT');
    expect(new Set(await Promise.all(claims)).size).toBe(1);
  });
});
