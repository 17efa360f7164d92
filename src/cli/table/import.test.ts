import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rootToken, startAdmin, type AdminHarness } from '../../../test/support/admin-harness.ts';
import { runMillrace, type CommandRun } from '../../../test/support/run-millrace.ts';
import type { TableId } from '../../core/table-id.ts';

const { signal } = new AbortController();
let harness: AdminHarness;
let folder: string;

beforeAll(async () => {
  harness = await startAdmin();
  folder = await mkdtemp(join(tmpdir(), 'millrace-import-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await harness[Symbol.asyncDispose]();
});

async function load(content: string, ...words: readonly string[]): Promise<CommandRun> {
  const path = join(folder, 'a.csv');
  await writeFile(path, content);
  const env = { MILLRACE_URL: harness.base, MILLRACE_TOKEN: rootToken };
  return runMillrace(['table', 'import', 'in.c-cli.t', path, ...words], { env });
}

it('B7: table import makes a table of a file, adds to it, and says with line and column what is wrong', async () => {
  expect(await load('id;name\n1;Ada\n', '--create', '--key', 'id', '--delimiter', ';')).toMatchObject({
    code: 0,
    stdout: 'Table in.c-cli.t has taken 1 row.\n',
    stderr: '',
  });
  expect(await load('2,Bo\n', '--no-header', '--incremental')).toMatchObject({ code: 0 });
  const { rows } = await harness.tableStore.preview('in.c-cli.t' as TableId, { limit: 9 }, { signal });
  expect(rows).toEqual([
    ['1', 'Ada'],
    ['2', 'Bo'],
  ]);
  const wrong = await load('id,name\n3,"C\n', '--incremental');
  expect(wrong).toMatchObject({ code: 1, stdout: '' });
  expect(wrong.stderr).toContain('Nothing was loaded. Line 2, column 2: the cell that begins here is not closed');
  expect(await load('id\n', '--key', 'id')).toMatchObject({ code: 2 });
  // What was uploaded for it is gone.
  expect(await harness.api.call('GET', '/v2/storage/files')).toEqual([]);
});
