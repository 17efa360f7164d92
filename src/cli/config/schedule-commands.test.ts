import { afterAll, beforeAll, expect, it } from 'vitest';
import { rootToken, startAdmin, type AdminHarness } from '../../../test/support/admin-harness.ts';
import { runMillrace, type CommandRun } from '../../../test/support/run-millrace.ts';
import { makeScheduledJob } from '../../../test/support/scheduled-job.ts';
import { storeConfiguration } from '../../../test/support/stored-configuration.ts';

let harness: AdminHarness;

beforeAll(async () => {
  harness = await startAdmin();
  await storeConfiguration(harness.dependencies.catalog, { configurationId: 'shop' });
});

afterAll(() => harness[Symbol.asyncDispose]());

const run = (args: readonly string[]): Promise<CommandRun> =>
  runMillrace(args, { env: { MILLRACE_URL: harness.base, MILLRACE_TOKEN: rootToken } });

it('sets a schedule, shows when it runs next, and deletes it', async () => {
  const place = ['generic-extractor', 'shop'];
  const values = ['--var', 'city=Brno', '--var', 'limit=20'];
  const set = await run([
    'config',
    'schedule',
    'set',
    ...place,
    '--cron',
    '0 3 1 1 *',
    '--time-zone',
    'Europe/Prague',
    ...values,
  ]);
  expect({ code: set.code, stderr: set.stderr }).toEqual({ code: 0, stderr: '' });
  expect(set.stdout).toMatch(
    /^cron +0 3 1 1 \*\ntime zone +Europe\/Prague\nstate +enabled\nvalues +city=Brno, limit=20\nnext run +\d{4}-01-01T02:00:00\+0000\n$/,
  );
  expect((await run(['config', 'schedule', 'show', ...place])).stdout).toBe(set.stdout);
  const off = await run(['config', 'schedule', 'set', ...place, '--cron', '0 3 * * *', '--disable']);
  expect(off.stdout).toMatch(/^cron +0 3 \* \* \*\ntime zone +UTC\nstate +disabled\nnext run +none\n$/);
  expect((await run(['config', 'schedule', 'delete', ...place])).stdout).toBe(
    'The schedule of shop has been deleted.\n',
  );
  const gone = await run(['config', 'schedule', 'show', ...place]);
  expect([gone.code === 0, gone.stderr]).toEqual([
    false,
    expect.stringContaining('Configuration "shop" has no schedule'),
  ]);
});

it('says which option is wrong', async () => {
  const wrong = await run(['config', 'schedule', 'set', 'generic-extractor', 'shop', '--cron', '0 0 31 2 *']);
  expect(wrong.code).not.toBe(0);
  expect(wrong.stderr).toContain('"0 0 31 2 *" is never: no month has such a day');
});

it('job list and job show tell that a schedule asked', async () => {
  const jobId = await makeScheduledJob(harness.dependencies);
  expect((await run(['job', 'list'])).stdout).toMatch(/^\d+ +created +shop +schedule +2026-01-01T02:00:01\+00:00 /m);
  expect((await run(['job', 'list', '--scheduled'])).stdout).toContain(' schedule ');
  expect((await run(['job', 'list', '--no-scheduled'])).stdout).not.toContain(' schedule ');
  expect((await run(['job', 'show', jobId])).stdout).toMatch(
    /^asked by +schedule\nplanned for +2026-01-01T02:00:00\+00:00$/m,
  );
});
