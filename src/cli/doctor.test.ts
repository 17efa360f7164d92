import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseConfig } from '../config/config.ts';
import { errorCatalogue } from '../core/error-catalogue.ts';
import type { Finding } from '../core/finding.ts';
import type { Product } from '../runtime/product.ts';
import { createProgram } from './program.ts';

let folder: string;
const topologyIn = (folder: string): object => ({
  kind: 'cluster',
  log: { kind: 'kafka', brokers: ['127.0.0.1:1'] },
  staging: { kind: 's3', bucket: 'b', region: 'r' },
  catalog: { kind: 'postgres', url: { file: join(folder, 'url') } },
  tables: { kind: 'postgres', url: { file: join(folder, 'url') } },
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-doctor-'));
  await writeFile(join(folder, 'url'), 'postgres://user:password@127.0.0.1:1/db');
  await writeFile(join(folder, 'topology.json'), JSON.stringify(topologyIn(folder)));
});
afterAll(() => rm(folder, { recursive: true }));

/** What the command prints about these findings; rejects with what it fails with. */
async function doctor(findings: readonly Finding[], stdout = new PassThrough()): Promise<string> {
  const product: Product = {
    version: '1.2.3',
    start: () => Promise.reject(new Error('not asked')),
    claimStores: async () => [],
    restore: async () => ({ at: '', version: '' }),
    migrate: () => Promise.reject(new Error('not asked for')),
    examineCluster: async () => [{ server: 'log (kafka)', findings }],
    openSourceTopic: () => Promise.reject(new Error('not asked')),
    extract: () => Promise.reject(new Error('not asked')),
    tryExtraction: () => Promise.reject(new Error('not asked')),
  };
  const [stdin, stderr] = [new PassThrough(), new PassThrough()];
  const terminal = { stdin, stdout, stderr, human: false, interactive: false, columns: 80 };
  const { signal } = new AbortController();
  const config = (overrides = {}): ReturnType<typeof parseConfig> => parseConfig(overrides, folder);
  const program = createProgram({ terminal, product, program: 'millrace', signal, config });
  await program.parseAsync(['doctor', '--topology', join(folder, 'topology.json')], { from: 'user' });
  return String(stdout.read());
}

const good: Finding = { kind: 'good', about: 'connection', text: 'One broker.' };
const bad: Finding = { kind: 'bad', about: 'clock', text: 'It is an hour ahead: correct it.' };

it('says what it found, and ends well where nothing is wrong', async () => {
  expect(await doctor([good])).toBe('log (kafka)\n  ✓ connection: One broker.\n\n');
});

it('advises what mends what is wrong, and not to look again at what it has just shown', async () => {
  const stdout = new PassThrough();
  await expect(doctor([good, bad], stdout)).rejects.toMatchObject({
    code: 'client.unfit',
    message: 'one thing is wrong',
  });
  expect(String(stdout.read())).toContain('  ✗ clock: It is an hour ahead: correct it.\n');
  const { action } = errorCatalogue['client.unfit'];
  expect(action).toContain('✗');
  expect(action).not.toContain('doctor');
});
