import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  exampleSink as sink,
  exampleSource as source,
  exampleTask as task,
  exampleTime,
  onePage as page,
} from '../../test/support/command-api.ts';
import { runMillrace, type CommandRun, type RunOptions } from '../../test/support/run-millrace.ts';
import { smallApi, type Answers, type SmallApi } from '../../test/support/small-api.ts';
import { writeRunFile } from './run-file.ts';

const at = exampleTime;
const S = '/v1/branches/default/sources';

const numbers = {
  accepted: 10,
  imported: 7,
  staged: 1,
  inFlight: 1,
  dead: 1,
  filtered: 0,
  holes: 0,
  givenUp: 0,
  none: 0,
};
const progress = {
  sourceId: 'shop',
  sinkId: 'orders',
  takesEvents: true,
  totals: { ...numbers, difference: 0 },
  partitions: [],
  staged: { slices: 1, rows: 1, dead: 0, bytes: 9, nextImportAt: at },
  errors: [{ role: 'import', code: 'table.notFound', message: 'no table', since: at, nextTryAt: at }],
};

let folder: string;
let api: SmallApi | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-cli-'));
});

afterEach(async () => {
  await api?.[Symbol.asyncDispose]();
  api = undefined;
  await rm(folder, { recursive: true });
});

/** Runs a command against an API that gives these answers. */
async function run(
  args: readonly string[],
  answers: (url: string) => Answers,
  options: RunOptions = {},
): Promise<CommandRun> {
  api = await smallApi(answers);
  const env = { MILLRACE_URL: api.url, MILLRACE_TOKEN: 'root', ...options.env };
  return runMillrace(args, { cwd: folder, ...options, env });
}

describe('finding the process', () => {
  it('goes by the data folder: its run file and its token, with nothing passed', async () => {
    api = await smallApi(() => ({ [`GET ${S}`]: { body: { page, sources: [] } } }));
    const dataDir = join(folder, 'data');
    await mkdir(dataDir);
    await writeRunFile(dataDir, { pid: process.pid, admin: api.url, ingest: api.url, startedAt: at });
    await writeFile(join(dataDir, 'root-token'), 'kept-token\n', { mode: 0o600 });
    const found = await runMillrace(['source', 'list', '--json'], { cwd: folder });
    expect(found).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
    expect(api.seen[0]?.headers['x-storageapi-token']).toBe('kept-token');
  });

  it('fails with 3 when no process works on the data folder, and says what to do', async () => {
    const { code, stdout, stderr } = await runMillrace(['table', 'list'], { cwd: folder });
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toMatch(
      /^millrace: No process with the role admin works on the data folder .*\/data\.\nStart it with ".* start"/,
    );
  });

  it('fails with 3 when nothing answers at the URL', async () => {
    api = await smallApi(() => ({}));
    const { url } = api;
    await api[Symbol.asyncDispose]();
    api = undefined;
    const env = { MILLRACE_URL: url, MILLRACE_TOKEN: 'root' };
    const { code, stderr } = await runMillrace(['table', 'list'], { cwd: folder, env });
    expect(code).toBe(3);
    expect(stderr).toContain(`millrace: No answer from ${url}`);
  });

  it('fails with 3 at the URL of ingest, and says which URL it needs', async () => {
    const body = { statusCode: 404, error: 'stream.in.routeNotFound', message: 'There is nothing at this path.' };
    const { code, stderr } = await run(['source', 'list'], () => ({ [`GET ${S}`]: { status: 404, body } }));
    expect(code).toBe(3);
    expect(stderr).toContain(
      `millrace: What answers at ${api?.url} takes events; commands need the URL of the admin API, by default on port 8000.\n`,
    );
  });

  it('fails with 1 when the token is not accepted', async () => {
    const body = { statusCode: 401, error: 'stream.api.unauthorized', message: 'Invalid access token.' };
    const { code, stderr } = await run(['source', 'list'], () => ({ [`GET ${S}`]: { status: 401, body } }));
    expect(code).toBe(1);
    expect(stderr).toMatch(/^millrace: Invalid access token\.\nSet MILLRACE_TOKEN/);
  });
});

describe('wrong usage', () => {
  it('ends with 2: an unknown command, a missing argument, a bad option, a bad variable', async () => {
    const runs = await Promise.all([
      runMillrace(['souce', 'list'], { cwd: folder }),
      runMillrace(['source', 'show'], { cwd: folder }),
      runMillrace(['sink', 'create', 'shop', 'Orders', '--table', 'in.c-shop.orders', '--column', 'id'], {
        cwd: folder,
      }),
      runMillrace(['table', 'list'], { cwd: folder, env: { MILLRACE_ADMINPORT: '1' } }),
    ]);
    expect(runs.map(({ code }) => code)).toEqual([2, 2, 2, 2]);
    expect(runs.map(({ stderr }) => stderr.split('\n')[0])).toEqual([
      "millrace: unknown command 'souce'",
      "millrace: missing required argument 'source'",
      'millrace: Column "id": must have a name and a type, such as "id:uuid".',
      'millrace: The environment holds one problem:',
    ]);
    expect(runs[3]?.stderr).toContain('did you mean MILLRACE_ADMIN_PORT?');
  });

  it('shows the help of every command with examples, and of the program without a command', async () => {
    const [bare, send] = await Promise.all([runMillrace([]), runMillrace(['send', '--help'])]);
    expect(bare.code).toBe(0);
    expect(bare.stdout).toContain('First steps:');
    expect(send).toMatchObject({ code: 0, stderr: '' });
    expect(send.stdout).toContain('Examples:');
    expect(send.stdout).toMatch(/it may arrive\s+twice/);
    expect(send.stdout).toMatch(/ --whole +each file is one event, whatever it holds\n/);
  });
});

describe('source and sink', () => {
  it('create waits for the task and shows what was made', async () => {
    const { code, stdout } = await run(['source', 'create', 'Shop'], (url) => ({
      [`POST ${S}`]: { status: 202, body: task('processing') },
      'GET /v1/tasks/api.create.source/1/shop/x': [
        { body: task('processing') },
        { body: task('success', { outputs: { sourceId: 'shop' } }) },
      ],
      [`GET ${S}/shop`]: { body: source(url) },
    }));
    expect(code).toBe(0);
    expect(stdout).toContain(`url      ${api?.url}/stream/1/shop/secret\n`);
    expect(JSON.parse(api?.seen[0]?.body ?? '')).toEqual({ name: 'Shop', type: 'http' });
  });

  it('create ends with 1 and the reason of the task when the task fails', async () => {
    const { code, stderr } = await run(['source', 'create', 'Shop'], () => ({
      [`POST ${S}`]: { body: task('error', { error: 'Source count limit reached.' }) },
    }));
    expect(code).toBe(1);
    expect(stderr).toContain('millrace: Source count limit reached.\n');
  });

  it('create sink sends the columns in order, from the command line or from a file', async () => {
    const file = join(folder, 'columns.yaml');
    await writeFile(file, 'columns:\n  - id:uuid\n  - { name: total, type: path, path: total }\n');
    const answers = (): Answers => ({
      [`POST ${S}/shop/sinks`]: { body: task('success', { outputs: { sinkId: 'orders' } }) },
      [`GET ${S}/shop/sinks/orders`]: { body: sink },
    });
    const create = ['sink', 'create', 'shop', 'Orders', '--table', 'in.c-shop.orders'];
    const { code, stdout } = await run([...create, '--columns', file, '--from', 'earliest'], answers);
    expect(code).toBe(0);
    expect(stdout).toContain('column 1  id:uuid\n');
    expect(JSON.parse(api?.seen[0]?.body ?? '')).toEqual({
      name: 'Orders',
      backfill: 'earliest',
      table: {
        tableId: 'in.c-shop.orders',
        mapping: {
          columns: [
            { name: 'id', type: 'uuid' },
            { name: 'total', type: 'path', path: 'total' },
          ],
        },
      },
    });
  });

  it('list follows the pages', async () => {
    const { stdout } = await run(['source', 'list'], (url) => ({
      [`GET ${S}`]: { body: { page: { ...page, limit: 1, lastId: 'shop' }, sources: [source(url)] } },
      [`GET ${S}?afterId=shop`]: { body: { page: { ...page, limit: 1 }, sources: [] } },
    }));
    expect(stdout.split('\n')[0]).toMatch(/^source {2,}type {2,}name {2,}state {2,}url$/);
    expect(stdout).toMatch(/^shop +http +Shop +enabled +http:\/\/\S+\/stream\/1\/shop\/…$/m);
    expect(stdout).not.toContain('secret');
  });

  it('D9: a name that is not there is told with the one that was probably meant', async () => {
    const none = (name: string, message: string) => ({ status: 404, body: { error: `stream.api.${name}`, message } });
    const answers = (url: string): Answers => ({
      [`GET ${S}/shap`]: none('sourceNotFound', 'Source "shap" not found in the branch.'),
      [`GET ${S}/shop/sinks/ordrs`]: none('sinkNotFound', 'Sink "ordrs" not found in the source.'),
      [`GET ${S}/shap/sinks/orders`]: none('sourceNotFound', 'Source "shap" not found in the branch.'),
      'GET /v2/storage/tables/in.c-shop.ordrs': { status: 404, body: { error: 'The table was not found.', code: 'x' } },
      'GET /v2/storage/tables/in.c-shop.ordrs/data-preview?format=json&limit=20': { status: 404, body: { error: 'x' } },
      'GET /v2/storage/tables': { body: [{ id: 'in.c-shop.orders', name: 'orders' }] },
      [`GET ${S}`]: { body: { page, sources: [source(url)] } },
      [`GET ${S}/shop/sinks`]: { body: { page, sinks: [sink] } },
    });
    const lines = [
      ['source show shap', 'Did you mean "shop"?'],
      ['sink show shop ordrs', 'Did you mean "orders"?'],
      ['sink show shap orders', 'Did you mean "shop"?'],
      ['table show in.c-shop.ordrs', 'Did you mean "in.c-shop.orders"?'],
    ] as const;
    for (const [line, advice] of lines) {
      const { code, stderr } = await run(line.split(' '), answers);
      expect({ line, code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(advice) as string });
      await api?.[Symbol.asyncDispose]();
    }
    const { stderr } = await run(['source', 'show', 'quite-another'], answers);
    expect(stderr).not.toContain('Did you mean');
  });

  it('settings set sends null for an empty value and shows what came of it', async () => {
    const key = 'storage.level.staging.upload.trigger.count';
    const setting = { key, type: 'int', value: 5, defaultValue: 10000, inheritedFrom: 'sink', protected: false };
    const { code, stdout } = await run(['sink', 'settings', 'set', 'shop', 'orders', `${key}=5`, 'x='], () => ({
      [`PATCH ${S}/shop/sinks/orders/settings`]: {
        body: { settings: [setting, { ...setting, key: 'x', withoutEffect: 'Kafka keeps the events.' }] },
      },
    }));
    expect(code).toBe(0);
    expect(stdout).toContain(`${key}  5      sink  10000\n\nwithout effect here  value  why\n`);
    expect(stdout).toMatch(/\nx +5 +Kafka keeps the events\.\n$/);
    expect(JSON.parse(api?.seen[0]?.body ?? '')).toEqual({
      settings: [
        { key, value: 5 },
        { key: 'x', value: null },
      ],
    });
  });
});

describe('table', () => {
  const T = '/v2/storage/tables';

  it('list and show print tables', async () => {
    const table = { id: 'in.c-shop.orders', columns: ['id', 'total'], rowsCount: 1 };
    const cells = [
      { columnName: 'id', value: 'a\u001b[31m\nb', isTruncated: false },
      { columnName: 'total', value: '5', isTruncated: false },
    ];
    const answers = (): Answers => ({
      [`GET ${T}`]: { body: [table] },
      [`GET ${T}/in.c-shop.orders`]: { body: table },
      [`GET ${T}/in.c-shop.orders/data-preview?format=json&limit=20`]: {
        body: { columns: ['id', 'total'], rows: [cells] },
      },
      [`GET ${T}/in.c-shop.orders/data-preview?format=json&limit=1&columns=total`]: {
        body: { columns: ['total'], rows: [cells.slice(1)] },
      },
    });
    const list = await run(['table', 'list'], answers);
    expect(list.stdout).toMatch(/^in\.c-shop\.orders +1 +id, total$/m);
    const env = { MILLRACE_URL: api?.url ?? '', MILLRACE_TOKEN: 'root' };
    const show = await runMillrace(['table', 'show', 'in.c-shop.orders'], { cwd: folder, env });
    expect(show.stdout).toBe('id              total\na\\u001b[31m\\nb  5\n');
    const some = ['table', 'show', 'in.c-shop.orders', '--limit', '1', '--select', 'total'];
    expect((await runMillrace(some, { cwd: folder, env })).stdout).toBe('total\n5\n');
    const json = await runMillrace(['table', 'show', 'in.c-shop.orders', '--json'], { cwd: folder, env });
    expect(JSON.parse(json.stdout)).toMatchObject({
      id: 'in.c-shop.orders',
      rows: [{ id: 'a\u001b[31m\nb', total: '5' }],
    });
  });

  it('show asks for the rows that are looked for, the first or the last of them', async () => {
    const preview = (id: string): Answers[string] => ({
      body: { columns: ['id'], rows: [[{ columnName: 'id', value: id, isTruncated: false }]] },
    });
    const conditions = encodeURIComponent(JSON.stringify({ who: 'a=b', 'it"s': '' }));
    api = await smallApi(() => ({
      [`GET ${T}/in.c-shop.orders`]: { body: { id: 'in.c-shop.orders', columns: ['id', 'who'], rowsCount: 4 } },
      [`GET ${T}/in.c-shop.orders/data-preview?format=json&limit=2&columns=id&last=true`]: preview('4'),
      [`GET ${T}/in.c-shop.orders/data-preview?format=json&limit=20&where=${conditions}`]: preview('1'),
    }));
    const env = { MILLRACE_URL: api.url, MILLRACE_TOKEN: 'root' };
    const show = (...args: readonly string[]): Promise<CommandRun> =>
      runMillrace(['table', 'show', 'in.c-shop.orders', ...args], { cwd: folder, env });
    expect((await show('--tail', '--limit', '2', '--select', 'id')).stdout).toBe('id\n4\n');
    expect((await show('--where', 'who=a=b', '--where', 'it"s=')).stdout).toBe('id\n1\n');
    expect(await show('--where', 'Ada')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("argument 'Ada' is invalid. It must be COLUMN=VALUE.") as string,
    });
    expect((await show('--where', 'id=1', '--where', 'id=2')).stderr).toContain('"id" has a condition already.');
  });

  it('export writes what it got to standard output, or whole to a file', async () => {
    const answers = (): Answers => ({
      [`GET ${T}/in.c-shop.orders/export?format=csv`]: { body: '"id"\n"1"\n' },
      [`GET ${T}/in.c-shop.gone/export?format=csv`]: {
        status: 404,
        body: { error: 'There is no table "in.c-shop.gone".', code: 'storage.tables.notFound', status: 'error' },
      },
    });
    const direct = await run(['table', 'export', 'in.c-shop.orders', '--format', 'csv'], answers);
    expect(direct).toEqual({ code: 0, stdout: '"id"\n"1"\n', stderr: '' });
    const env = { MILLRACE_URL: api?.url ?? '', MILLRACE_TOKEN: 'root' };
    const exportTo = (table: string, file: string) =>
      runMillrace(['table', 'export', table, '--format', 'csv', '--out', file], { cwd: folder, env });
    expect((await exportTo('in.c-shop.orders', 'orders.csv')).code).toBe(0);
    expect(await readFile(join(folder, 'orders.csv'), 'utf8')).toBe('"id"\n"1"\n');
    const gone = await exportTo('in.c-shop.gone', 'gone.csv');
    expect(gone.code).toBe(1);
    expect(gone.stderr).toContain('millrace: There is no table "in.c-shop.gone".');
    expect(await readdir(folder)).toEqual(['orders.csv']);
    const nowhere = await exportTo('in.c-shop.orders', 'no/folder.csv');
    expect(nowhere.code).toBe(2);
    expect(nowhere.stderr).toBe('millrace: The file no/folder.csv cannot be written: there is no folder no.\n');
  });
});

describe('progress and flush', () => {
  const K = `${S}/shop/sinks`;

  it('D4: progress shows the conservation numbers, and D6: why a sink is stopped', async () => {
    const { code, stdout } = await run(['progress', 'shop'], () => ({
      [`GET ${K}`]: { body: { page, sinks: [sink] } },
      [`GET ${K}/orders/progress`]: { body: progress },
    }));
    expect(code).toBe(0);
    const [head = '', numbers = '', trouble = ''] = stdout.split('\n');
    const titles = 'sink, accepted, rows, staged, in flight, dead, filtered, holes, given up, none, missing, import';
    expect(head.split(/ {2,}/).join(', ')).toBe(titles);
    expect(numbers.split(/ {2,}/).join(', ')).toBe(`shop/orders, 10, 7, 1, 1, 1, 0, 0, 0, 0, 0, next ${at}`);
    expect(trouble).toBe(`shop/orders: import stopped since ${at}: no table (table.notFound); next try ${at}`);
    await api?.[Symbol.asyncDispose]();
    const [error] = progress.errors;
    const missingServers = [{ process: 'host-7', server: 'log (kafka)', roles: ['map'], message: 'Away.', since: at }];
    const body = { ...progress, errors: [{ ...error, old: true }], missingServers };
    const old = await run(['progress', 'shop', 'orders'], () => ({ [`GET ${K}/orders/progress`]: { body } }));
    expect(old.stdout).toContain(`map of host-7 without log (kafka) since ${at}: Away.\n`);
    expect(old.stdout).toContain(
      `import was stopped since ${at}: no table (table.notFound); the next try was due ${at}`,
    );
  });

  it('flush waits for every sink and fails with the reason of the one that could not', async () => {
    const { code, stdout, stderr } = await run(['flush', 'shop'], () => ({
      [`GET ${K}`]: { body: { page, sinks: [sink, { ...sink, sinkId: 'raw' }] } },
      [`POST ${K}/orders/flush`]: { status: 202, body: task('error', { error: 'Import cannot go on: no table.' }) },
      [`POST ${K}/raw/flush`]: {
        status: 202,
        body: task('success', { result: 'Sink has been flushed successfully.' }),
      },
    }));
    expect(code).toBe(1);
    expect(stdout).toMatch(/^shop\/raw +Sink has been flushed successfully\.$/m);
    expect(stderr).toContain('millrace: Import cannot go on: no table.\n');
  });
});
