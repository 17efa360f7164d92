import { afterAll, beforeAll, expect, it } from 'vitest';
import { rootToken, startAdmin, type AdminHarness } from '../../../test/support/admin-harness.ts';
import { runMillrace, type CommandRun } from '../../../test/support/run-millrace.ts';
import { parseTableId } from '../../core/table-id.ts';

const { signal } = new AbortController();
let harness: AdminHarness;

beforeAll(async () => {
  harness = await startAdmin();
});

afterAll(() => harness[Symbol.asyncDispose]());

const run = (...words: readonly string[]): Promise<CommandRun> =>
  runMillrace(words, { env: { MILLRACE_URL: harness.base, MILLRACE_TOKEN: rootToken } });

it('B1, B2: millrace bucket creates, lists and deletes, with tables only when it is told so', async () => {
  expect(await run('bucket', 'create', 'in.crm', '--description', 'of the CRM')).toMatchObject({
    code: 0,
    stdout: 'Bucket in.c-crm is there.\n',
  });
  await harness.tableStore.createTable(parseTableId('in.c-crm.t'), ['a'], { signal });
  expect((await run('bucket', 'list')).stdout).toMatch(/^in\.c-crm +1 +0 +of the CRM$/m);
  const full = await run('bucket', 'delete', 'in.c-crm');
  expect(full).toMatchObject({ code: 1, stdout: '' });
  expect(full.stderr).toContain('Only empty buckets can be deleted. There is 1 table in the bucket "in.c-crm".');
  expect(await run('bucket', 'delete', 'in.c-crm', '--force')).toMatchObject({ code: 2 });
  expect(await run('bucket', 'delete', 'in.c-crm', '--force', '--yes')).toMatchObject({
    code: 0,
    stdout: 'Bucket in.c-crm has been deleted.\n',
    stderr: expect.stringContaining('The bucket in.c-crm has 1 table with 0 rows.') as string,
  });
  expect(await run('bucket', 'create', 'crm')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Invalid <bucket> value "crm": a bucket has the two parts') as string,
  });
});

it('B3: millrace table add-column and drop-column change a table, and ask before cells go', async () => {
  await harness.tableStore.createTable(parseTableId('in.c-shop.orders'), ['id', 'total'], { signal });
  expect(await run('table', 'add-column', 'in.c-shop.orders', 'currency')).toMatchObject({
    code: 0,
    stdout: 'Table in.c-shop.orders has 3 columns: id, total, currency.\n',
  });
  expect(await run('table', 'drop-column', 'in.c-shop.orders', 'total')).toMatchObject({ code: 2 });
  expect(await run('table', 'drop-column', 'in.c-shop.orders', 'total', '--yes')).toMatchObject({
    code: 0,
    stdout: 'Column total of the table in.c-shop.orders has been dropped.\n',
  });
  const unknown = await run('table', 'drop-column', 'in.c-shop.orders', 'curency', '--yes');
  expect(unknown).toMatchObject({ code: 1 });
  expect(unknown.stderr).toContain('did you mean "currency"?');
});
