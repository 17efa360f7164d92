import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { diskFault, JobDisk } from './job-disk.ts';

let parent: string;

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'millrace-job-disk-'));
});

afterEach(async () => {
  await rm(parent, { recursive: true });
});

test('J13: what was refused is taken by nobody', async () => {
  const folder = join(parent, 'jobs');
  const disk = new JobDisk({ folder, bytes: 1000, reserveBytes: 0 });
  const share = disk.share();
  // Nobody can look at a disk that is not there.
  for (let time = 0; time < 3; time += 1) await expect(share.take(900)).rejects.toThrow('could not be read or written');
  await mkdir(folder);
  await share.take(900);
  await expect(share.take(101)).rejects.toThrow('may take 1000 bytes of its disk together');
  share[Symbol.dispose]();
  await disk.share().take(1000);
});

test('J13: the disk is looked at again after it was full', async () => {
  const full = new JobDisk({ folder: parent, bytes: 1000, reserveBytes: 2 ** 60 }).share();
  for (let time = 0; time < 3; time += 1)
    await expect(full.take(1)).rejects.toThrow(
      'The job was ended because the disk of this process is full. Nothing was loaded.',
    );
});

test('J13: what the system says of a file is told in words, and anything else is left as it is', () => {
  const system = (code: string): Error => Object.assign(new Error(`${code}: of /a/path`), { code, syscall: 'write' });
  expect(diskFault(system('ENOSPC'))).toMatchObject({ message: expect.stringContaining('is full') as string });
  expect(diskFault(system('EDQUOT'))).toMatchObject({ message: expect.stringContaining('is full') as string });
  const failed = diskFault(system('EIO')) as Error;
  expect(failed.message).toContain('could not be read or written: EIO.');
  expect(failed.message).not.toContain('/a/path');
  expect(failed.cause).toMatchObject({ code: 'EIO' });
  const other = Object.assign(new Error('no file'), { code: 'ERR_SOMETHING' });
  expect(diskFault(other)).toBe(other);
});
