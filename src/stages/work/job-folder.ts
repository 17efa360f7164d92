import { mkdir, rm } from 'node:fs/promises';
import { diskFault } from './job-disk.ts';

/** Makes a folder without anything in it, and answers its path. `JobFault` where the disk does not take it. */
export async function makeFolder(path: string): Promise<string> {
  try {
    await removeFolder(path);
    await mkdir(path, { recursive: true });
  } catch (thrown) {
    throw diskFault(thrown);
  }
  return path;
}

/** Does nothing when there is none. */
export async function removeFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
}
