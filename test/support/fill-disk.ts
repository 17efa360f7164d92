import { writeFileSync } from 'node:fs';

/** Writes until the disk takes no more. */
export function fill(path: string, megabytes: number): void {
  const chunk = Buffer.alloc(64 * 1024, 1);
  try {
    for (let written = 0; written < megabytes * 16; written += 1) writeFileSync(path, chunk, { flag: 'a' });
  } catch (thrown) {
    if (!String(thrown).includes('ENOSPC')) throw thrown;
  }
}
