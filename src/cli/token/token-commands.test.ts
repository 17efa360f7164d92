import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rootToken, startAdmin, type AdminHarness } from '../../../test/support/admin-harness.ts';
import { runMillrace, type CommandRun } from '../../../test/support/run-millrace.ts';
import { parseLifetime } from './parse-lifetime.ts';

let harness: AdminHarness;

beforeAll(async () => {
  harness = await startAdmin();
});

afterAll(() => harness[Symbol.asyncDispose]());

const run = (args: readonly string[], token = rootToken): Promise<CommandRun> =>
  runMillrace(args, { env: { MILLRACE_URL: harness.base, MILLRACE_TOKEN: token } });

describe('millrace token', () => {
  it('makes a token, lists it, refreshes and deletes it', async () => {
    const made = await run(['token', 'create', 'CI', '--role', 'readOnly', '--expires-in', '90d', '--json']);
    const { id, token, created, expires } = JSON.parse(made.stdout) as Record<string, string>;
    expect(Date.parse(expires ?? '') - Date.parse(created ?? '')).toBe(90 * 86_400_000);
    const list = await run(['token', 'list'], token);
    expect(list.stdout).toMatch(new RegExp(`^${id} +CI +readOnly +`, 'm'));
    expect(list.stdout).not.toContain(token);
    expect(list.stdout).toContain(created);
    expect(list.stdout).toMatch(/^1 +root token +admin +never$/m);
    const refreshed = await run(['token', 'refresh', id ?? '']);
    expect(refreshed.stdout).toMatch(/^token +7-\d+-\w{40}$/m);
    expect(await run(['token', 'list'], token)).toMatchObject({ code: 1 });
    expect(await run(['token', 'delete', id ?? ''])).toMatchObject({
      code: 0,
      stdout: `Token ${id} has been deleted.\n`,
    });
    expect(await run(['token', 'delete', id ?? ''])).toMatchObject({
      code: 1,
      stderr: `millrace: Token "${id}" not found in the project. "npx millrace token list" lists the tokens.\n`,
    });
  });

  it('K2: makes a token that manages buckets and their tables', async () => {
    const made = await run(['token', 'create', 'Loader', '--manage-buckets', '--json']);
    const { token } = JSON.parse(made.stdout) as Record<string, string>;
    expect((await run(['token', 'list'])).stdout).toMatch(/Loader +limited to buckets and components /);
    expect(await run(['table', 'create', 'in.c-loaded.names', 'id'], token)).toMatchObject({ code: 0 });
    expect((await run(['table', 'list'], token)).stdout).toContain('in.c-loaded.names');
    expect(await run(['source', 'list'], token)).toMatchObject({
      code: 1,
      stderr: "millrace: You don't have access to the resource.\n",
    });
  });

  it('K2: makes a token for the tables of some buckets', async () => {
    for (const id of ['in.c-seen.t', 'in.c-filled.t', 'in.c-hidden.t']) await run(['table', 'create', id, 'id']);
    const rights = ['--read-bucket', 'in.c-seen', '--write-bucket', 'in.c-filled'];
    const made = await run(['token', 'create', 'BI', ...rights, '--json']);
    const { token } = JSON.parse(made.stdout) as Record<string, string>;
    expect((await run(['token', 'list'])).stdout).toMatch(
      /BI +limited to in\.c-seen \(read\), in\.c-filled \(write\) /,
    );
    const list = (await run(['table', 'list'], token)).stdout;
    expect([list.includes('in.c-seen.t'), list.includes('in.c-filled.t'), list.includes('hidden')]).toEqual([
      true,
      true,
      false,
    ]);
    expect(await run(['table', 'add-column', 'in.c-filled.t', 'name'], token)).toMatchObject({ code: 0 });
    expect(await run(['table', 'add-column', 'in.c-seen.t', 'name'], token)).toMatchObject({
      code: 1,
      stderr: "millrace: You don't have access to the resource.\n",
    });
    expect(await run(['token', 'create', 'BI', '--read-bucket', 'in.c-sene'])).toMatchObject({
      code: 1,
      stderr:
        'millrace: Invalid value "in.c-sene" in body.bucketPermissions: there is no such bucket; did you mean "in.c-seen"?\n',
    });
  });

  it('A58: makes a token for a component alone', async () => {
    const made = await run(['token', 'create', 'Nightly', '--component', 'ex-generic-v2', '--json']);
    const { token } = JSON.parse(made.stdout) as Record<string, string>;
    expect((await run(['token', 'list'])).stdout).toMatch(/Nightly +limited to generic-extractor /);
    expect(await run(['config', 'list'], token)).toMatchObject({ code: 0 });
    expect(await run(['config', 'create', 'generic-extractor', 'a'], token)).toMatchObject({ code: 0 });
    expect(await run(['config', 'create', 'variables', 'a'], token)).toMatchObject({
      code: 1,
      stderr: "millrace: You don't have access to the resource.\n",
    });
  });

  it.each([
    ['45s', 45],
    ['30min', 1800],
    ['12h', 43_200],
    ['90d', 7_776_000],
  ])('reads %s as %i seconds', (text, seconds) => expect(parseLifetime(text)).toBe(seconds));

  it.each(['', '0d', '-1d', '1.5h', '90', 'd', '1w'])('D9: refuses "%s" as a time', (text) => {
    expect(() => parseLifetime(text)).toThrow('--expires-in must be a number of days');
  });
});

describe('millrace audit', () => {
  it('shows the last changes, of a source or by what was done', async () => {
    await harness.api.task('POST', '/v1/branches/default/sources', { type: 'http', name: 'shop' });
    const shown = await run(['audit', 'shop']);
    expect(shown.stdout).toMatch(/^at +who +operation +object +outcome$/m);
    expect(shown.stdout).toMatch(/^\S+Z +root token +createSource +shop +(?:success|processing)$/m);
    expect(shown.stdout.split('\n')).toHaveLength(3);
    const json = await run(['audit', '--operation', 'createSource', '--by', '1', '--limit', '1', '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject([{ operation: 'createSource', object: { sourceId: 'shop' } }]);
    expect(await run(['audit', '--limit', '0'])).toMatchObject({ code: 2 });
  });
});
