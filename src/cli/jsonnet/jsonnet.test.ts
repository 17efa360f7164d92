import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runMillrace, type CommandRun } from '../../../test/support/run-millrace.ts';
import { exitCodes } from '../exit-code.ts';

let cwd: string;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'millrace-jsonnet-'));
});

afterEach(async () => {
  await rm(cwd, { recursive: true });
});

function run(args: readonly string[], stdin = '', env: Readonly<Record<string, string>> = {}): Promise<CommandRun> {
  return runMillrace(['jsonnet', ...args], { cwd, stdin, env });
}

describe('millrace jsonnet', () => {
  it('prints what a template of a file makes of an event', async () => {
    await writeFile(join(cwd, 't.jsonnet'), '{ b: Body("x[0]"), a: Header("x-shop"), h: Header("X-Other"), ip: Ip() }');
    await writeFile(join(cwd, 'b.json'), '{"x":["ü"]}');
    const headers = ['--header', 'X-Shop: 7', '--header', 'x-other: a', '--header', 'X-Other: b'];
    expect(await run(['t.jsonnet', '--body', 'b.json', ...headers])).toEqual({
      code: exitCodes.ok,
      stdout: '{"a":"7","b":"ü","h":"a, b","ip":"127.0.0.1"}\n',
      stderr: '',
    });
  });

  it('reads standard input, and a body of the type that a header names', async () => {
    await writeFile(join(cwd, 'form'), 'a=1&b[c]=2');
    const form = ['--body', 'form', '--header', 'Content-Type: application/x-www-form-urlencoded'];
    expect(await run(['-', ...form], 'Body("a") + Body("b.c")')).toMatchObject({
      code: exitCodes.ok,
      stdout: '"12"\n',
    });
  });

  it.each([
    ['a template that is wrong', 'Invalid', 'millrace: stdin:1:1-8 Unknown variable: Invalid.\n'],
    [
      'a template that fails',
      '1 + Body("x")',
      'millrace: stdin:1:5-14 cannot parse request json: the body is empty at 1:1; the body was read as JSON, as its Content-Type says.\n',
    ],
    ['a template that wants too much', 'local f(x) = f(x) + 1; f(1)', 'max stack frames exceeded'],
  ])('says on standard error what is the matter with %s', async (_name, template, message) => {
    const { code, stdout, stderr } = await run(['-'], template);
    expect({ code, stdout }).toEqual({ code: exitCodes.failed, stdout: '' });
    expect(stderr).toContain(message);
  });

  it('has the limits of the installation', async () => {
    const { code, stderr } = await run(['-'], 'std.repeat("x", 2000)', { MILLRACE_TEMPLATE_TEXT: '1KB' });
    expect(code).toBe(exitCodes.failed);
    expect(stderr).toContain('limit textLength exceeded');
  });

  it('answers each line of --jsonl by a line', async () => {
    const lines = [
      '{"id":1,"source":"{b:[1,2.50],a:null}"}',
      '{"id":{"k":"v"},"source":"\\n  nope"}',
      'no json',
      '',
      '{"id":"last","source":"error \\"a\\u2028b\\""}',
    ];
    const { code, stdout } = await run(['--jsonl'], lines.join('\n'));
    expect(code).toBe(exitCodes.ok);
    const answers = stdout.trimEnd().split('\n');
    expect(answers).toHaveLength(4);
    expect(JSON.parse(answers[0] ?? '')).toEqual({ id: 1, result: '{"a":null,"b":[1,2.5]}' });
    expect(answers[1]).toBe(
      '{"id":{"k":"v"},"error":{"kind":"static","message":"Unknown variable: nope","line":2,"column":3}}',
    );
    expect(JSON.parse(answers[2] ?? '')).toMatchObject({ id: null, error: { kind: 'input' } });
    expect(JSON.parse(answers[3] ?? '')).toMatchObject({ id: 'last', error: { kind: 'runtime', message: 'a\u2028b' } });
  });

  it.each([
    [['none.jsonnet'], 'none.jsonnet cannot be read'],
    [['-', '--body', 'none.json'], 'none.json cannot be read'],
    [['-', '--header', 'x'], 'it must be "Name: value"'],
    [[], 'Give a file with a template'],
    [['-', '--jsonl'], 'Give either a file or --jsonl'],
  ])('D9: refuses %j', async (args, message) => {
    const { code, stderr } = await run(args, '1');
    expect(code).toBe(exitCodes.usage);
    expect(stderr).toContain(message);
  });
});
