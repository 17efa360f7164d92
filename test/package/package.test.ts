import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { deliverWith } from './deliver-with.ts';
import { packed, unpacked } from './packed.ts';

let folder: string;
/** Below `node_modules`, where Node strips no types. */
let installed: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-package-'));
  installed = await unpacked(await packed(folder), folder);
  await symlink(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(installed, 'node_modules'));
});

afterAll(() => rm(folder, { recursive: true }));

const launcher = (): string => join(installed, 'bin/millrace.cjs');

it('holds what runs, what it needs beside it, and nothing else', () => {
  const files = globSync('**/*', { cwd: installed, exclude: ['node_modules'] });
  const kinds = new Set(files.filter((file) => statSync(join(installed, file)).isFile()).map(kindOf));
  expect([...kinds].toSorted()).toEqual(
    [
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'bin/*.cjs',
      'dist/*.js',
      'dist/*.map',
      'docs/*.md',
      'package.json',
      'topologies/*.yaml',
    ].toSorted(),
  );
  for (const entry of ['main', 'thread-entry', 'trial-entry', 'watchdog-entry'])
    expect(existsSync(join(installed, `dist/${entry}.js`)), entry).toBe(true);
  const { bin, dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    readonly bin: Readonly<Record<string, string>>;
    readonly dependencies: Readonly<Record<string, string>>;
  };
  expect(bin).toEqual({ millrace: 'bin/millrace.cjs' });
  expect(Object.keys(dependencies)).not.toContain('node');
});

function kindOf(file: string): string {
  return file.includes('/') ? file.replace(/\/.*(?=\.\w+$)/, '/*') : file;
}

it('holds each page of guides and specification that it names', () => {
  const texts = globSync(['dist/*.js', 'bin/*.cjs', 'topologies/*.yaml', 'README.md', 'CHANGELOG.md'], {
    cwd: installed,
  }).map((file) => readFileSync(join(installed, file), 'utf8'));
  const named = new Set(texts.flatMap((text) => text.match(/\bdocs\/(?:guides|spec)\/[\w-]+\.md\b/g) ?? []));
  expect([...named]).toEqual(expect.arrayContaining(['docs/spec/topology.md', 'docs/spec/configuration.md']));
  for (const page of named) expect(existsSync(join(installed, page)), page).toBe(true);
});

it('says of a page where it is, as seen from the folder where the command works', () => {
  const { stdout } = spawnSync(process.execPath, [launcher(), 'start', '--help'], { encoding: 'utf8', cwd: folder });
  const shown = stdout.match(/\S+docs\/spec\/\w+\.md/g) ?? [];
  expect(shown).toEqual(['topology', 'configuration'].map((page) => `node_modules/millrace/docs/spec/${page}.md`));
  for (const page of shown) expect(existsSync(join(folder, page)), page).toBe(true);
});

it('runs from where npm installs it, with its threads: an event becomes a row', async () => {
  const rows = await deliverWith({ program: [process.execPath, launcher()], folder });
  expect(rows).toBe('{"total":"21","twice":"42"}\n');
});

it('D9: an older Node is told in one sentence, and is not asked to read more than it can', async () => {
  const older = join(folder, 'older.cjs');
  await writeFile(older, `Object.defineProperty(process.versions, 'node', { value: '4.9.1' });\n`);
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--require', older, launcher(), 'start'], {
    encoding: 'utf8',
  });
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(/^millrace: Node 4\.9\.1 is too old: Millrace needs Node 22\.19\.0 or newer\.\n/);
  // What came after ECMAScript 5 would be an error of syntax there.
  expect(readFileSync(launcher(), 'utf8')).not.toMatch(/=>|`|^\s*(?:const|let|class|import)\b/m);
});
