import { open, rename, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { sync } from '../durable.ts';
import { systemCode } from '../system-code.ts';

/** The heads of a table file: one for all, and two that checkpoints write by turns. */
const headBytes = 3 * 4096;

const chunkBytes = 1024 * 1024;

export function logOf(databasePath: string): string {
  return `${databasePath}.wal`;
}

/**
 * Makes durable what DuckDB will believe of a table file and its log, by writing it again. After a sync that failed, of
 * this process or of one before it, the system may show bytes and names that are on no disk, and takes them for
 * written: another sync would prove nothing. The blocks behind the head do not need it, since DuckDB syncs them before
 * it writes a head or a log that refers to them.
 *
 * The caller keeps others from the file by a lock. The lock is gone afterwards: closing a file gives up all locks of
 * the process on it.
 */
export async function writeAgain(databasePath: string): Promise<void> {
  const log = logOf(databasePath);
  // Where there is no log, an empty one takes the place of any that the disk may still have under this name.
  await (await open(log, 'a')).close();
  await rename(log, asideOf(log));
  await bringLogBack(databasePath);
  await writeFileAgain(log);
  await sync(dirname(log));
  await writeFileAgain(databasePath, headBytes);
}

/** A kill while the log was written again may have left it under its other name. */
export async function bringLogBack(databasePath: string): Promise<void> {
  const log = logOf(databasePath);
  try {
    await rename(asideOf(log), log);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}

function asideOf(log: string): string {
  return `${log}.aside`;
}

async function writeFileAgain(path: string, bytes = Infinity): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await copyOntoItself(file, bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function copyOntoItself(file: FileHandle, bytes: number): Promise<void> {
  const chunk = Buffer.alloc(Math.min(bytes, chunkBytes));
  for (let at = 0; at < bytes;) {
    const { bytesRead } = await file.read(chunk, 0, Math.min(chunk.length, bytes - at), at);
    if (bytesRead === 0) return;
    for (let written = 0; written < bytesRead;) {
      written += (await file.write(chunk, written, bytesRead - written, at + written)).bytesWritten;
    }
    at += bytesRead;
  }
}
