import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';

const appending = fileURLToPath(new URL('../../../test/support/log-young.ts', import.meta.url));
const engine = ['--expose-gc', '--max-semi-space-size=1', '--trace-gc-nvp'];

let folder: string;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'millrace-young-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Each record has a kilobyte of objects; those in flight at a collection may survive it. */
it('what was appended is garbage of the young generation: nothing that became old keeps what came after it', async () => {
  const records = 30_000;
  const { stdout } = await promisify(execFile)(process.execPath, [...engine, appending, folder, String(records)]);
  const begun = Number(/begun ([0-9.]+)/.exec(stdout)?.[1]);
  const collections = [...stdout.matchAll(/ ([0-9]+) ms: pause=.* gc=s .* promoted=([0-9]+)/g)]
    .map(([, ms, promoted]) => ({ ms: Number(ms), promoted: Number(promoted) }))
    .filter(({ ms }) => ms > begun);
  expect(collections.length).toBeGreaterThan(10);
  const promoted = collections.reduce((sum, collection) => sum + collection.promoted, 0);
  expect(promoted / records).toBeLessThan(400);
});
