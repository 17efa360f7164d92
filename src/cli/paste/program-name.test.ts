import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { programName } from './program-name.ts';

let folder: string;
/** The package as a clone has it. */
let clone: string;
let entry: string;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'millrace-name-')));
  clone = await packageIn(join(folder, 'clone'));
  entry = join(clone, 'src/main.ts');
});

afterEach(() => rm(folder, { recursive: true }));

async function packageIn(root: string): Promise<string> {
  await mkdir(join(root, 'src'), { recursive: true });
  await writeFile(join(root, 'package.json'), '{"name":"millrace","bin":{"millrace":"src/main.ts"}}');
  await writeFile(join(root, 'src/main.ts'), '');
  return root;
}

async function linked(from: string, to: string): Promise<string> {
  await mkdir(dirname(from), { recursive: true });
  await symlink(to, from);
  return dirname(from);
}

const named = (started: { readonly entry?: string; readonly workingDir?: string; readonly path?: string }): string =>
  programName({ entry, node: '/opt/node 24/node', workingDir: folder, path: '/usr/bin', ...started });

test('in a clone, and below it, it is npx', async () => {
  expect(named({ workingDir: clone })).toBe('npx millrace');
  expect(named({ workingDir: join(clone, 'src') })).toBe('npx millrace');
});

test('where the shell finds it, it is its name; a folder that npm puts in front does not count', async () => {
  const bin = await linked(join(folder, 'bin/millrace'), entry);
  expect(named({ path: `/usr/bin:${bin}` })).toBe('millrace');
  const ofNpm = await linked(join(folder, 'project/node_modules/.bin/millrace'), entry);
  expect(named({ path: ofNpm, workingDir: join(folder, 'project') })).toBe('npx millrace');
});

test('another program of that name is not this one', async () => {
  const other = await packageIn(join(folder, 'other'));
  const bin = await linked(join(folder, 'bin/millrace'), join(other, 'src/main.ts'));
  expect(named({ path: bin, workingDir: clone })).toBe('npx millrace');
  expect(named({ workingDir: other })).toBe(`'/opt/node 24/node' ${entry}`);
});

test('from elsewhere it is its file, and from the cache of npx the package', async () => {
  expect(named({})).toBe(`'/opt/node 24/node' ${entry}`);
  const cached = await packageIn(join(folder, '.npm/_npx/0123/node_modules/millrace'));
  expect(named({ entry: join(cached, 'src/main.ts') })).toBe('npx millrace');
});
