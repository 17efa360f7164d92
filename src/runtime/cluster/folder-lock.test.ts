import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lockFolder } from './folder-lock.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('D2: a folder of local files is one process at a time, and the next one gets it', async () => {
  const first = await lockFolder(folder);
  await expect(lockFolder(folder)).rejects.toMatchObject({
    code: 'data.locked',
    message: `another process keeps its local files in "${folder}"`,
  });
  await first[Symbol.asyncDispose]();
  await using _second = await lockFolder(folder);
});

it('D2: what a killed process left behind holds nothing', async () => {
  const script = `require('node:net').createServer().listen(${JSON.stringify(join(folder, 'lock-left'))}, () => console.log('listening'))`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
  await using _lock = await lockFolder(folder);
  await expect(lockFolder(folder)).rejects.toMatchObject({ code: 'data.locked' });
});

it('D2: of several that find what was left behind, one at most goes on', async () => {
  const script = `require('node:net').createServer().listen(${JSON.stringify(join(folder, 'lock-left'))}, () => process.kill(process.pid, 'SIGKILL'))`;
  await once(spawn(process.execPath, ['-e', script]), 'exit');
  const tries = await Promise.allSettled(Array.from({ length: 4 }, () => lockFolder(folder)));
  const held = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  expect(held.length).toBeLessThanOrEqual(1);
  for (const lock of held) await lock[Symbol.asyncDispose]();
});

it('holds a folder whose path is longer than names of sockets may be', async () => {
  const deep = join(folder, 'x'.repeat(120));
  mkdirSync(deep);
  await using _lock = await lockFolder(deep);
  await expect(lockFolder(deep)).rejects.toMatchObject({ code: 'data.locked' });
});
