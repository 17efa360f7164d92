import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compareOutput } from '../docs/shown-output.ts';
import { expectedFields } from './compare-tables.ts';
import { githubDeliveries } from './github-deliveries.ts';

let folder: string;
let code: number | null;
let printed: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-demo-test-'));
  const child = spawn(process.execPath, [fileURLToPath(new URL('run.ts', import.meta.url))], {
    env: { PATH: process.env['PATH'] ?? '', TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  printed = await text(child.stdout);
  code = await ended;
});

afterAll(() => rm(folder, { recursive: true }));

it('D2, D3, D4: every payload of GitHub is in both tables once, and the demo ends with 0', () => {
  expect(printed).not.toContain('✗');
  expect(printed).toContain(
    `${githubDeliveries().length} of ${githubDeliveries().length} webhooks were answered with 200`,
  );
  expect(printed).toMatch(/\nEverything is there, exactly once\.\n$/);
  expect(code).toBe(0);
});

it('the printed rows are those of the payloads that were sent, in their order', () => {
  const lines = printed.split('\n');
  const head = lines.findIndex((line) => /^at +repository +action +sender +stars$/.test(line));
  const rows = lines.slice(head + 1, head + 13).map((line) => line.split(/ +/).filter((cell) => cell !== ''));
  const expected = githubDeliveries()
    .slice(0, 12)
    .map(({ payload }) => Object.values(expectedFields(payload)).filter((cell) => cell !== ''));
  expect(rows.map(([, ...cells]) => cells)).toEqual(expected);
});

it('leaves nothing behind', async () => {
  expect(await readdir(folder)).toEqual([]);
});

it('prints what the README shows', async () => {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
  const block = /```text\n\$ npm run demo\n(.*?)```/s.exec(readme)?.[1];
  expect(block).toBeDefined();
  expect(compareOutput(block?.trimEnd().split('\n') ?? [], printed).problem).toBeUndefined();
});
