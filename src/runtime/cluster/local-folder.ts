import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { MillraceError } from '../../core/millrace-error.ts';

/**
 * Makes a folder for the local slice files of this process below `parent`, and removes those that processes of this machine
 * left behind. The files are a cache of the log. `data.unusable` when it cannot be made.
 */
export function makeLocalFolder(parent: string, name: string): string {
  const folder = join(parent, `${process.pid}-${name}`);
  try {
    mkdirSync(parent, { recursive: true });
    for (const other of readdirSync(parent)) if (isLeftBehind(other)) rmSync(join(parent, other), { recursive: true });
    mkdirSync(folder);
    return folder;
  } catch (thrown) {
    throw new MillraceError('data.unusable', `the folder "${parent}" for local slice files cannot be used`, {
      cause: thrown,
    });
  }
}

function isLeftBehind(folder: string): boolean {
  const pid = Number(/^\d+(?=-)/.exec(folder)?.[0] ?? Number.NaN);
  if (Number.isNaN(pid)) return false;
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return false;
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'ESRCH';
  }
}
