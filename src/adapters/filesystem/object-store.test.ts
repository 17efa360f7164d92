import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { objectStoreContract } from '../../../test/contract/object-store.contract.ts';
import { openFileSystemObjectStore } from './object-store.ts';

const waiting = { signal: new AbortController().signal };

objectStoreContract('file system', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-objects-'));
  return {
    open: () => openFileSystemObjectStore({ folder, removeLeftovers: false }),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
});

describe('the folder of the file system store', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'millrace-objects-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('holds an object under its own name, for programs on this machine', async () => {
    await using store = await openFileSystemObjectStore({
      folder: join(folder, 'made', 'here'),
      removeLeftovers: true,
    });
    await store.put('1/0/x.csv', { kind: 'bytes', bytes: Buffer.from('"a"\n') }, waiting);
    const path = await store.localPath('1/0/x.csv', waiting);
    expect(path).toBe(join(folder, 'made', 'here', '1', '0', 'x.csv'));
    expect(await readFile(path ?? '', 'utf8')).toBe('"a"\n');
  });

  it('links a file of the same device instead of copying it', async () => {
    await using store = await openFileSystemObjectStore({ folder: join(folder, 'objects'), removeLeftovers: true });
    const path = join(folder, 'slice.csv');
    await writeFile(path, 'x');
    await store.put('a', { kind: 'file', path }, waiting);
    expect((await stat((await store.localPath('a', waiting)) ?? '')).ino).toBe((await stat(path)).ino);
  });

  it('loses what a crash left behind when the first store opens, and only then', async () => {
    await mkdir(join(folder, '.tmp'));
    await writeFile(join(folder, '.tmp', 'half'), 'ha');
    await using second = await openFileSystemObjectStore({ folder, removeLeftovers: false });
    expect(await readdir(join(folder, '.tmp'))).toEqual(['half']);
    const names: string[] = [];
    for await (const { name } of second.list('', waiting)) names.push(name);
    expect(names).toEqual([]);
    await using _first = await openFileSystemObjectStore({ folder, removeLeftovers: true });
    expect(await readdir(join(folder, '.tmp'))).toEqual([]);
  });

  it('D9: says why a folder cannot be used', async () => {
    await writeFile(join(folder, 'file'), '');
    await expect(
      openFileSystemObjectStore({ folder: join(folder, 'file', 'x'), removeLeftovers: true }),
    ).rejects.toThrow(/cannot open the staging folder ".*file\/x"/);
  });

  it('D8: a full disk refuses the object, says so and shows no half of it', async ({ skip }) => {
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder]).status === 0;
    if (!mounted) skip('a small tmpfs can be mounted by root only');
    try {
      await using store = await openFileSystemObjectStore({ folder, removeLeftovers: true });
      const bytes = Buffer.alloc(1_000_000, 'x');
      const refused = {
        code: 'objects.unavailable',
        retryable: true,
        message: expect.stringContaining('disk is full') as unknown,
      };
      await expect(store.put('a/b', { kind: 'bytes', bytes }, waiting)).rejects.toMatchObject(refused);
      const path = join(await mkdtemp(join(tmpdir(), 'millrace-slice-')), 'slice');
      await writeFile(path, bytes);
      await expect(store.put('a/c', { kind: 'file', path }, waiting)).rejects.toMatchObject(refused);
      await rm(join(path, '..'), { recursive: true });
      const names: string[] = [];
      for await (const { name } of store.list('', waiting)) names.push(name);
      expect(names).toEqual([]);
      await store.put('a/d', { kind: 'bytes', bytes: bytes.subarray(0, 1000) }, waiting);
    } finally {
      spawnSync('umount', [folder]);
    }
  });
});
