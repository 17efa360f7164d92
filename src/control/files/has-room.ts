import { statfs } from 'node:fs/promises';
import { limits } from '../../core/limits.ts';

/** True when the disk of a folder has room for so many bytes, and what stays free for whoever else writes to it. */
export async function hasRoom(folder: string, bytes = 0): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize >= limits.diskReserveBytes + bytes;
}
