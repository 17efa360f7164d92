import { mkdir, open, rmdir } from 'node:fs/promises';
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
 * Makes the folder and what is missing above it. Every entry from `top` down to it is durable when it resolves, whoever
 * made it; so are those above `top` that it had to make. When that fails, it removes what it made, so that the next
 * call makes it anew: after a failed sync another one would prove nothing about the entries that are there.
 */
export async function makeFolder(folder: string, top: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true });
  const highest = made === undefined ? top.length : Math.min(top.length, dirname(made).length);
  try {
    for (let entry = folder; entry.length > highest; entry = dirname(entry)) await syncEntries(dirname(entry));
  } catch (error) {
    if (made !== undefined) await removeEmpty(folder, dirname(made));
    throw error;
  }
}

/** Removes the folder and those above it up to `top`, as far as nothing is in them. */
async function removeEmpty(folder: string, top: string): Promise<void> {
  try {
    for (let entry = folder; entry.length > top.length; entry = dirname(entry)) await rmdir(entry);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(systemCode(error) ?? '')) throw error;
  }
}

/** A folder that this process may not read belongs to the owner of the machine, who made its entries long ago. */
async function syncEntries(folder: string): Promise<void> {
  try {
    await sync(folder);
  } catch (error) {
    if (systemCode(error) !== 'EACCES') throw error;
  }
}
