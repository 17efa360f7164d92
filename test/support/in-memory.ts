import { mkdirSync, readdirSync, rmSync, statfsSync, type StatsFs } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';
const prefix = 'millrace-tests-';
/** So much is left alone for the tests themselves and the servers that they start. */
const neededBytes = 8 * 1024 ** 3;

/**
 * The temporary folders of all tests lie in memory where there is enough of it (Linux): on a busy disk half of a test's time
 * is spent in waiting for its sync. What a loss of power takes is the business of `test/chaos/power`, which notes each sync, on any disk.
 * With MILLRACE_TEST_ON_DISK=true they lie where TMPDIR says.
 */
export function setup(): (() => void) | undefined {
  if (process.env['MILLRACE_TEST_ON_DISK'] === 'true' || !hasRoom()) return undefined;
  removeLeftovers();
  const folder = join(memory, `${prefix}${process.pid}`);
  mkdirSync(folder);
  process.env['TMPDIR'] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

function hasRoom(): boolean {
  const disk = statfs(memory);
  return disk !== undefined && disk.bavail * disk.bsize > neededBytes && freemem() > neededBytes;
}

function statfs(path: string): StatsFs | undefined {
  try {
    return statfsSync(path);
  } catch {
    return undefined;
  }
}

/** Of runs that were killed. A disk that such a run left mounted keeps its folder, and no other run from beginning. */
function removeLeftovers(): void {
  for (const name of readdirSync(memory)) {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length)) : undefined;
    if (pid !== undefined && !isAlive(pid)) removeIfFree(join(memory, name));
  }
}

function removeIfFree(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (thrown) {
    console.warn(`left where it is: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EPERM';
  }
}
