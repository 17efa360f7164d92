import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemCode } from './system-code.ts';

/** Makes the entries of a folder, or the content of a file, survive a power failure; answers how many bytes a file has. */
export async function sync(path: string): Promise<number> {
  const file = await open(path, 'r');
  try {
    const [{ size }] = await Promise.all([file.stat(), file.sync()]);
    return size;
  } finally {
    await file.close();
  }
}

/**
 * Makes the folder and what is missing above it. Every entry from `top` down to it is durable when it resolves, whoever made
 * it; so are those above `top` that it had to make.
 */
export async function makeFolder(folder: string, top: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true });
  const highest = made === undefined ? top.length : Math.min(top.length, dirname(made).length);
  for (let entry = folder; entry.length > highest; entry = dirname(entry)) await syncEntries(dirname(entry));
}

/** A folder that this process may not read is one of the machine's owner, who made its entries long ago. */
async function syncEntries(folder: string): Promise<void> {
  try {
    await sync(folder);
  } catch (error) {
    if (systemCode(error) !== 'EACCES') throw error;
  }
}
