import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rootToken, startAdmin, type AdminHarness } from '../../../test/support/admin-harness.ts';
import { runMillrace, type CommandRun } from '../../../test/support/run-millrace.ts';

let harness: AdminHarness;
let folder: string;

beforeAll(async () => {
  harness = await startAdmin();
  folder = await mkdtemp(join(tmpdir(), 'millrace-files-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await harness[Symbol.asyncDispose]();
});

const run = (...words: readonly string[]): Promise<CommandRun> =>
  runMillrace(['file', ...words], { env: { MILLRACE_URL: harness.base, MILLRACE_TOKEN: rootToken } });

it('B4: millrace file uploads, lists, downloads and deletes', async () => {
  const [path, out] = [join(folder, 'customers.csv'), join(folder, 'out.csv')];
  const content = 'id,name\n1,Ada\n'.repeat(100_000);
  await writeFile(path, content);
  const made = await run('upload', path, '--tag', 'crm', '--tag', 'nightly');
  expect(made).toMatchObject({ code: 0, stderr: '' });
  const id = /^File (\d+) has \S+ and is kept until /.exec(made.stdout)?.[1] ?? made.stdout;
  expect((await run('list', '--tag', 'crm')).stdout).toMatch(
    new RegExp(`^ *${id} +customers\\.csv .*crm, nightly$`, 'm'),
  );
  expect(await run('download', id, '--out', out)).toMatchObject({ code: 0 });
  expect(await readFile(out, 'utf8')).toBe(content);
  expect(await run('delete', id)).toMatchObject({ code: 0, stdout: `File ${id} has been deleted.\n` });
  expect(await run('download', id)).toMatchObject({ code: 1, stdout: '' });
  const none = await run('upload', join(folder, 'none.csv'));
  expect(none).toMatchObject({ code: 2, stdout: '' });
  expect(none.stderr).toContain('none.csv cannot be read');
});
