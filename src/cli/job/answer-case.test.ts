import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { smallApi, type SmallApi } from '../../../test/support/small-api.ts';
import { parseConfig } from '../../config/config.ts';
import { extract } from '../../runtime/extract/extract.ts';
import { answerCase } from './answer-case.ts';

let api: SmallApi;
let folder: string;
const { signal } = new AbortController();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-job-'));
  api = await smallApi(() => ({
    'GET /users?limit=2&offset=0': { body: [{ id: 1, text: 'say "x"\n' }, { id: 2 }] },
    'GET /users?limit=2&offset=2': { body: [{ id: 3 }] },
    'GET /broken?limit=2&offset=0': { body: [{ id: 1 }, { id: 2 }] },
    'GET /broken?limit=2&offset=2': { status: 400, body: { error: 'key hunter22' } },
  }));
});

afterEach(async () => {
  await api[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

function configuration(endpoint: string, config: object = {}): object {
  const pagination = { method: 'offset', limit: 2 };
  const whole = { outputBucket: 'b', '#key': 'hunter22', ...config, jobs: [{ endpoint }] };
  return { parameters: { api: { baseUrl: api.url, pagination }, config: whole } };
}

async function ask(line: string | object, allowed = '127.0.0.1'): Promise<unknown> {
  const config = parseConfig({ MILLRACE_EXTRACTOR_ALLOWED_HOSTS: allowed }, folder);
  const text = typeof line === 'string' ? line : JSON.stringify(line);
  return JSON.parse(await answerCase(text, { product: { extract }, config, signal }));
}

describe('1.10: a case of millrace job run --jsonl', () => {
  it('writes its tables, a manifest each, and its state beside them', async () => {
    const out = join(folder, 'deep', 'out');
    expect(await ask({ id: 7, configuration: configuration('users'), out })).toMatchObject({
      id: 7,
      exitCode: 0,
      log: expect.arrayContaining([{ level: 'info', message: 'Extractor finished successfully.' }]) as unknown,
    });
    expect((await readdir(out)).toSorted()).toEqual(['b.users', 'b.users.manifest']);
    expect(await readFile(join(out, 'b.users'), 'utf8')).toBe('"id","text"\n"1","say ""x""\n"\n"2",""\n"3",""\n');
    expect(await readFile(join(out, 'b.users.manifest'), 'utf8')).toBe(
      '{"destination":"in.c-b.users","incremental":false}',
    );
    expect(JSON.parse(await readFile(`${out}.state.json`, 'utf8'))).toMatchObject({
      time: { previousStart: expect.any(Number) as unknown },
    });
    expect((await readdir(join(folder, 'deep'))).toSorted()).toEqual(['out', 'out.state.json']);
  });

  it('without a bucket has the file of the table alone, and no destination', async () => {
    const out = join(folder, 'out');
    await ask({ id: 1, configuration: configuration('users', { outputBucket: '' }), out });
    expect((await readdir(out)).toSorted()).toEqual(['users', 'users.manifest']);
    expect(await readFile(join(out, 'users.manifest'), 'utf8')).toBe('{"incremental":false}');
  });

  it('replaces files of the same names in a folder that is there, and leaves others', async () => {
    const out = join(folder, 'out');
    await ask({ id: 1, configuration: configuration('users', { outputBucket: 'other' }), out });
    await ask({ id: 1, configuration: configuration('users'), out });
    await ask({ id: 1, configuration: configuration('users'), out });
    expect(await readdir(out)).toHaveLength(4);
    expect((await readFile(join(out, 'b.users'), 'utf8')).split('\n')).toHaveLength(6);
  });

  it('takes the state of the run before', async () => {
    const asking = { endpoint: 'users', params: { since: { time: 'previousStart' } } };
    const given = { parameters: { api: { baseUrl: api.url }, config: { jobs: [asking] } } };
    await ask({ id: 1, configuration: given, state: { time: { previousStart: 123 } }, out: join(folder, 'out') });
    expect(api.seen[0]?.path).toBe('/users?since=123');
  });
});

describe('1.4: a case that fails writes nothing', () => {
  it.each<[string, object]>([
    ['whose API refuses after a page', { endpoint: 'broken' }],
    ['whose configuration is wrong', { endpoint: '' }],
  ])('and has the exit code 1: one %s', async (_, { endpoint }: { endpoint?: string }) => {
    const answer = await ask({ id: 'x', configuration: configuration(endpoint ?? ''), out: join(folder, 'out') });
    expect(answer).toMatchObject({ id: 'x', exitCode: 1 });
    expect(await readdir(folder)).toEqual([]);
  });

  it('shows no text below a key with #', async () => {
    const answer = await ask({ id: 1, configuration: configuration('broken'), out: join(folder, 'out') });
    expect(JSON.stringify(answer)).toContain('key [hidden]');
    expect(JSON.stringify(answer)).not.toContain('hunter22');
  });

  it('and has the exit code 2 where the machine is to blame', async () => {
    const out = join('/dev/null', 'out');
    expect(await ask({ id: 1, configuration: configuration('users'), out })).toMatchObject({ exitCode: 2 });
  });

  it('E6: and has the exit code 1 where the operator does not allow the address', async () => {
    const answer = await ask(
      { id: 1, configuration: configuration('users'), out: join(folder, 'out') },
      'other.example',
    );
    expect(answer).toMatchObject({ exitCode: 1 });
    expect(JSON.stringify(answer)).toContain('MILLRACE_EXTRACTOR_ALLOWED_HOSTS');
    expect(api.seen).toEqual([]);
  });

  it.each(['../x', 'a/b', '..\\x', 'a\u0000b'])(
    'by a bucket that leads out of the folder: %j',
    async (outputBucket) => {
      const given = configuration('users', { outputBucket });
      const answer = await ask({ id: 1, configuration: given, out: join(folder, 'deep', 'out') });
      expect(answer).toMatchObject({ exitCode: 1 });
      expect(await readdir(folder)).toEqual([]);
    },
  );
});

describe('the variables of a case', () => {
  const given = { a: '{{x}}' };

  it('are its values; what was replaced is told', async () => {
    const configured = { ...configuration('{{x}}') };
    const answer = await ask({
      id: 1,
      configuration: configured,
      values: [{ name: 'x', value: 'users' }],
      out: join(folder, 'out'),
    });
    const notes = ['Replacing variables using inline values.', 'Replaced values for variables: x'];
    expect(answer).toMatchObject({
      exitCode: 0,
      log: expect.arrayContaining(notes.map((message) => ({ level: 'info', message }))) as unknown,
    });
  });

  it('E9: must be there', async () => {
    const error = (message: string) => ({ exitCode: 1, log: [{ level: 'error', message }] });
    expect(await ask({ id: 1, configuration: given, values: {}, out: 'x' })).toMatchObject(
      error('Missing values for placeholders: x'),
    );
    expect(await ask({ id: 1, configuration: { ...given, variables_id: '9' }, out: 'x' })).toMatchObject(
      error('No variable values provided for variables configuration "9".'),
    );
  });
});

it.each([
  'nonsense',
  '[]',
  '{"id":1}',
  '{"id":1,"configuration":[],"out":"x"}',
  '{"id":1,"configuration":{}}',
  '{"id":1,"configuration":{},"out":"x","state":1}',
])('D9: a line that is no case has an answer: %s', async (line) =>
  expect(await ask(line)).toMatchObject({ exitCode: 1, log: [{ level: 'error' }] }),
);
