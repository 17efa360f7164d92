import { createHash } from 'node:crypto';
import { existsSync, globSync, statSync } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { output, product, settings } from '../../rolldown.config.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const builds = join(root, 'node_modules/.cache/millrace');

/** The product's entries, and those by which tests start it in another way. */
const entries = {
  ...product,
  victim: 'test/chaos/victim.ts',
  'victim-thread': 'test/chaos/victim-thread.ts',
  'failing-listener-thread': 'test/support/failing-listener-thread.ts',
  'hanging-process': 'test/support/hanging-process.ts',
  'hanging-thread': 'test/support/hanging-thread.ts',
  'quick-sampling-process': 'test/support/quick-sampling-process.ts',
} as const;

export type Entry = keyof typeof entries;

/** A build that is older belongs to no run: its sources have changed since. */
const keptMs = 24 * 3_600_000;

let built: Promise<string> | undefined;

/**
 * The file that runs an entry, built of the sources of this moment as `npm run build` does it. So the tests start what is shipped, and
 * a process costs half the processor time. The first of all test processes builds.
 */
export async function builtEntry(entry: Entry): Promise<string> {
  built ??= build();
  return join(await built, `${entry}.js`);
}

async function build(): Promise<string> {
  const folder = join(builds, fingerprint());
  if (existsSync(folder)) return folder;
  const own = `${folder}.${process.pid}`;
  await using bundle = await rolldown({ ...settings, cwd: root, input: entries, logLevel: 'silent' });
  await bundle.write({ ...output, dir: own });
  try {
    await rename(own, folder);
  } catch (thrown) {
    await rm(own, { recursive: true });
    // Another process may have been first. Its files are the same.
    if (!existsSync(folder)) throw thrown;
  }
  await removeOld();
  return folder;
}

/** Another one after each change of a file that a build may hold. */
function fingerprint(): string {
  const files = globSync(['src/**/*.ts', 'test/{chaos,support}/**/*.ts', 'rolldown.config.ts'], { cwd: root });
  const hash = createHash('sha256');
  for (const file of files.toSorted()) {
    const { mtimeMs, size } = statSync(join(root, file));
    hash.update(`${file} ${mtimeMs} ${size}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}

async function removeOld(): Promise<void> {
  for (const name of await readdir(builds)) {
    const folder = join(builds, name);
    // Undefined: another process has just given it its name.
    const found = await stat(folder).catch(() => undefined);
    if (found !== undefined && Date.now() - found.mtimeMs > keptMs) await rm(folder, { recursive: true, force: true });
  }
}
