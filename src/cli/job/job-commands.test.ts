import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runMillrace, type CommandRun } from '../../../test/support/run-millrace.ts';
import { smallApi, type SmallApi } from '../../../test/support/small-api.ts';

let api: SmallApi;
let cwd: string;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'millrace-job-'));
  api = await smallApi(() => ({
    'POST /login': { body: { token: 'hunter22' } },
    'GET /users?limit=2&offset=0': { body: [{ id: 1 }, { id: 2 }] },
    'GET /users?limit=2&offset=2': { body: [{ id: 3 }] },
    'GET /none?limit=2&offset=0': { body: [] },
  }));
  const pagination = { method: 'offset', limit: 2 };
  const whole = { parameters: { api: { baseUrl: api.url, pagination }, config: { jobs: [{ endpoint: '{{what}}' }] } } };
  await writeFile(join(cwd, 'c.json'), JSON.stringify(whole));
});

afterEach(async () => {
  await api[Symbol.asyncDispose]();
  await rm(cwd, { recursive: true });
});

function run(args: readonly string[], stdin = ''): Promise<CommandRun> {
  return runMillrace(['job', 'run', ...args], { cwd, stdin, env: { MILLRACE_EXTRACTOR_ALLOWED_HOSTS: '127.0.0.1' } });
}

describe('millrace job run', () => {
  it('writes the tables, prints them, and tells its log on standard error', async () => {
    const { code, stdout, stderr } = await run(['c.json', '--out', 'out', '--var', 'what=users']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'table  rows  columns\nusers     3        1\n' });
    expect(stderr).toMatch(/^Replacing variables [^]*\nExtractor finished successfully.\n$/);
    expect(await readFile(join(cwd, 'out', 'users'), 'utf8')).toBe('"id"\n"1"\n"2"\n"3"\n');
    expect((await readdir(cwd)).toSorted()).toEqual(['c.json', 'out', 'out.state.json']);
    const again = await run(
      ['-', '--out', 'out', '--state', 'out.state.json', '--var', 'what=users'],
      await readFile(join(cwd, 'c.json'), 'utf8'),
    );
    expect(again.code).toBe(0);
  });

  it('--dry-run asks for one page, shows it and what would be next, and writes nothing', async () => {
    const { code, stdout } = await run(['c.json', '--dry-run', '--var', 'what=users']);
    expect(code).toBe(0);
    expect(stdout).toBe(
      `Asked for: GET ${api.url}/users?limit=2&offset=0\nFound: 2 items\n  {"id":1}\n  {"id":2}\nNext: GET ${api.url}/users?limit=2&offset=2\n`,
    );
    expect(api.seen).toHaveLength(1);
    const none = await run(['c.json', '--dry-run', '--var', 'what=none']);
    expect(none.stdout).toMatch(/Found: 0 items\nNext: nothing more\n$/);
    expect(await readdir(cwd)).toEqual(['c.json']);
  });

  it.each([
    [1, ['c.json', '--out', 'out', '--var', 'what=missing'], 'The API request failed: [404]'],
    [1, ['c.json', '--out', 'out', '--var', 'other=1'], 'Missing values for placeholders: what'],
    [1, ['none.json', '--out', 'out'], 'none.json cannot be read'],
    [1, ['-', '--out', 'out'], 'is no JSON'],
    [1, ['c.json', '--out', 'out', '--state', 'none.json', '--var', 'what=users'], 'none.json cannot be read'],
    [2, ['c.json', '--out', '/dev/null/out', '--var', 'what=users'], '/dev/null'],
    [2, ['c.json'], 'Give either --out with a folder, or --dry-run'],
    [2, ['c.json', '--jsonl'], 'With --jsonl give neither'],
    [2, [], 'Give a file'],
  ])('1.4: ends with %i and writes nothing: %j', async (code, args, message) => {
    const ended = await run(args);
    expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) as unknown });
    expect(await readdir(cwd)).toEqual(['c.json']);
  });

  it('--jsonl answers each case by a line, and prints nothing else', async () => {
    const configuration: unknown = JSON.parse(await readFile(join(cwd, 'c.json'), 'utf8'));
    const cases = ['users', 'none', 'missing'].map((what) => ({
      id: what,
      configuration,
      values: { what },
      out: `many/${what}`,
    }));
    const { code, stdout } = await run(['--jsonl'], `${cases.map((one) => JSON.stringify(one)).join('\n')}\n\nx\n`);
    expect(code).toBe(0);
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: unknown; exitCode: unknown });
    const codes = answers.map(({ id, exitCode }) => `${String(id)} ${String(exitCode)}`);
    expect(codes.toSorted()).toEqual(['missing 1', 'none 0', 'null 1', 'users 0']);
    expect((await readdir(join(cwd, 'many'))).toSorted()).toEqual([
      'none',
      'none.state.json',
      'users',
      'users.state.json',
    ]);
  });
});
