import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openEnvironment } from './client.ts';

let path: string;

beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'millrace-format-'));
});
afterEach(() => rm(path, { recursive: true, force: true }));

const openAs = (format: number) => openEnvironment({ path, kind: 'log', format });

it('U4: a folder has the format of the newest release that has opened it, and older ones refuse it from then on', async () => {
  const key = Buffer.from([1]);
  const first = openAs(1);
  await first.put(key, Buffer.from('kept'));
  await first.close();
  await openAs(1).close();
  const newer = openAs(2);
  const refused = { code: 'data.newerFormat', details: { path, found: 2, supported: 1 } };
  expect(() => openAs(1)).toThrow(expect.objectContaining(refused));
  expect(Buffer.from(newer.getBinary(key) ?? []).toString()).toBe('kept');
  await newer.close();
  expect(() => openAs(1)).toThrow(expect.objectContaining(refused));
  await openAs(2).close();
});
