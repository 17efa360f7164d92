import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { dataFolder, occupyDataFolder, prepareDataFolder } from './data-folder.ts';

let path: string;

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'millrace-folder-'));
});

afterEach(() => rmSync(path, { recursive: true }));

it.each(['catalog', 'staging', 'tmp'])('names the part of the folder that cannot be used: %s is a file', (name) => {
  const folder = dataFolder(path);
  prepareDataFolder(folder);
  writeFileSync(join(path, name), '');
  expect(() => occupyDataFolder(folder)).toThrow(`"${join(path, name)}" cannot be used: it is not a folder`);
});

it('empties the caches and keeps everything else, as often as it is occupied', () => {
  const folder = dataFolder(path);
  for (let start = 0; start < 2; start += 1) {
    prepareDataFolder(folder);
    occupyDataFolder(folder);
    writeFileSync(join(folder.staging, `slice-${start}`), '');
    writeFileSync(join(folder.local, `slice-${start}`), '');
  }
  occupyDataFolder(folder);
  expect(readdirSync(folder.local)).toEqual([]);
  expect(readdirSync(folder.staging)).toEqual(['slice-0', 'slice-1']);
});
