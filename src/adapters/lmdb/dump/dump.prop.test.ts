import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openEnvironment } from '../client.ts';
import { decodeDump, dumpHead, encodeEnd, encodeEntry, type DumpEntry } from './dump-codec.ts';
import { EnvironmentSnapshot } from './environment-snapshot.ts';
import { restoreEnvironment } from './restore-environment.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-dump-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const entry = fc.record({
  database: fc.constantFrom('', 'documents', 'format'),
  key: fc.uint8Array({ minLength: 1, maxLength: 40 }),
  value: fc.uint8Array({ maxLength: 300 }),
});

function dumpOf(entries: readonly DumpEntry[]): Buffer {
  return Buffer.concat([dumpHead, ...entries.flatMap(encodeEntry), encodeEnd(entries.length)]);
}

async function* inPieces(bytes: Buffer, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

async function decoded(bytes: Buffer, length: number): Promise<DumpEntry[]> {
  const found: DumpEntry[] = [];
  for await (const one of decodeDump(inPieces(bytes, length), 'd')) found.push(one);
  return found;
}

test('what was dumped comes back, in pieces of any length', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(entry), fc.integer({ min: 1, max: 100 }), async (entries, length) => {
      const found = await decoded(dumpOf(entries), length);
      expect(found.map(({ database, key, value }) => [database, [...key], [...value]])).toEqual(
        entries.map(({ database, key, value }) => [database, [...key], [...value]]),
      );
    }),
  );
});

test('a dump that is cut anywhere, or goes on behind its end, is refused in words', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { maxLength: 5 }), fc.nat(), async (entries, at) => {
      const whole = dumpOf(entries);
      const refused = { code: 'data.unusable', message: expect.stringMatching(/^"d" is damaged: it /) as string };
      await expect(decoded(whole.subarray(0, at % whole.length), 7)).rejects.toMatchObject(refused);
      await expect(decoded(Buffer.concat([whole, Buffer.alloc(1)]), 7)).rejects.toMatchObject(refused);
    }),
  );
});

test('databases that nobody in the process has open are in the dump, also those that were made after it was opened', async () => {
  const path = join(folder, 'catalog');
  const databases = ['documents', 'counters'];
  const opened = openEnvironment({ path, kind: 'catalog', format: 1 });
  await opened.openDB<string, string>({ name: 'documents', encoding: 'string' }).put('one', 'first');
  await opened.close();
  await using snapshot = EnvironmentSnapshot.open(path);
  const maker =
    "const { open } = await import('lmdb'); const [path, name] = process.argv.slice(1);" +
    " await open({ path, noSubdir: false, mapSize: 2 ** 40, maxDbs: 16 }).openDB({ name, encoding: 'string' }).put('one', 'first');";
  execFileSync(process.execPath, ['--input-type=module', '--eval', maker, path, 'counters']);
  snapshot.pin();
  const found = await decoded(Buffer.concat([...snapshot.dump()].map((piece) => Buffer.from(piece))), 4096);
  const values = found.filter(({ database }) => databases.includes(database));
  const texts = values.map(({ database, value }) => [database, Buffer.from(value).toString()] as const);
  expect(Object.fromEntries(texts)).toEqual({ counters: 'first', documents: 'first' });
});

test('an environment comes back as it was at one moment, with its databases and versions, whatever is written meanwhile', async () => {
  const path = join(folder, 'log');
  const environment = openEnvironment({ path, kind: 'log', format: 1 });
  const documents = environment.openDB<string, Buffer>({
    name: 'documents',
    encoding: 'string',
    keyEncoding: 'binary',
    useVersions: true,
  });
  for (let at = 0; at < 500; at += 1)
    await environment.put(Buffer.from([5, at % 250, at]), Buffer.alloc(20_000, at), at);
  await documents.put(Buffer.from([7]), 'before', 3);
  await using snapshot = EnvironmentSnapshot.open(path);
  const before = snapshot.lastTransaction();
  snapshot.pin();
  expect(snapshot.lastTransaction()).toBe(before);
  const pieces: Uint8Array[] = [];
  for (const piece of snapshot.dump()) {
    pieces.push(Buffer.from(piece));
    if (pieces.length === 10) {
      await documents.put(Buffer.from([7]), 'after', 4);
      await environment.put(Buffer.from([5, 1, 1]), Buffer.from('after'), 9999);
      await environment.remove(Buffer.from([5, 2, 2]));
    }
  }
  expect(snapshot.lastTransaction()).toBeGreaterThan(before);
  const restored = join(folder, 'restored');
  await restoreEnvironment(inPieces(Buffer.concat(pieces), 65_536), { path: restored, name: 'log' });
  const found = openEnvironment({ path: restored, kind: 'log', format: 1 });
  expect(found.getEntry(Buffer.from([5, 1, 1]))).toMatchObject({ version: 1 });
  expect(found.getBinary(Buffer.from([5, 249, 499 % 256]))).toEqual(Buffer.alloc(20_000, 499));
  expect(found.getBinary(Buffer.from([5, 2, 2]))).toEqual(Buffer.alloc(20_000, 2));
  const again = found.openDB<string, Buffer>({
    name: 'documents',
    encoding: 'string',
    keyEncoding: 'binary',
    useVersions: true,
  });
  expect(again.getEntry(Buffer.from([7]))).toEqual({ value: 'before', version: 3 });
  await found.close();
  await environment.close();
});
