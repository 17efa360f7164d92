import { afterAll, beforeAll, expect, it } from 'vitest';
import { rootToken, startAdmin, type AdminHarness } from '../../../test/support/admin-harness.ts';
import { runMillrace, type CommandRun } from '../../../test/support/run-millrace.ts';

let harness: AdminHarness;

beforeAll(async () => {
  harness = await startAdmin();
});

afterAll(() => harness[Symbol.asyncDispose]());

const run = (args: readonly string[], stdin = ''): Promise<CommandRun> =>
  runMillrace(['vault', ...args], { env: { MILLRACE_URL: harness.base, MILLRACE_TOKEN: rootToken }, stdin });

it('A60: millrace vault sets a value of standard input, lists its name, and deletes it', async () => {
  const secret = 'correct-horse-battery';
  const set = await run(['set', 'shop-token'], `${secret}\n`);
  expect(set).toMatchObject({ code: 0, stdout: '{{vault.shop-token}} has been set.\n', stderr: '' });
  expect((await run(['set', 'of-branch', '--branch', '12', '--json'], secret)).stdout).toContain('"branchId": 12');
  const lists = [await run(['list']), await run(['list', '--branch', '12'])].map(({ stdout }) => stdout);
  expect(lists[0]).toMatch(/^shop-token +\S+Z +\S+Z$/m);
  expect(lists[0]).not.toContain('of-branch');
  expect(lists[1]).toContain('of-branch');
  expect(JSON.stringify([set, lists])).not.toContain(secret);
  expect(await run(['delete', 'shop-token'])).toMatchObject({ code: 0 });
  expect(await run(['delete', 'shop-token'])).toMatchObject({ code: 1 });
  expect((await run(['list'])).stdout).not.toContain('shop-token');
});

it('D9: an empty value and a name with blanks are refused in words', async () => {
  expect(await run(['set', 'a'], '\n')).toMatchObject({ code: 2, stdout: '' });
  const refused = await run(['set', 'a b'], 'battery');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(/^millrace: the name must be 1 to 96 letters/i);
  expect(refused.stderr).not.toContain('battery');
});
