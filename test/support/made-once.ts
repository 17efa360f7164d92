import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { onlyOne } from './only-one.ts';

/** How long the first use may take on a slow machine: programs are fetched, or built from source. */
export const makingMs = 900_000;

/** Of the user, outside the checkout. */
export const cacheFolder = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'millrace');

/**
 * Path of a file or folder in the cache, made there when it is missing; others who want it meanwhile wait. `make` gets a folder to work
 * in, which goes afterwards, and says what in it is to be kept.
 */
export async function madeOnce(name: string, make: (work: string) => Promise<string>): Promise<string> {
  const path = join(cacheFolder, name);
  if (await isThere(path)) return path;
  await mkdir(cacheFolder, { recursive: true });
  await using _lock = await onlyOne(`${path}.lock`, { withinMs: makingMs });
  if (await isThere(path)) return path;
  const work = await mkdtemp(join(cacheFolder, 'making-'));
  try {
    await rename(join(work, await make(work)), path);
    return path;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

export async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
