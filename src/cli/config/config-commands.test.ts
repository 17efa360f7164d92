import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { rootToken, startAdmin, type AdminHarness } from '../../../test/support/admin-harness.ts';
import { runMillrace, type CommandRun } from '../../../test/support/run-millrace.ts';
import { indentedJson } from './indented-json.ts';

let harness: AdminHarness;
let folder: string;
/** Each test has a configuration of its own. */
let id = 0;

beforeAll(async () => {
  harness = await startAdmin();
  folder = await mkdtemp(join(tmpdir(), 'millrace-config-'));
});

beforeEach(() => void (id += 1));

afterAll(async () => {
  await harness[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const run = (args: readonly string[], stdin = ''): Promise<CommandRun> =>
  runMillrace(['config', ...args], { env: { MILLRACE_URL: harness.base, MILLRACE_TOKEN: rootToken }, stdin });
const done = async (args: readonly string[], stdin = ''): Promise<string> => {
  const { code, stdout, stderr } = await run(args, stdin);
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' });
  return stdout;
};
const shown = (one: string): Promise<{ readonly [field: string]: unknown }> =>
  harness.api.call('GET', `/v2/storage/components/generic-extractor/configs/${one}`);

async function written(text: string): Promise<string> {
  const file = join(folder, `${id}.json`);
  await writeFile(file, text);
  return file;
}

describe('millrace config', () => {
  it('A55: stores a file as it is written, lists it, and shows it with all digits', async () => {
    const text = '{"parameters":{"b":12345678901234567890,"a":1.50,"none":{}}}';
    const made = await done(['create', 'ex-generic-v2', 'Shop', '--id', 'shop', '--file', await written(text)]);
    expect(made).toMatch(/^configuration +shop$/m);
    expect(made).toMatch(/^version +1 of \S+: Configuration created$/m);
    const only = await done(['show', 'generic-extractor', 'shop', '--only']);
    expect(only).toContain('    "b": 12345678901234567890,\n    "a": 1.50,\n    "none": {}\n');
    expect(await done(['show', 'generic-extractor', 'shop', '--json'])).toContain('"a": 1.50');
    expect(await done(['list', 'ex-generic-v2'])).toMatch(/^generic-extractor +shop +Shop +enabled +1 /m);
    expect(await done(['update', 'generic-extractor', 'shop', '--file', '-'], only)).toMatch(/^version +1 of /m);
    expect(await done(['list', 'variables'])).not.toContain('shop');
  });

  it('A59: a secret goes in and is shown encrypted', async () => {
    const secret = 'correct-horse-battery';
    const file = await written(`{"parameters":{"#token":"${secret}"}}`);
    const said = [
      await done(['create', 'generic-extractor', 'Secret', '--id', `c${id}`, '--file', file]),
      await done(['show', 'generic-extractor', `c${id}`, '--only']),
      await done(['versions', 'generic-extractor', `c${id}`, '1']),
    ].join('');
    expect(said).not.toContain(secret);
    expect(said).toContain('"#token": "MR::1::');
  });

  it('A56: changes what is given, goes back to a version, and copies one', async () => {
    await done([
      'create',
      'generic-extractor',
      'One',
      '--id',
      `c${id}`,
      '--file',
      await written('{"parameters":{"n":1}}'),
    ]);
    await done(['update', 'generic-extractor', `c${id}`, '--file', '-', '--note', 'two'], '{"parameters":{"n":2}}');
    await done(['update', 'generic-extractor', `c${id}`, '--disable', '--name', 'Other']);
    expect(await shown(`c${id}`)).toMatchObject({ name: 'Other', isDisabled: true, version: 3 });
    expect(await done(['versions', 'generic-extractor', `c${id}`])).toMatch(/^ *2 +\S+ +root token +two$/m);
    expect(await done(['rollback', 'generic-extractor', `c${id}`, '1'])).toBe(
      `Version 4 of c${id} is like version 1.\n`,
    );
    expect(await shown(`c${id}`)).toMatchObject({ name: 'One', configuration: { parameters: { n: 1 } } });
    await done(['copy', 'generic-extractor', `c${id}`, '--of', '2', '--id', `c${id}-copy`]);
    expect(await shown(`c${id}-copy`)).toMatchObject({ configuration: { parameters: { n: 2 } }, version: 1 });
  });

  it('A56: deletes so that it can be restored, twice too; for good only when that is said', async () => {
    const name = ['generic-extractor', `c${id}`];
    await done(['create', 'generic-extractor', 'Gone', '--id', `c${id}`]);
    expect(await done(['delete', ...name])).toBe(`Configuration c${id} has been deleted.\n`);
    expect(await run(['delete', ...name])).toMatchObject({
      code: 1,
      stderr: `millrace: Configuration "c${id}" not found. "npx millrace config list" lists the configurations.\n`,
    });
    expect(await done(['list', '--deleted'])).toContain(`c${id}`);
    expect(await done(['restore', ...name])).toMatch(/^version +3 of /m);
    expect(await run(['delete', ...name, '--purge'])).toMatchObject({ code: 2 });
    expect(await shown(`c${id}`)).toMatchObject({ version: 3 });
    await done(['delete', ...name, '--purge', '--yes']);
    expect(await done(['list', '--deleted'])).not.toContain(`c${id} `);
    expect((await run(['restore', ...name])).stderr).toContain('"npx millrace config list --deleted" lists them.');
    await done(['create', 'generic-extractor', 'Gone', '--id', `c${id}`]);
    await done(['delete', ...name]);
    await done(['delete', ...name, '--purge', '--yes']);
    expect((await run(['restore', ...name])).code).toBe(1);
  });

  it('A57: makes rows, of values too, changes them and puts them in order', async () => {
    await done(['create', 'variables', 'Cities', '--id', `c${id}`]);
    const name = ['variables', `c${id}`];
    await done(['row', 'create', ...name, '--id', 'brno', '--var', 'city=Brno', '--var', 'limit=20']);
    await done(['row', 'create', ...name, '--id', 'oslo', '--name', 'Oslo', '--file', '-'], '{"values":[]}');
    expect(JSON.parse(await done(['row', 'show', ...name, 'brno', '--only']))).toEqual({
      values: [
        { name: 'city', value: 'Brno' },
        { name: 'limit', value: '20' },
      ],
    });
    await done(['row', 'update', ...name, 'brno', '--var', 'city=Plzen', '--disable', '--note', 'moved']);
    await done(['update', ...name, '--order', 'oslo, brno']);
    const list = await done(['row', 'list', ...name]);
    expect(
      list
        .split('\n')
        .slice(1, 3)
        .map((line) => line.split(/ +/)[0]),
    ).toEqual(['oslo', 'brno']);
    expect(list).toMatch(/^brno .*disabled +2 +moved$/m);
    expect(await done(['row', 'delete', ...name, 'oslo'])).toBe('Row oslo has been deleted.\n');
    expect(await done(['row', 'list', ...name])).not.toContain('oslo');
  });

  it.each([
    [['create', 'generic-extractor', 'x', '--file', '-'], '{', 'stdin is no JSON: '],
    [['create', 'generic-extractor', 'x', '--file', '-'], '[]', 'stdin must hold a JSON object'],
    [['update', 'generic-extractor', 'x'], '', 'Nothing to change: give at least one of --name'],
    [
      ['row', 'create', 'variables', 'x', '--var', 'a=b', '--file', '-'],
      '',
      'Give values by --var or by --file, not both.',
    ],
    [['rollback', 'generic-extractor', 'x', 'first'], '', 'VERSION must be a number'],
  ])('D9: %j is refused before anything is asked', async (args, stdin, text) => {
    const { code, stderr } = await run(args, stdin);
    expect(code).toBe(2);
    expect(stderr).toContain(text);
  });

  it('D9: a refusal names what was typed', async () => {
    const { code, stderr } = await run(['create', 'generic-extractor', 'x', '--id', 'a/b']);
    expect(code).toBe(1);
    expect(stderr).toContain('millrace: --id must be 1 to 100 letters');
  });
});

describe('indentedJson', () => {
  it.each([
    ['{}', '{}'],
    ['[]', '[]'],
    ['{"a":{},"b":[]}', '{\n  "a": {},\n  "b": []\n}'],
    ['[1,[2.50],{"a" : "\\u0061"}]', '[\n  1,\n  [\n    2.50\n  ],\n  {\n    "a": "\\u0061"\n  }\n]'],
  ])('sets %s', (text, indented) => expect(indentedJson(text)).toBe(indented));
});
