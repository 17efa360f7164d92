import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { scriptOptions } from '../support/script-options.ts';
import { deliverWith } from './deliver-with.ts';
import { packed } from './packed.ts';

const help = `npm run package [-- --npm 8,9,10,11] [--node FOLDER]

Makes the package, installs it with "npm install --global" of each version of npm into a folder of its own, and delivers an
event with what is installed.

  --npm VERSIONS   versions of npm, separated by commas (default: 8,9,10,11)
  --node FOLDER    folder of the Node to install and run with (default: the one that runs this)`;

const values = scriptOptions(help, { npm: { type: 'string', default: '8,9,10,11' }, node: { type: 'string' } });
process.exitCode = (await tryAll(values.npm.split(','), values.node)) ? 0 : 1;

async function tryAll(versions: readonly string[], node?: string): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-packages-'));
  let failed = 0;
  try {
    const tarball = await packed(folder);
    for (const version of versions) {
      const reason = await tryOne({ tarball, folder: join(folder, version), version, node });
      console.log(
        reason === undefined ? `npm ${version}: installed, and an event became a row` : `npm ${version}: ${reason}`,
      );
      if (reason !== undefined) failed += 1;
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  console.log(`\n${versions.length - failed} passed, ${failed} failed`);
  return failed === 0;
}

interface Trial {
  readonly tarball: string;
  readonly folder: string;
  readonly version: string;
  readonly node: string | undefined;
}

/** Undefined when it works, else why not. */
async function tryOne({ tarball, folder, version, node }: Trial): Promise<string | undefined> {
  const prefix = join(folder, 'prefix');
  await mkdir(prefix, { recursive: true });
  const path = [...(node === undefined ? [] : [node]), process.env['PATH'] ?? ''].join(':');
  const options = { cwd: folder, env: { ...process.env, PATH: path } };
  const install = ['install', '--global', '--prefix', prefix, '--no-audit', '--no-fund', tarball];
  try {
    await promisify(execFile)('npx', ['--yes', `npm@${version}`, ...install], options);
    const rows = await deliverWith({ program: [join(prefix, 'bin/millrace')], folder, path });
    return rows === '{"total":"21","twice":"42"}\n' ? undefined : `the table holds ${rows}`;
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
}
