import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PowerSupply, whyNoPowerCuts } from '../../../test/chaos/power/power-supply.ts';
import { FailingDisk } from '../../../test/support/failing-disk.ts';

const disk = whyNoPowerCuts() === undefined ? FailingDisk.build() : undefined;

let folder: string;
let power: PowerSupply;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-failed-put-'));
  for (const name of ['data', 'work']) mkdirSync(join(folder, name));
  power = new PowerSupply(join(folder, 'data'), join(folder, 'work'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** Puts the file `slice` as `a/b/NAME` under other names until that succeeds, while one sync of a path fails; then cuts the power. */
function putWhileFailing(path: string): string {
  const text = `
    import { writeFileSync } from 'node:fs';
    import { openFileSystemObjectStore } from ${JSON.stringify(join(import.meta.dirname, 'object-store.ts'))};
    const store = await openFileSystemObjectStore({ folder: process.cwd() + '/staging', removeLeftovers: true });
    const content = { kind: 'file', path: process.cwd() + '/slice' };
    const put = (name) => store.put('a/b/' + name, content, { signal: new AbortController().signal });
    writeFileSync('slice', 'rows');
    writeFileSync(process.env.FAILING_DISK, 'sync ' + ${JSON.stringify(path)} + ' 1');
    await put('first').then(() => { throw new Error('it did not fail'); }, () => undefined);
    await put('second');`;
  const env = { ...process.env, ...power.environmentWith(disk?.env) };
  const argv = ['--input-type=module', '-e', text];
  execFileSync(process.execPath, argv, { cwd: join(folder, 'data'), env });
  power.cut(() => 0);
  return readFileSync(join(folder, 'data/staging/a/b/second'), 'utf8');
}

describe.skipIf(disk === undefined)('a put after one whose sync failed', () => {
  afterAll(() => disk?.[Symbol.dispose]());

  it.each([
    ['the file of the caller', '/slice$'],
    ['the folder above the new ones', '/staging$'],
    ['a new folder', '/staging/a$'],
    ['the folder of the object', '/staging/a/b$'],
  ])('D1: is on the disk when it answers: of %s', (_of, path) => {
    expect(putWhileFailing(path)).toBe('rows');
  });
});
