import { usualThreads } from './usual-threads.ts';

/**
 * Threads that Node shares among files, commits of the log and DuckDB's work. Each writing thread of the product may hold one for a
 * whole commit, so Node's own default of four would make them wait for each other. Has to be called before the pool is
 * first used; an operator's UV_THREADPOOL_SIZE wins.
 */
export function widenThreadPool(asked = Number(process.env['MILLRACE_THREADS'])): void {
  const threads = Number.isInteger(asked) && asked > 0 ? asked : usualThreads();
  process.env['UV_THREADPOOL_SIZE'] ??= String(12 + 4 * threads);
}
