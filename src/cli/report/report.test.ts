import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runAnswered } from '../../../test/support/command-api.ts';

const at = '2026-01-02T03:05:00.000Z';
const since = '2026-01-01T03:05:00.000Z';
const numbers = {
  accepted: 1234,
  imported: 1200,
  staged: 20,
  inFlight: 10,
  filtered: 0,
  dead: 4,
  holes: 0,
  givenUp: 0,
  difference: 0,
};
const gap = { from: '2026-01-02T03:00:00.000Z', to: '2026-01-02T03:02:00.000Z' };

function answer(more: object = {}): object {
  const samples = [{ at: '2026-01-02T03:02:00.000Z', ...numbers }];
  const sink = { sinkId: 'orders', incarnation: 2, deleted: false, at, ...numbers, samples, gaps: [] };
  return {
    projectId: 1,
    branchId: 1,
    verdict: 'All 1,234 events for 1 sink of 1 source are accounted for.',
    well: true,
    at,
    since,
    stepSeconds: 60,
    gaps: [gap],
    clockJumps: [{ at, bySeconds: -90 }],
    sources: [{ sourceId: 'shop', accepted: 1234, sinks: [sink] }],
    ...more,
  };
}

const place = 'GET /v1/branches/default/conservation';

const run = (args: readonly string[], given = answer(), query = 'since=24h') =>
  runAnswered(['report', ...args], () => ({ [`${place}?${query}`]: { body: given } }));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-report-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('N10: millrace report', () => {
  test('the verdict, a line a sink, and how complete the samples are', async () => {
    const { code, stdout } = await run([]);
    expect(code).toBe(0);
    expect(stdout.split('\n')).toEqual([
      'All 1,234 events for 1 sink of 1 source are accounted for.',
      'sink         accepted  imported  staged  in flight  filtered  dead  holes  given up  missing',
      'shop/orders      1234      1200      20         10         0     4      0         0        0',
      'shop/orders: 1 sample, one a minute, none with anything missing; no gap',
      `nothing was sampled for 2 min, the last from ${gap.from} to ${gap.to}`,
      `the clock was set at ${at}, by -90 s`,
      '',
    ]);
  });

  test('days are hours for the API, and one source may be asked for', async () => {
    const asked = await run(['--since', '90d', '--source', 'shop', '--json'], answer(), 'since=2160h&sourceId=shop');
    expect(asked.code).toBe(0);
    const { code, stderr } = await run(['--since', 'yesterday']);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('--since must be how far back, such as 30m, 24h or 90d.'),
    ]);
  });

  test('JSON is what the API says, as --json and as a format', async () => {
    for (const args of [['--json'], ['--format', 'json']])
      expect(JSON.parse((await run(args)).stdout)).toEqual(answer());
  });

  test('a page goes to standard output or to a file, which is HTML when nothing is said', async () => {
    expect((await run(['--format', 'markdown'])).stdout).toMatch(/^# Did everything arrive\?\n/);
    expect((await run(['--format', 'html'])).stdout).toMatch(/^<!DOCTYPE html>\n/);
    const file = join(folder, 'report.html');
    const { stdout, stderr } = await run(['--out', file]);
    expect([stdout, stderr.trim()]).toEqual([
      '',
      `${file}: All 1,234 events for 1 sink of 1 source are accounted for.`,
    ]);
    expect(await readFile(file, 'utf8')).toMatch(/^<!DOCTYPE html>\n/);
  });

  test('what is missing, lost or not known ends with exit code 1, after the report', async () => {
    const verdict = 'Not everything is accounted for: shop/orders misses 3 events.';
    const { code, stdout, stderr } = await run(['--json'], answer({ verdict, well: false }));
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ verdict });
    expect(stderr).toContain(verdict);
  });
});
