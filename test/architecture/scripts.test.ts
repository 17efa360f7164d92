import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const { scripts } = JSON.parse(await readFile(new URL('package.json', root), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};
/** Those that are files of ours, by their names. */
const own = Object.entries(scripts).flatMap(([name, line]) => {
  const file = /^node (?:--\S+ )*(?<file>test\/\S+)(?: --check)?$/.exec(line)?.groups?.['file'];
  return file === undefined ? [] : [[name, file] as const];
});

it('every script of ours has its help, which says how it is called', async () => {
  expect(own.length).toBeGreaterThan(10);
  for (const [name, file] of own) {
    const text = await readFile(new URL(file, root), 'utf8');
    expect([name, /script(?:Options|Arguments)\(\s*help,/.test(text)]).toEqual([name, true]);
    const called = `npm run ${name.replace(/^check:/, '')}`;
    expect([name, text.includes(`const help = \`${called}`)]).toEqual([name, true]);
  }
});

it('--help does nothing else, and an unknown option is named with those that there are', () => {
  const run = (option: string) =>
    spawnSync(process.execPath, ['test/client/run.ts', option], { cwd: root, encoding: 'utf8' });
  expect(run('--help')).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^npm run client -- \[--check\]\n[^]*stale\n$/) as string,
  });
  expect(run('--helpp')).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/'--helpp'[^]*npm run client/) as string,
  });
});

it('what `npm run check` runs are checks by their names, which is how .ci/run finds them', () => {
  for (const command of scripts['check']?.split(' && ') ?? ['']) expect(command).toMatch(/^npm run check:[a-z]+$/);
});

/** Its own test is short. */
const choice = 'test/chaos/some-of.test.ts';

it('`npm run test:long` runs every test that has a longer form than each run has time for', async () => {
  const long: string[] = [];
  for (const file of globSync('{src,test}/**/*.test.ts', { cwd: root })) {
    const text = await readFile(new URL(file, root), 'utf8');
    if (/from '.*\/(long-tests|some-of)\.ts'/.test(text) && file !== choice) long.push(file);
  }
  expect(scripts['test:long']?.split(' ').filter((word) => word.endsWith('.ts'))).toEqual(long.toSorted());
});
