import { readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '../system-code.ts';
import { temporaryFolder } from './config.ts';

/**
 * Removes what nobody needs any more: temporary files of a process that ended in the middle of a put, and folders whose last
 * object was deleted. Nothing else may have the folder open: a put relies on the folder that it has made.
 */
export async function removeLeftovers(root: string): Promise<void> {
  const temporary = join(root, temporaryFolder);
  for (const name of await readdir(temporary)) await rm(join(temporary, name), { recursive: true, force: true });
  await removeEmptyFolders(root);
}

async function removeEmptyFolders(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory() || entry.name.startsWith('.')) continue;
    const path = join(folder, entry.name);
    await removeEmptyFolders(path);
    await removeIfEmpty(path);
  }
}

async function removeIfEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    if (systemCode(error) !== 'ENOTEMPTY' && systemCode(error) !== 'EEXIST') throw error;
  }
}
