import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parseConfig } from '../../config/config.ts';
import type { Running } from '../../runtime/product.ts';
import { createProgram } from '../program.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-start-'));
});

afterEach(() => rm(folder, { recursive: true }));

it('a signal during the start stops the product as soon as it runs, and nobody is told that it is ready', async () => {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const terminal = { stdin, stdout, stderr, human: false, interactive: false, columns: 80 };
  const { signal } = new AbortController();
  const config = (): ReturnType<typeof parseConfig> => parseConfig({ MILLRACE_DATA_DIR: folder }, folder);
  let stops = 0;
  const start = async (): Promise<Running> => {
    process.emit('SIGHUP');
    const stop = async (): Promise<void> => void (stops += 1);
    const failed = new Promise<never>(() => undefined);
    return { listeners: { admin: 'http://127.0.0.1:1', ingest: 'http://127.0.0.1:2' }, failed, stop };
  };
  const product = {
    version: '1.2.3',
    start,
    claimStores: async () => [],
    restore: async () => ({ at: '', version: '' }),
    migrate: () => Promise.reject(new Error('not asked for')),
    examineCluster: async () => [],
    openSourceTopic: () => new Promise<never>(() => undefined),
    extract: () => Promise.reject(new Error('not asked')),
    tryExtraction: () => Promise.reject(new Error('not asked')),
  };
  const program = createProgram({ terminal, product, program: 'millrace', signal, config });
  await program.parseAsync(['start'], { from: 'user' });
  expect(stops).toBe(1);
  expect(stdout.read()).toBeNull();
  expect(await readdir(folder)).toEqual([]);
  expect(process.listenerCount('SIGHUP')).toBe(0);
});
