import { appendFileSync, mkdirSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TemporaryDisk } from '../../../../test/support/temporary-disk.ts';
import { openEnvironment, type Environment } from '../client.ts';
import { DataFile } from './data-file.ts';
import { NoSpace, ReservedSpace, type Use } from './reserved-space.ts';
import { SharedWords } from './shared-words.ts';

const megabyte = 1024 * 1024;

describe('space for what LMDB writes', () => {
  let disk: TemporaryDisk | undefined;
  let folder: string;
  let environment: Environment;
  let space: ReservedSpace;

  beforeEach(({ skip }) => {
    disk = TemporaryDisk.mount(32);
    if (disk === undefined) skip('a tmpfs can be mounted by root only');
    folder = join(disk?.path ?? '', 'log');
    mkdirSync(folder);
    environment = openEnvironment({ path: folder, kind: 'log', format: 1 });
    space = new ReservedSpace(folder, new SharedWords(environment));
  });
  afterEach(async () => {
    await space.close();
    await environment.close();
    disk?.[Symbol.dispose]();
  });

  const claim = (bytes: number, use: Use = 'growth') => space.claim({ values: [bytes], removed: 0 }, use);
  const fillTheRest = () => {
    try {
      for (;;) appendFileSync(join(disk?.path ?? '', 'ballast'), Buffer.alloc(megabyte, 1));
    } catch (thrown) {
      expect(String(thrown)).toContain('ENOSPC');
    }
  };

  it('D8: is allocated in the file before the write begins, so that others who fill the disk do not have it', () => {
    using _claim = claim(8 * megabyte);
    const { size, blocks } = statSync(join(folder, 'data.mdb'));
    expect(size).toBeGreaterThan(8 * megabyte);
    expect(blocks * 512).toBeGreaterThanOrEqual(size);
  });

  it('D8: makes room for a large write in the thread pool, all of it or nothing', async () => {
    const size = () => statSync(join(folder, 'data.mdb')).size;
    const prepare = (bytes: number) => space.prepare({ values: [bytes], removed: 0 });
    expect(prepare(1000)).toBeUndefined();
    await prepare(8 * megabyte);
    const prepared = size();
    claim(8 * megabyte)[Symbol.dispose]();
    expect(prepare(8 * megabyte)).toBeUndefined();
    expect(prepare(64 * megabyte)).toBeUndefined();
    // A claim has some more made ahead, in the thread pool, and nothing of these.
    expect(size() - prepared).toBeLessThan(4 * megabyte);
  });

  it('D8: what is promised to one write is not promised to another, in whichever thread', async () => {
    claim(8 * megabyte)[Symbol.dispose]();
    fillTheRest();
    const other = new ReservedSpace(folder, new SharedWords(environment));
    {
      using _claim = claim(5 * megabyte);
      expect(() => other.claim({ values: [5 * megabyte], removed: 0 }, 'growth')).toThrow(NoSpace);
    }
    {
      using _claim = other.claim({ values: [5 * megabyte], removed: 0 }, 'growth');
      expect(() => claim(5 * megabyte)).toThrow(NoSpace);
    }
    await other.close();
  });

  it('D8: what others have written since is not promised again', async () => {
    claim(8 * megabyte)[Symbol.dispose]();
    claim(1)[Symbol.dispose]();
    fillTheRest();
    const other = new ReservedSpace(folder, new SharedWords(environment));
    for (let at = 0; at < 6; at += 1) {
      using _claim = other.claim({ values: [megabyte], removed: 0 }, 'growth');
      await environment.put(Buffer.from([at]), Buffer.alloc(megabyte), 1);
    }
    expect(() => claim(5 * megabyte)).toThrow(NoSpace);
    await other.close();
  });

  it('D8: what makes the data more leaves room for upkeep, and comes closer to it when pages were freed', () => {
    claim(megabyte)[Symbol.dispose]();
    fillTheRest();
    expect(() => claim(2 * megabyte)).toThrow(NoSpace);
    expect(space.isShort).toBe(true);
    claim(2 * megabyte, 'upkeep')[Symbol.dispose]();
    space.claim({ values: [], removed: 1 }, 'upkeep')[Symbol.dispose]();
    claim(2 * megabyte)[Symbol.dispose]();
  });

  it('D8: goes on by itself when the disk has space again', () => {
    fillTheRest();
    expect(() => claim(8 * megabyte)).toThrow(NoSpace);
    disk?.resize(64);
    claim(8 * megabyte)[Symbol.dispose]();
    expect(space.isShort).toBe(false);
  });

  it('D8: in a file with holes the free space is looked at before each write', async () => {
    truncateSync(join(folder, 'data.mdb'), 64 * megabyte);
    const sparse = new ReservedSpace(folder, new SharedWords(environment));
    sparse.claim({ values: [1], removed: 0 }, 'growth')[Symbol.dispose]();
    fillTheRest();
    expect(() => sparse.claim({ values: [1], removed: 0 }, 'growth')).toThrow(NoSpace);
    await sparse.close();
  });

  it('appends to the file whoever else does, and never overwrites', () => {
    const files = [new DataFile(folder), new DataFile(folder)];
    const before = statSync(join(folder, 'data.mdb')).size;
    for (const file of [...files, ...files]) file.append(1000);
    expect(statSync(join(folder, 'data.mdb')).size).toBe(before + 4000);
    for (const file of files) file.close();
  });
});
