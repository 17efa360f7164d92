import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { runAnswered, type AnsweredRun } from '../../../test/support/command-api.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { smallApi, type Answers, type SmallApi } from '../../../test/support/small-api.ts';
import { parseConfig } from '../../config/config.ts';
import type { CommandContext } from '../command-context.ts';
import { createProgram } from '../program.ts';

const result = {
  message: 'Component processing finished.',
  output: { tables: [{ id: 'in.c-shop.users', rowsCount: 3, columns: [{ name: 'id' }, { name: 'name' }] }] },
};
const progress = { pages: 12, rows: 1200, bytes: 2048, time: '2026-01-01T00:00:10+00:00' };

const job = (more: object = {}): object => ({
  id: '17',
  runId: '17',
  status: 'processing',
  phase: 'running',
  isFinished: false,
  startTime: '2026-01-01T00:00:00+00:00',
  progress,
  heldUp: null,
  result: {},
  ...more,
});

const ended = (status: string, more: object = {}): object =>
  job({ status, phase: 'ended', isFinished: true, result, ...more });

const line = (at: number, type: string, message: string): object => ({
  id: idOf(at),
  type,
  message,
  created: '2026-01-01T00:00:00+00:00',
  params: { jobId: '17' },
});

/** A product whose job says two lines, then ends so. */
function answers(last: object, ...lines: readonly object[]): Answers {
  const log = [line(2, 'warn', 'one was missing'), line(1, 'info', 'Running job "17".')];
  return {
    'POST /jobs': { status: 201, body: job({ phase: 'created', progress: null }) },
    'GET /jobs/17': [{ body: job() }, { body: last }],
    'GET /v2/storage/events?runId=17&limit=1000': { body: log },
    [`GET /v2/storage/events?runId=17&limit=1000&maxId=${idOf(1)}`]: { body: [] },
    [`GET /v2/storage/events?runId=17&limit=1000&sinceId=${idOf(2)}`]: [{ body: lines }, { body: [] }],
    [`GET /v2/storage/events?runId=17&limit=1000&sinceId=${idOf(2)}&maxId=${idOf(3)}`]: { body: [] },
  };
}

const idOf = (at: number): string => `00000000-0000-7000-8000-00000000000${at}`;

const run = (of: Answers, ...args: readonly string[]): Promise<AnsweredRun> =>
  runAnswered(['job', 'run', '--config', 'shop', ...args], () => of);

describe('millrace job run --config', () => {
  it('asks the product for the job, tells its log, and prints the tables that it has loaded', async () => {
    const { code, stdout, stderr, seen } = await run(answers(ended('success')), '--var', 'since=1=2', '--branch', '3');
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
      component: 'generic-extractor',
      config: 'shop',
      branchId: '3',
      variableValuesData: { values: [{ name: 'since', value: '1=2' }] },
    });
    expect(stderr).toBe('Job 17 was asked for.\nRunning job "17".\nwarning: one was missing\n');
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'table            rows  columns\nin.c-shop.users     3        2\n',
    });
  });

  it('says when nobody is there to run it, once', async () => {
    const heldUp = 'No process runs jobs at present.';
    const waits = job({ phase: 'created', progress: null, heldUp });
    const of = {
      ...answers(ended('success')),
      'GET /jobs/17': [waits, waits, ended('success')].map((body) => ({ body })),
    };
    const { code, stderr } = await run({ ...of, 'POST /jobs': { status: 201, body: waits } });
    expect(code).toBe(0);
    expect(stderr).toMatch(/^Job 17 was asked for\.\nwarning: No process runs jobs at present\.\nRunning job "17"/);
    expect(stderr.split(heldUp)).toHaveLength(2);
  });

  it('without values asks for none, and of another component when it is told so', async () => {
    const { seen } = await run(answers(ended('success')), '--component', 'keboola.ex-generic-v2');
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
      component: 'keboola.ex-generic-v2',
      config: 'shop',
      branchId: 'default',
    });
  });

  it('--json prints the job as it ended, whether it did what it should or not', async () => {
    for (const status of ['success', 'terminated']) {
      const { stdout } = await run(answers(ended(status)), '--json');
      expect(JSON.parse(stdout)).toEqual(ended(status));
    }
  });

  it.each([
    ['warning', 0, result, ''],
    ['error', 1, { message: 'short', error: { type: 'user' } }, 'millrace: The whole reason.\n'],
    [
      'error',
      2,
      { message: 'short', error: { type: 'application' } },
      'millrace: The whole reason.\nLook into the log',
    ],
    [
      'terminated',
      1,
      { message: 'The job was terminated.' },
      'millrace: Job 17 is terminated: The job was terminated.',
    ],
    ['cancelled', 1, { message: 'It never ran.' }, 'millrace: Job 17 is cancelled: It never ran.'],
  ])('ends, of a job that ended as %s, with %i', async (...[status, code, of, why]) => {
    const lines = status === 'error' ? [line(3, 'error', 'The whole reason.')] : [];
    const answered = await run(answers(ended(status, { result: of }), ...lines));
    expect(answered.code).toBe(code);
    expect(answered.stderr.split('one was missing\n')[1]).toContain(why);
    expect(answered.stdout === '').toBe(code !== 0);
  });

  it('a job that is refused ends it with the words of the product', async () => {
    const error = 'Cannot resolve job parameters: Configuration "shop" not found';
    const { code, stderr } = await run({ 'POST /jobs': { status: 400, body: { error, code: 400, status: 'error' } } });
    expect({ code, stderr }).toEqual({ code: 1, stderr: `millrace: ${error}.\n` });
  });

  it.each([
    [['--config', 'shop', 'c.json'], 'With --config give neither a file'],
    [['--config', 'shop', '--out', 'x'], 'With --config give neither a file'],
    [['--config', 'shop', '--jsonl'], 'With --config give neither a file'],
    [['c.json', '--out', 'x', '--branch', '2'], '--branch goes with --config'],
    [['--jsonl', '--json'], '--json is how tables are printed'],
  ])('%j is refused', async (args, message) => {
    const { code, stderr, seen } = await runAnswered(['job', 'run', ...args], () => ({}));
    expect({ code, stderr, asked: seen.length }).toMatchObject({ code: 2, asked: 0 });
    expect(stderr).toContain(message);
  });
});

describe('a person who follows a job', () => {
  /** What a person sees who presses Ctrl-C while the job runs, and types this at the question. */
  async function interrupted(api: SmallApi, typed: string): Promise<string> {
    const leave = new AbortController();
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    const stderr = new PassThrough();
    const stdout = new PassThrough().resume();
    const terminal = { stdin, stdout, stderr, human: true, interactive: true, columns: 120 };
    const config = () => parseConfig({ MILLRACE_URL: api.url, MILLRACE_TOKEN: 'root' }, '/');
    const unused = () => Promise.reject(new Error('not asked'));
    const product: CommandContext['product'] = {
      version: '1',
      start: unused,
      claimStores: unused,
      restore: unused,
      migrate: unused,
      examineCluster: unused,
      openSourceTopic: unused,
      extract: unused,
      tryExtraction: unused,
    };
    const context = { terminal, product, program: 'millrace', signal: leave.signal, config };
    const running = createProgram(context).parseAsync(['job', 'run', '--config', 'shop'], { from: 'user' });
    const end = running.catch((thrown: unknown) => thrown);
    const shown = text(stderr);
    await eventually(() => expect(api.seen.filter(({ path }) => path === '/jobs/17').length).toBeGreaterThan(2));
    leave.abort();
    stdin.write(typed);
    expect(await end).toMatchObject({ name: 'AbortError' });
    stderr.end();
    return shown;
  }

  it('sees how far it is, and is asked by Ctrl-C whether it is to end', async () => {
    await using api = await smallApi(() => ({ ...answers(job()), 'POST /jobs/17/kill': { status: 202, body: job() } }));
    const shown = await interrupted(api, 'yes\n');
    expect(shown).toContain('Job 17: running, 12 pages, 1200 rows, 2.0 KB, 120 rows/s');
    expect(shown).toContain('Job 17 goes on without you. End it? Only "yes" does it: Job 17 was asked to end.\n');
    expect(api.seen.at(-1)).toMatchObject({ method: 'POST', path: '/jobs/17/kill' });
  });

  it('who does not say yes leaves it running, and is told how to end it', async () => {
    await using api = await smallApi(() => answers(job()));
    const shown = await interrupted(api, '\n');
    expect(shown).toContain(
      'Job 17 goes on. To end it: millrace job kill 17\nTo see its log: millrace job log 17 --follow\n',
    );
    expect(api.seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });
});
