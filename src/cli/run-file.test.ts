import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readRunFile, removeRunFile, writeRunFile } from './run-file.ts';

const content = {
  pid: 7,
  admin: 'http://127.0.0.1:1',
  ingest: 'http://127.0.0.1:2',
  startedAt: '2026-01-02T03:04:05.678Z',
};
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-run-'));
});

afterEach(async () => rm(folder, { recursive: true }));

describe('the run file', () => {
  it('is read back, belongs to the owner alone, and replaces that of a killed process', async () => {
    await writeRunFile(folder, { ...content, pid: 6 });
    await writeRunFile(folder, content);
    expect(await readRunFile(folder)).toEqual(content);
    expect((await stat(join(folder, 'run.json'))).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['run.json']);
  });

  it('is removed by the process that wrote it and by no other', async () => {
    await writeRunFile(folder, content);
    await removeRunFile(folder, 8);
    expect(await readRunFile(folder)).toEqual(content);
    await removeRunFile(folder, 7);
    expect(await readRunFile(folder)).toBeUndefined();
  });

  it('counts as absent when it is half written or of another shape', async () => {
    await writeFile(join(folder, 'run.json'), '{"pid": 7, "adm');
    expect(await readRunFile(folder)).toBeUndefined();
    await writeFile(join(folder, 'run.json'), '{"pid": 7}');
    expect(await readRunFile(folder)).toBeUndefined();
  });
});
