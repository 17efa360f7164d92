import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { importsContract } from '../../test/contract/imports.contract.ts';
import { isPostgresMissing, openPostgresForTests } from '../../test/support/postgres.ts';
import { openPostgresTableStore } from '../adapters/postgres/table-store.ts';

const waiting = { signal: new AbortController().signal };

describe.skipIf(await isPostgresMissing())('on a real server', () => {
  importsContract('into tables on PostgreSQL', async () => {
    const stack = new AsyncDisposableStack();
    const server = stack.use(await openPostgresForTests());
    const tempDir = await mkdtemp(join(tmpdir(), 'millrace-imports-'));
    stack.defer(() => rm(tempDir, { recursive: true, force: true }));
    const url = await server.createDatabase();
    const tables = stack.use(await openPostgresTableStore({ url, tempDir }, waiting));
    return { tables, [Symbol.asyncDispose]: () => stack.disposeAsync() };
  });
});
