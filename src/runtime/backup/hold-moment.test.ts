import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { EnvironmentSnapshot } from '../../adapters/lmdb/dump/environment-snapshot.ts';
import { openRaw } from '../../adapters/lmdb/dump/environment-snapshot.ts';
import { dataFolder, type DataFolder } from '../embedded/data-folder.ts';
import { holdMoment } from './hold-moment.ts';

let folder: DataFolder;

beforeEach(async () => {
  folder = dataFolder(await mkdtemp(join(tmpdir(), 'millrace-hold-')));
  for (const path of [folder.catalog, folder.sinkLog, folder.sourceLog]) mkdirSync(path, { recursive: true });
});

afterEach(() => rm(folder.path, { recursive: true, force: true }));

const key = Buffer.from([1]);

/** The value of the only key, in the dump. */
function heldIn(snapshot: EnvironmentSnapshot): number {
  const bytes = Buffer.concat([...snapshot.dump()].map((piece) => Buffer.from(piece)));
  return Number(/<(\d+)>/.exec(bytes.toString('latin1'))?.[1]);
}

test('no document names an offset that a log lacks, and no outcome an event that the source lacks, whatever moves meanwhile', async () => {
  const [catalog, sinks, sources] = [folder.catalog, folder.sinkLog, folder.sourceLog].map(openRaw);
  if (catalog === undefined || sinks === undefined || sources === undefined) throw new Error('three are open');
  let moves = 0;
  const put = (store: typeof catalog, number: number): void => store.putSync(key, Buffer.from(`<${number}>`));
  // As the product does it: an event, its outcome, and then the document says that it is staged.
  const move = (): void => {
    moves += 1;
    put(sources, moves);
    put(sinks, moves);
    if (moves < 30) put(catalog, moves);
  };
  move();
  await using held = await holdMoment(folder, move);
  const [document, outcome, event] = [heldIn(held.catalog), heldIn(held.sinkLog), heldIn(held.sourceLog)];
  expect(outcome).toBeGreaterThanOrEqual(document);
  expect(event).toBeGreaterThanOrEqual(outcome);
  // What the document says was staged by then is all that a log may have removed: it is the last document of that moment.
  expect(document).toBe(29);
  expect(moves).toBeGreaterThan(30);
  for (const store of [catalog, sinks, sources]) await store.close();
});

/** Files below the folder that this process has open. */
async function openFiles(): Promise<readonly string[]> {
  const open = '/proc/self/fd';
  const names = await Promise.all((await readdir(open)).map((file) => readlink(join(open, file)).catch(() => '')));
  return names.filter((name) => name.startsWith(folder.path));
}

test.skipIf(process.platform !== 'linux')('nothing is held when one cannot be opened, or cannot be held', async () => {
  const fault = new Error('no snapshot');
  const fails = (): never => {
    throw fault;
  };
  await expect(holdMoment(folder, fails)).rejects.toBe(fault);
  expect(await openFiles()).toEqual([]);
  await using held = await holdMoment(folder);
  expect((await openFiles()).length).toBeGreaterThan(0);
  await held[Symbol.asyncDispose]();
  writeFileSync(join(folder.sourceLog, 'data.mdb'), 'nothing that LMDB would know');
  await expect(holdMoment(folder)).rejects.toMatchObject({ code: 'data.unusable' });
  expect(await openFiles()).toEqual([]);
});
