import { open } from 'node:fs/promises';
import { systemCode } from '../system-code.ts';
import { wholeBytesOf } from './whole-log.ts';
import { logOf } from './write-again.ts';

/** The end of a log that was cut off. */
export interface CutLog {
  readonly path: string;
  readonly bytes: number;
}

/**
 * Cuts what stands behind the last whole entry from the logs that DuckDB reads when it opens a file, and makes that
 * durable. A loss of power leaves such an end where the disk has written some of the unsynced bytes and not others.
 * Nobody was told of them: an answer waits for the sync of the log. DuckDB itself cuts an end that is too short, and
 * refuses one with a hole.
 *
 * The caller keeps other processes from the file.
 */
export async function cutTornLogs(databasePath: string): Promise<readonly CutLog[]> {
  const log = logOf(databasePath);
  const cuts = await Promise.all([log, `${log}.checkpoint`].map(cutTornLog));
  return cuts.filter(({ bytes }) => bytes > 0);
}

async function cutTornLog(path: string): Promise<CutLog> {
  try {
    await using file = await open(path, 'r+');
    const { size } = await file.stat();
    const whole = wholeBytesOf(path);
    if (whole === size) return { path, bytes: 0 };
    await file.truncate(whole);
    await file.sync();
    return { path, bytes: size - whole };
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return { path, bytes: 0 };
    throw error;
  }
}
