import { statfsSync } from 'node:fs';

/** A disk with less than this is full for every purpose; a failed commit leaves no more than a few pages. */
const leastFreeBytes = 1024 * 1024;

const inputOutputError = 5;

/**
 * True when a commit that failed with an input or output error failed because the disk was full: LMDB reports ENOSPC
 * only for a write that the disk refused as a whole, and EIO for one that it took in part.
 */
export function isShortWriteOnFullDisk(reason: unknown, path: string): boolean {
  if (!(reason instanceof Error) || !('code' in reason) || reason.code !== inputOutputError) return false;
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize < leastFreeBytes;
  } catch {
    return false;
  }
}
