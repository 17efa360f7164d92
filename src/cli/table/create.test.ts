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

const create = (...words: readonly string[]): Promise<CommandRun> =>
  runMillrace(['table', 'create', ...words], { env: { MILLRACE_URL: harness.base, MILLRACE_TOKEN: rootToken } });

it('table create makes a table with its columns and its key, and says what is wrong with an id', async () => {
  const stdout = 'Table in.c-shop.customers is there, with 2 columns.\n';
  expect(await create('in.c-shop.customers', 'id', 'name', '--key', 'id')).toMatchObject({ code: 0, stdout });
  const made = await harness.tableStore.describeTable(parseTableId('in.c-shop.customers'), { signal });
  expect(made).toMatchObject({ columns: ['id', 'name'], primaryKey: ['id'], rows: 0 });
  expect(await create('customers', 'id')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Invalid <table> value "customers": a table ID has the three parts') as string,
  });
  expect(await create('in.c-shop.customers', 'id')).toMatchObject({
    stderr: expect.stringContaining('Table "in.c-shop.customers" exists already') as string,
  });
});
