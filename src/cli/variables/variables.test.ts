import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runMillrace, type CommandRun } from '../../../test/support/run-millrace.ts';
import { exitCodes } from '../exit-code.ts';
import { answerLine } from './answer-line.ts';

describe('A54: a line of millrace variables render --jsonl', () => {
  const configuration = { city: '{{city}}', key: '{{vault.k}}', empty: {} };
  const ask = (asked: object): unknown => JSON.parse(answerLine(JSON.stringify({ id: 1, ...asked })));

  it('has its result', () => {
    const result = { city: 'Brno', key: 's', empty: [] };
    const values = [{ name: 'city', value: 'Brno' }];
    expect(ask({ configuration, values, vault: { k: 's' } })).toEqual({ id: 1, result });
    const listed = { configuration, values: { city: 'Brno' }, vault: [{ name: 'k', value: 's' }] };
    expect(ask(listed)).toEqual({ id: 1, result });
  });

  it('without values has only those of the vault replaced', () => {
    expect(ask({ configuration, vault: { k: 's' } })).toEqual({
      id: 1,
      result: { city: '{{city}}', key: 's', empty: [] },
    });
    expect(ask({ configuration: { city: '{{city}}', empty: {} } })).toEqual({
      id: 1,
      result: { city: '{{city}}', empty: {} },
    });
  });

  it('has the text of its error', () => {
    const error = 'Missing values for placeholders: vault.k, city, vault';
    expect(ask({ configuration, values: {} })).toEqual({ id: 1, error });
    expect(ask({ configuration: { a: '{{a}}' }, values: [] })).toEqual({
      id: 1,
      error: 'Missing values for placeholders: a',
    });
    expect(ask({ configuration, values: { '': 1 } })).toEqual({ id: 1, error: 'Variable name cannot be empty.' });
  });

  it('keeps the digits of numbers, of the id, too, and is one line', () => {
    const line =
      '{"id":[12345678901234567890],"configuration":{"n":12345678901234567890,"t":"\\u2028\\u0085{{a}}"},"values":{"a":"\\u2029"}}';
    expect(answerLine(line)).toBe(
      '{"id":[12345678901234567890],"result":{"n":12345678901234567890,"t":"\\u2028\\u0085\\u2029"}}',
    );
  });

  it.each(['no json', '[]', '1', 'null', '{"id":1}', '{"id":1,"configuration":[]}', '{"id":1,"configuration":null}'])(
    'D9: that is no question has an answer: %s',
    (line) => {
      const error = 'the line must be {"id", "configuration", "values", "vault"} with an object as configuration';
      expect(JSON.parse(answerLine(line))).toEqual({ id: null, error });
    },
  );

  it('D8: that is nested too deep has an answer', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const refused = { error: expect.stringContaining('Maximum stack depth exceeded') as unknown };
    expect(JSON.parse(answerLine(`{"id":1,"configuration":{"a":${deep}}}`))).toMatchObject({ id: 1, ...refused });
    expect(JSON.parse(answerLine(`{"id":${deep},"configuration":{}}`))).toMatchObject({ id: null, ...refused });
  });
});

describe('millrace variables render', () => {
  let cwd: string;

  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'millrace-variables-'));
  });

  afterEach(async () => {
    await rm(cwd, { recursive: true });
  });

  function run(args: readonly string[], stdin = ''): Promise<CommandRun> {
    return runMillrace(['variables', 'render', ...args], { cwd, stdin });
  }

  it('prints the configuration with values of files and of --var, which goes before', async () => {
    await writeFile(join(cwd, 'c.json'), '{"a":"{{x}} {{y}}","n":12345678901234567890,"k":"{{vault.k}}"}');
    await writeFile(join(cwd, 'values.json'), '{"values":[{"name":"x","value":"1"},{"name":"y","value":2}]}');
    await writeFile(join(cwd, 'vault.json'), '{"k":"s"}');
    const files = ['--values', 'values.json', '--vault', 'vault.json'];
    expect(await run(['c.json', ...files, '--var', 'y=a=b'])).toEqual({
      code: exitCodes.ok,
      stdout: '{"a":"1 a=b","n":12345678901234567890,"k":"s"}\n',
      stderr: '',
    });
  });

  it('says what is missing, and what the definition wants besides', async () => {
    await writeFile(join(cwd, 'd.json'), '{"variables":[{"name":"z","type":"string"}]}');
    const missing = await run(['-', '--var', 'a=1'], '{"a":"{{b}} {{a}} {{c}}"}');
    expect(missing).toEqual({
      code: exitCodes.failed,
      stdout: '',
      stderr: 'millrace: Missing values for placeholders: b, c.\n',
    });
    const { code, stderr } = await run(['-', '--var', 'a=1', '--definition', 'd.json'], '{}');
    expect({ code, stderr }).toEqual({
      code: exitCodes.failed,
      stderr: 'millrace: No value provided for variable "z".\n',
    });
  });

  it('answers each line of --jsonl by a line', async () => {
    const { code, stdout } = await run(
      ['--jsonl'],
      '{"id":1,"configuration":{"a":"{{b}}"},"values":{"b":"c"}}\n\nno json\n',
    );
    expect(code).toBe(exitCodes.ok);
    expect(stdout).toMatch(/^\{"id":1,"result":\{"a":"c"\}\}\n\{"id":null,"error":".*"\}\n$/);
  });

  it.each([
    [[], 'Give a file with a configuration'],
    [['-', '--jsonl'], 'With --jsonl give neither a file nor values'],
    [['-', '--var', 'x'], 'it must be name=value'],
    [['-', '--values', 'none.json'], 'none.json cannot be read'],
    [['-'], 'must hold a JSON object'],
  ])('D9: refuses %j', async (args, message) => {
    const { code, stderr } = await run(args, '[]');
    expect(code).toBe(exitCodes.usage);
    expect(stderr).toContain(message);
  });
});
