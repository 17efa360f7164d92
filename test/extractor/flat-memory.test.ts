import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const script = new URL('../support/extraction-process.ts', import.meta.url).pathname;

it('memory does not grow with the items of a run: 400 MB of them in pages of 1000', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'extraction-'));
  try {
    // The young generation as small as the product has it.
    const args = ['--max-semi-space-size=8', script, folder, '100000', '4000'];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const { grewBytes, counted } = JSON.parse(stdout) as { grewBytes: number; counted: unknown };
    expect(counted).toEqual({ users: 100_000, users_tags: 200_000 });
    expect(grewBytes).toBeLessThan(200 * 1024 ** 2);
  } finally {
    await rm(folder, { recursive: true });
  }
});
