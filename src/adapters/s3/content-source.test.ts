import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openContent } from './content-source.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-content-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('gives any range of a file, to several readers at once', async () => {
  const path = join(folder, 'file');
  const bytes = randomBytes(100_000);
  await writeFile(path, bytes);
  await using source = await openContent({ kind: 'file', path });
  expect(source.bytes).toBe(100_000);
  const [one, other] = [source.reader(), source.reader()];
  const [end, begin] = await Promise.all([one(60_000, 100_000), other(0, 60_000)]);
  expect(Buffer.concat([begin, end]).equals(bytes)).toBe(true);
  expect(Buffer.from(await one(10, 20)).equals(bytes.subarray(10, 20))).toBe(true);
});

it('a file that is missing, or was made shorter, is objects.unavailable and not a shorter object', async () => {
  const path = join(folder, 'file');
  await expect(openContent({ kind: 'file', path })).rejects.toMatchObject({ code: 'objects.unavailable' });
  await writeFile(path, 'content');
  await using source = await openContent({ kind: 'file', path });
  await truncate(path, 3);
  await expect(source.reader()(0, 7)).rejects.toMatchObject({
    code: 'objects.unavailable',
    message: expect.stringContaining('it ends at 3 bytes') as unknown,
  });
});
