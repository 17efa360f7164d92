import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { TemporaryDisk } from '../../../test/support/temporary-disk.ts';
import { DiskGuard } from './disk-guard.ts';

const megabyte = 1024 * 1024;

it('D8: below the reserve the disk is full, which is told once, until there is space again', async ({ skip }) => {
  using disk = TemporaryDisk.mount(8);
  if (disk === undefined) skip('a tmpfs can be mounted by root only');
  const path = disk?.path ?? '';
  const told: string[] = [];
  const observer = {
    diskFull: (freeBytes: number) => void told.push(`full ${freeBytes / megabyte}`),
    diskHasSpace: (freeBytes: number) => void told.push(`space ${freeBytes / megabyte}`),
  };
  const guard = new DiskGuard({ path, reserveBytes: 6 * megabyte, observer });
  guard.listen(() => told.push('changed'));
  await guard.look();
  writeFileSync(join(path, 'ballast'), Buffer.alloc(3 * megabyte));
  await guard.look();
  await guard.look();
  expect(guard.isFull).toBe(true);
  disk?.resize(12);
  await guard.look();
  expect(guard.isFull).toBe(false);
  expect(told).toEqual(['full 5', 'changed', 'space 9', 'changed']);
});
