import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readDeclarations } from './read-declarations.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-apply-'));
});

afterEach(() => rm(folder, { recursive: true }));

const write = (name: string, content: string): Promise<void> => writeFile(join(folder, name), content);

async function read(paths: readonly string[], stdin = ''): Promise<readonly string[]> {
  const { sources } = await readDeclarations(
    paths.map((path) => (path === '-' ? path : join(folder, path))),
    { stdin: Readable.from([stdin]) },
  );
  return sources.map(({ sourceId }) => sourceId);
}

it('files, the files of a folder and standard input are read together', async () => {
  await mkdir(join(folder, 'more'));
  await write('z.yaml', 'sources: { z: {} }');
  await write('more/b.yml', 'sources: { b: {} }\n---\nsources: { c: {} }');
  await write('more/a.json', '{ "sources": { "a": {} } }');
  await write('more/README.md', 'not read');
  expect(await read(['z.yaml', 'more', '-'], 'sources: { y: {} }')).toEqual(['a', 'b', 'c', 'y', 'z']);
});

it('D9: problems of all files are said at once, and a source is declared once', async () => {
  await write('a.yaml', 'sources:\n  shop: {}\n');
  await write('b.yaml', 'sources:\n  shop: {}\n  shop2: {}\n---\nsources:\n  shop2: {}\n');
  await write('c.yaml', 'source: {}');
  await expect(read(['a.yaml', 'b.yaml', 'c.yaml'])).rejects.toMatchObject({
    code: 'input.invalid',
    message: `Nothing was done, because of 4 problems:
- ${folder}/c.yaml:1: sources: is missing
- ${folder}/c.yaml:1: source: there is no such field; did you mean sources?
- ${folder}/b.yaml:2: sources.shop: is already declared at ${folder}/a.yaml:2
- ${folder}/b.yaml:6: sources.shop2: is already declared at ${folder}/b.yaml:3`,
  });
});

it('D9: a file that is not there and a folder without files are refused in words', async () => {
  await expect(read(['none.yaml'])).rejects.toMatchObject({
    code: 'input.invalid',
    message: /none.yaml" cannot be read/,
  });
  await expect(read(['.'])).rejects.toMatchObject({
    code: 'input.invalid',
    message: /holds no file that ends in .yaml/,
  });
});
