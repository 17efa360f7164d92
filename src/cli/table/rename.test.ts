import { afterAll, beforeAll, expect, it } from 'vitest';
import { rootToken, startAdmin, type AdminHarness } from '../../../test/support/admin-harness.ts';
import { runMillrace, type CommandRun } from '../../../test/support/run-millrace.ts';
import { parseTableId } from '../../core/table-id.ts';

const { signal } = new AbortController();
let harness: AdminHarness;

beforeAll(async () => {
  harness = await startAdmin();
  await harness.tableStore.createTable(parseTableId('in.c-shop.orders'), ['id'], { signal });
});

afterAll(() => harness[Symbol.asyncDispose]());

const rename = (table: string, name: string): Promise<CommandRun> =>
  runMillrace(['table', 'rename', table, name], { env: { MILLRACE_URL: harness.base, MILLRACE_TOKEN: rootToken } });

it('D9: table rename takes a name or a whole id, and says of another bucket what was typed', async () => {
  const renamed = (from: string, to: string) => ({ code: 0, stdout: `Table ${from} is ${to} from now on.\n` });
  expect(await rename('in.c-shop.orders', 'in.c-shop.o2')).toMatchObject(renamed('in.c-shop.orders', 'in.c-shop.o2'));
  expect(await rename('in.c-shop.o2', 'o3')).toMatchObject(renamed('in.c-shop.o2', 'in.c-shop.o3'));
  expect(await rename('in.c-shop.o3', 'in.c-other.o3')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      'Invalid <name> value "in.c-other.o3": a table stays in its bucket. Give a name without ".", or an id that begins with "in.c-shop.".',
    ) as string,
  });
});
