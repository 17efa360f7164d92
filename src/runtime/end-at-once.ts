/**
 * Ends the process with this code whatever its threads do. An ordinary exit waits for every worker thread and for the threads
 * of the pool, and one that hangs in a driver keeps the process for ever; a program that takes the place of this one does not.
 */
export function endAtOnce(code: number): never {
  try {
    process.execve?.(process.execPath, [process.execPath, '-e', `process.exit(${code})`], {});
  } catch {
    // Where no program can take its place, only the signal is left.
  }
  process.kill(process.pid, 'SIGKILL');
  throw new Error('the process goes on after SIGKILL');
}
