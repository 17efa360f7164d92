import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { TemporaryDisk } from '../../../test/support/temporary-disk.ts';

const program = fileURLToPath(new URL('../../../test/support/filled-disk-process.ts', import.meta.url));

/** `MILLRACE_FULL_DISK_ROUNDS=50` is the long form: the file becomes a few megabytes longer each round. */
const rounds = Number(process.env['MILLRACE_FULL_DISK_ROUNDS'] ?? 6);

it('D8: a disk that others fill again and again under load ends no process, and LMDB never meets it full', ({
  skip,
}) => {
  using disk = TemporaryDisk.mount(40 + rounds * 8);
  if (disk === undefined) skip('a tmpfs can be mounted by root only');
  const path = disk?.path ?? '';
  const child = spawnSync(process.execPath, ['--no-warnings', program, path, String(rounds)], {
    encoding: 'utf8',
  });
  // LMDB prints a write that failed.
  expect([child.status, child.signal, child.stderr]).toEqual([0, null, '']);
  expect(JSON.parse(child.stdout)).toMatchObject({ missing: 0 });
}, 600_000);
