import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { objectStoreContract } from '../../../test/contract/object-store.contract.ts';
import { canTraceSystemCalls, systemCallsOf, type SystemCall } from '../../../test/support/system-calls.ts';
import { openFileSystemObjectStore } from './object-store.ts';

const putProgram = join(import.meta.dirname, '../../../test/support/objects-process.ts');
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
    for (const empty of ['1/0', '1/1', '2/0']) await mkdir(join(folder, empty), { recursive: true });
    await writeFile(join(folder, '1', '1', 'kept'), 'x');
    await using second = await openFileSystemObjectStore({ folder, removeLeftovers: false });
    expect(await readdir(join(folder, '.tmp'))).toEqual(['half']);
    const names: string[] = [];
    for await (const { name } of second.list('', waiting)) names.push(name);
    expect(names).toEqual(['1/1/kept']);
    expect((await readdir(folder)).sort()).toEqual(['.tmp', '1', '2']);
    await using first = await openFileSystemObjectStore({ folder, removeLeftovers: true });
    expect(await readdir(join(folder, '.tmp'))).toEqual([]);
    expect([(await readdir(folder)).sort(), await readdir(join(folder, '1'))]).toEqual([['.tmp', '1'], ['1']]);
    await first.put('2/0/again', { kind: 'bytes', bytes: Buffer.from('x') }, waiting);
  });

  it('makes folders again that somebody removed while it was open', async () => {
    await using store = await openFileSystemObjectStore({ folder, removeLeftovers: true });
    const source = join(folder, '..', `${basename(folder)}.source`);
    await writeFile(source, 'x');
    const bytes = Buffer.from('x');
    for (const removed of ['1/0', '1', '.tmp', '.']) {
      await store.put(`1/0/${removed.length}`, { kind: 'bytes', bytes }, waiting);
      await rm(join(folder, removed), { recursive: true });
      const put = (name: string) => store.put(name, { kind: 'file', path: source }, waiting);
      const first = await put('1/0/first').catch((error: unknown) => error);
      expect([
        { name: '1/0/first', bytes: 1 },
        expect.objectContaining({ code: 'objects.unavailable' }),
      ]).toContainEqual(first);
      await put('1/0/second');
      await store.put('1/0/third', { kind: 'bytes', bytes }, waiting).catch(() => undefined);
      await store.put('1/0/fourth', { kind: 'bytes', bytes }, waiting);
      for (const name of ['first', 'second', 'third', 'fourth']) await store.delete(`1/0/${name}`, waiting);
    }
    await rm(source);
  });

  it('a file that the caller removed too early is objects.unavailable that says so, and leaves no object', async () => {
    await using store = await openFileSystemObjectStore({ folder, removeLeftovers: true });
    await expect(store.put('a', { kind: 'file', path: join(folder, 'none') }, waiting)).rejects.toMatchObject({
      code: 'objects.unavailable',
      message: 'cannot write the object "a": the file or its folder was removed',
    });
    await expect(store.localPath('a', waiting)).rejects.toMatchObject({ code: 'objects.notFound' });
  });

  it('D1: the object, its entry and the folders above it are synced before the answer', async ({ skip }) => {
    if (!canTraceSystemCalls()) skip('strace is not installed');
    const objects = join(folder, 'made', 'objects');
    const names = 'openat,link,linkat,mkdir,mkdirat,fsync,fdatasync,write';
    const unsynced = unsyncedAtAnswers(await systemCallsOf([putProgram, objects, '40'], names), objects);
    expect(unsynced.size).toBe(40);
    expect([...unsynced].filter(([, what]) => what.length > 0)).toEqual([]);
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

/**
 * For each object that the traced process said it had put: which of the entries on the way to it, from the temporary
 * folder's root down, and which content were not synced by a call that began after they were made and had ended by then.
 */
function unsyncedAtAnswers(calls: readonly SystemCall[], objects: string): ReadonlyMap<string, readonly string[]> {
  const madeAt = new Map<string, number>();
  const contentOf = new Map<string, string>();
  const syncedFrom = new Map<string, number>();
  const answers = new Map<string, readonly string[]>();
  const isSynced = (entry: string) => (syncedFrom.get(dirname(entry)) ?? -1) > (madeAt.get(entry) ?? Infinity);
  for (const { name, text, began, ended } of calls) {
    const paths = [...text.matchAll(/["<](\/[^">]+)[">]/g)].map(([, path = '']) => path);
    const [from = '', to = ''] = paths.filter((path) => path.startsWith(dirname(dirname(objects))));
    const put = /"put ([^\\"]+)/.exec(text)?.[1];
    if (name.startsWith('mkdir') && text.endsWith(' = 0')) madeAt.set(from, ended);
    if (name.startsWith('link') && text.endsWith(' = 0')) {
      madeAt.set(to, ended);
      contentOf.set(to, from);
    }
    if (name.endsWith('sync') && text.endsWith(' = 0')) syncedFrom.set(from, began);
    if (put === undefined) continue;
    const object = join(objects, put);
    const way: string[] = [];
    for (let entry = object; entry !== dirname(dirname(objects)); entry = dirname(entry)) way.push(entry);
    const content = contentOf.get(object) ?? '';
    answers.set(put, [...way.filter((entry) => !isSynced(entry)), ...(syncedFrom.has(content) ? [] : [content])]);
  }
  return answers;
}
