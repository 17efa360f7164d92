import { mkdirSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDuckDbTableStore } from '../../adapters/duckdb/table-store.ts';
import { openRaw } from '../../adapters/lmdb/dump/environment-snapshot.ts';
import { dataFolder } from '../embedded/data-folder.ts';
import { dumps } from './manifest.ts';
import { takeBackup } from './take-backup.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'millrace-take-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

test('what is in the source topic when a backup asks for the time that it names is in the backup', async () => {
  const folder = dataFolder(join(root, 'data'));
  for (const path of [folder.catalog, folder.sinkLog, folder.sourceLog, dirname(folder.tables)])
    mkdirSync(path, { recursive: true });
  const sources = openRaw(folder.sourceLog);
  await using tables = await openDuckDbTableStore({
    path: folder.tables,
    threads: 1,
    memoryLimitBytes: 64 * 1024 ** 2,
    memoryCeilingBytes: 256 * 1024 ** 2,
    tempDir: folder.temporary,
  });
  const to = join(root, 'backup');
  const asked = Date.UTC(2026, 0, 1);
  const { at } = await takeBackup(
    { folder, tables },
    {
      to,
      version: '1.0.0',
      now: () => {
        sources.putSync(Buffer.from([1]), Buffer.from('acknowledged in time'));
        return asked;
      },
      onBytes: () => undefined,
      signal: new AbortController().signal,
    },
  );
  await sources.close();
  expect(at).toBe(new Date(asked).toISOString());
  expect(await readFile(join(to, dumps.sourceLog), 'latin1')).toContain('acknowledged in time');
});
