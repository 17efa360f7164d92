import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { presetNames } from '../../src/cli/source/presets.ts';
import { Api } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { Installation, rootToken } from '../support/installation.ts';
import { runMillrace, type CommandRun } from '../support/run-millrace.ts';

let installation: Installation;
let folder: string;
let branch = 1;

beforeAll(async () => {
  installation = await Installation.start();
  folder = await mkdtemp(join(tmpdir(), 'millrace-apply-'));
});

afterAll(async () => {
  await installation[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** A branch of its own for a test, and commands on it that read files from standard input. */
function onBranch() {
  branch += 1;
  const on = String(branch);
  const run = (args: readonly string[], stdin = ''): Promise<CommandRun> => {
    const env = { MILLRACE_URL: installation.process.admin, MILLRACE_TOKEN: rootToken };
    return runMillrace([...args, '--branch', on], { cwd: folder, env, stdin });
  };
  const apply = (file: string, ...more: readonly string[]): Promise<CommandRun> =>
    run(['apply', '-f', '-', '--yes', ...more], file);
  const diff = (file: string, ...more: readonly string[]): Promise<CommandRun> =>
    run(['diff', '-f', '-', ...more], file);
  return { run, apply, diff, exported: async () => (await run(['export'])).stdout, on };
}

const upload = 'storage.level.staging.upload.trigger';

const shop = (table: string) => `
sources:
  shop:
    name: Web Shop
    description: |
      Orders
      and visits
    settings:
      ${upload}.interval: 2s
      ingest.batch: auto
    sinks:
      orders:
        name: Orders
        description: 'Zeilen: alle'
        table: in.c-${table}.orders
        columns:
          - id:uuid
          - customer:text:customer.name?=
          - { name: "a:b", type: path, path: 'x["y.z"]', defaultValue: "two\\nlines" }
        settings:
          ${upload}.count: 5
      quiet:
        disabled: true
        table: in.c-${table}.quiet
        columns: [body:body]
  telemetry:
    disabled: true
    sinks:
      logs:
        table: in.c-${table}.logs
        allowedSignals: [traces, logs]
        columns: [id:uuid, body:body]
`;

describe('apply, diff and export', () => {
  it('applied twice, a file changes nothing the second time, and an export of it differs in nothing', async () => {
    const { apply, diff, exported, run } = onBranch();
    const file = shop('twice');
    const first = await apply(file);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toMatch(/^\+ source shop\n.*\n5 to create\n.*sink telemetry\/logs: created\n/s);
    const versions = await run(['sink', 'list', 'shop', '--json']);
    expect(await apply(file)).toEqual({
      code: 0,
      stdout: '5 unchanged\n',
      stderr: 'Everything is as the files say.\n',
    });
    expect(await run(['sink', 'list', 'shop', '--json'])).toEqual(versions);
    const written = await exported();
    expect(await diff(written, '--prune')).toEqual({ code: 0, stdout: '5 unchanged\n', stderr: '' });
    expect(written).toContain('    disabled: true\n    sinks:\n      logs:\n        table:');
    expect(written).not.toMatch(/secret|http:|127\.0\.0\.1/);
    const other = onBranch();
    expect((await other.apply(written)).code).toBe(0);
    const withoutComment = (text: string): string => text.replace(/^#.*/, '');
    expect(withoutComment(await other.exported())).toBe(withoutComment(written));
  });

  it('a difference is shown field by field, ends diff with 1, and is what apply changes', async () => {
    const { apply, diff, run } = onBranch();
    await apply(shop('fields'));
    const changed = shop('fields')
      .replace('and visits', 'and more')
      .replace('interval: 2s', 'size: 1KB')
      .replace('text:customer.name?=', 'text:client.name?=')
      .replace('        disabled: true\n', '')
      .replace('  telemetry:\n    disabled: true', '  telemetry:');
    const shown = await diff(changed);
    expect(shown).toMatchObject({
      code: 1,
      stderr: 'millrace: It is not as the files say: 4 to change, 1 unchanged.\n',
    });
    expect(shown.stdout).toBe(`~ source shop
    description
      - and visits
      + and more
    settings.${upload}.interval  2s → –
    settings.${upload}.size      – → 1KB
~ sink shop/orders
    columns.customer.path  customer.name → client.name
~ sink shop/quiet
    disabled  true → false
~ source telemetry
    disabled  true → false

4 to change, 1 unchanged
`);
    const json = JSON.parse((await diff(changed, '--json')).stdout) as { differs: boolean };
    expect(json.differs).toBe(true);
    const applied = await apply(changed);
    expect(applied.code).toBe(0);
    expect(applied.stdout.split('\n').slice(-6)).toEqual([
      'source shop: changed',
      'source shop: settings changed',
      'sink shop/orders: changed',
      'sink shop/quiet: enabled',
      'source telemetry: enabled',
      '',
    ]);
    expect((await diff(changed)).code).toBe(0);
    const { stdout } = await run(['source', 'settings', 'show', 'shop', '--json']);
    expect(stdout).toMatch(
      /"key": "[^"]*upload.trigger.interval",[^}]*"value": "30s",[^}]*"inheritedFrom": "default"/s,
    );
  });

  it('what does not depend on a step that fails is done, and the next apply goes on with the rest', async () => {
    const { apply, diff } = onBranch();
    const file = (columns: string) => `
sources:
  a: { sinks: { one: { table: in.c-half.t, columns: [id:uuid] }, two: { table: in.c-half.t, columns: [${columns}] } } }
  b: {}
`;
    const failed = await apply(file('id:uuid, body:body'));
    expect(failed.code).toBe(1);
    expect(failed.stderr).toMatch(
      /^millrace: Creating sink a\/two failed: .*in\.c-half\.t.*\nDone: source a: created; sink a\/one: created; source b: created\.\nNot done: sink a\/two: created\.\nRun it again/,
    );
    expect((await diff(file('id:uuid, body:body'))).stdout).toMatch(
      /^\+ sink a\/two\n.*1 to create, 3 unchanged, 1 not possible\n$/s,
    );
    expect(await apply(file('id:uuid'))).toMatchObject({ code: 0, stderr: '' });
    expect((await diff(file('id:uuid'))).code).toBe(0);
  });

  it('what is in no file stays, and goes with --prune; tables stay', async () => {
    const { apply, diff, exported, run } = onBranch();
    await apply(shop('prune'));
    const less = 'sources: { shop: { sinks: { orders: { table: in.c-prune.orders, columns: [id:uuid] } } } }';
    const same = (await exported())
      .replace(/\n {6}quiet:.*?(?=\n {2}telemetry)/s, '')
      .replace(/\n {2}telemetry:.*/s, '\n');
    expect(await diff(same)).toMatchObject({ code: 0 });
    expect((await diff(same)).stdout).toContain('sink shop/quiet is in no file and stays; --prune deletes it');
    expect((await diff(same, '--prune')).code).toBe(1);
    const pruned = await apply(same, '--prune', '--json');
    expect(JSON.parse(pruned.stdout)).toMatchObject({
      done: [
        { step: 'delete', sourceId: 'shop', sinkId: 'quiet' },
        { step: 'delete', sourceId: 'telemetry' },
      ],
    });
    expect(await diff(same, '--prune')).toMatchObject({ code: 0 });
    expect((await run(['table', 'list'])).stdout).toContain('in.c-prune.quiet');
    const again = await apply(shop('prune'));
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(await diff(shop('prune'), '--prune')).toEqual({ code: 0, stdout: '5 unchanged\n', stderr: '' });
    expect((await apply(less)).stderr).toContain('the table in.c-prune.orders has other columns');
  });

  it('an apply under which the process is killed says so, and the next one makes the rest', async () => {
    const { apply, diff, on } = onBranch();
    const sinks = Array.from(
      { length: 25 },
      (_, index) => `s${index}: { table: in.c-kill.t${index}, columns: [id:uuid] }`,
    );
    const file = `sources: { a: { settings: { ingest.batch: auto }, sinks: { ${sinks.join(', ')} } }, b: {} }`;
    const interrupted = apply(file);
    await eventually(async () => {
      const { admin } = installation.process;
      const headers = { 'X-StorageApi-Token': rootToken };
      const response = await fetch(`${admin}/v1/branches/${on}/sources/a/sinks`, { headers });
      const { sinks: found } = (await response.json()) as { readonly sinks: readonly unknown[] };
      expect(found.length).toBeGreaterThan(3);
    });
    await installation.stop('SIGKILL');
    const { code, stderr } = await interrupted;
    expect(code).toBe(3);
    expect(stderr).toMatch(
      /^millrace: (?:Creating sink a\/s\d+.* failed: .*\n)+Done: source a: created; .*\nNot done: .*source b: created\./,
    );
    await installation.start();
    expect(await apply(file)).toMatchObject({ code: 0, stderr: '' });
    expect(await diff(file, '--prune')).toEqual({ code: 0, stdout: '27 unchanged\n', stderr: '' });
  });

  it('a token that only reads is enough for diff and export, and not for apply', async () => {
    const { on } = onBranch();
    const { admin } = installation.process;
    const api = new Api(admin, rootToken);
    const { token } = await api.call<{ token: string }>('POST', '/v2/storage/tokens', {
      description: 'reads',
      role: 'readOnly',
    });
    const run = (...args: readonly string[]): Promise<CommandRun> => {
      const env = { MILLRACE_URL: admin, MILLRACE_TOKEN: token };
      return runMillrace([...args, '--branch', on], { cwd: folder, env, stdin: 'sources: { a: {} }' });
    };
    expect((await run('diff', '-f', '-')).code).toBe(1);
    expect((await run('export')).code).toBe(0);
    const refused = await run('apply', '-f', '-', '--yes');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/^millrace: Creating source a failed: .*token.*\nDone: nothing\./);
  });

  it('D9: without --yes nothing is done where nobody can be asked; errors are not differences', async () => {
    const { run, diff, exported } = onBranch();
    const refused = await run(['apply', '-f', '-'], 'sources: { a: {} }');
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toBe('millrace: Nothing was done (1 to create): nobody can be asked here, so give --yes.\n');
    expect(await exported()).toContain('sources: {}');
    expect((await diff('sources: [')).code).toBe(2);
    const env = { MILLRACE_URL: installation.process.admin, MILLRACE_TOKEN: 'wrong' };
    const wrong = await runMillrace(['diff', '-f', '-'], { cwd: folder, env, stdin: 'sources: {}' });
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toMatch(/^millrace: .*token.*\nSet MILLRACE_TOKEN/i);
    expect((await run(['diff'])).code).toBe(2);
  });
});

describe('a preset', () => {
  it.each(presetNames)('%s is the same by its command and by the file that the command prints', async (preset) => {
    const { run, diff, exported } = onBranch();
    const create = ['source', 'create', 'Telemetry', '--preset', preset, '--description', 'Of all\nservices'];
    const { stdout: file } = await run([...create, '--print']);
    expect(await exported()).toContain('sources: {}');
    expect(await run(create)).toMatchObject({ code: 0 });
    expect(await diff(file, '--prune')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^4 unchanged\n/) as string,
    });
    const other = onBranch();
    expect(await other.apply(file)).toMatchObject({ code: 0 });
    expect((await other.exported()).split('\n').slice(1)).toEqual((await exported()).split('\n').slice(1));
  });
});
