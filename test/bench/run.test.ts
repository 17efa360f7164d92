import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import type { NamedResult } from './page.ts';
import { benches } from './registry.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-bench-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const bench = async (...args: readonly string[]): Promise<{ readonly stdout: string; readonly stderr: string }> =>
  await promisify(execFile)(process.execPath, ['test/bench/run.ts', ...args], { timeout: 240_000 });

test('a bench starts what is to be measured, tells figures and what an event costs by thread, and leaves nothing behind', async () => {
  const { stdout } = await bench('accept', '--json', '--rounds', '1', '--seconds', '0.2', '--folder', folder);
  const [found, ...others] = JSON.parse(stdout) as readonly NamedResult[];
  expect(others).toEqual([]);
  expect(found).toMatchObject({ name: 'accept', machine: expect.stringContaining('fdatasync') as string });
  const { figures = [], costs = [] } = found?.result ?? {};
  expect(figures.length).toBe(4);
  for (const { spread } of figures) expect(spread?.median).toBeGreaterThan(0);
  expect(costs.map(({ side }) => side)).toEqual(['bare', 'accept', 'accept, batches']);
  for (const { microseconds, perSecond, threads, loaderShare } of costs) {
    expect(microseconds.median).toBeGreaterThan(0);
    expect(perSecond.median).toBeGreaterThan(0);
    expect(loaderShare).toBeGreaterThan(0);
    expect(threads.some(({ part }) => part === 'main' || part === 'ingest')).toBe(process.platform === 'linux');
  }
  expect(globSync('*', { cwd: folder })).toEqual([]);
});

test('an unknown bench is named, with those that there are', async () => {
  await expect(bench('acept')).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/there is no "acept"[^]*to-table/) as string,
  });
});

test('the page has a place for each bench', async () => {
  const page = await readFile(new URL('../../docs/benchmarks.md', import.meta.url), 'utf8');
  for (const name of Object.keys(benches))
    expect(page).toMatch(new RegExp(`<!-- bench ${name} -->[^]*<!-- end of ${name} -->`));
});
