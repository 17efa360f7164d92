import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onlyOne } from './only-one.ts';

const run = promisify(execFile);

/** How long the first start of a server may take on a slow machine: it is built from source. */
export const buildMs = 900_000;

/** A program that Go builds from a module. */
export interface GoProgram {
  readonly name: string;
  /** Path of its package; the last part that is not a version names the file that go makes. */
  readonly module: string;
  readonly version: string;
}

/** True when the program is built already, or there is a go that can build it. */
export async function canHave(program: GoProgram): Promise<boolean> {
  if (await isThere(pathOf(program))) return true;
  return run('go', ['version']).then(
    () => true,
    () => false,
  );
}

/** Path of the program, built once by go; others who want it meanwhile wait. */
export async function builtProgram(program: GoProgram): Promise<string> {
  const path = pathOf(program);
  if (await isThere(path)) return path;
  await mkdir(cacheFolder(), { recursive: true });
  await using _lock = await onlyOne(`${path}.lock`, { withinMs: buildMs });
  if (await isThere(path)) return path;
  const work = await mkdtemp(join(cacheFolder(), 'building-'));
  try {
    await run('go', ['install', `${program.module}@${program.version}`], { env: { ...process.env, GOBIN: work } });
    const file = program.module.split('/').findLast((part) => !/^v\d+$/.test(part)) ?? '';
    await rename(join(work, file), path);
    return path;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** In a cache of the user, outside the checkout. */
function cacheFolder(): string {
  return join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'millrace');
}

function pathOf({ name, version }: GoProgram): string {
  return join(cacheFolder(), `${name}-${version}`);
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
