import { MillraceError } from '../../core/millrace-error.ts';

/**
 * Files that are open in this thread. The lock of DuckDB is one of the process, so it lets the same process open a file
 * twice, and two instances destroy it. State of the module, because it must hold across stores.
 */
const claimed = new Set<string>();

/** Keeps `path` for the caller until it calls the result. `data.locked` when it is taken. */
export function claimPath(path: string): () => void {
  if (claimed.has(path)) {
    throw new MillraceError('data.locked', `the table file "${path}" is in use by this process already`);
  }
  claimed.add(path);
  return () => claimed.delete(path);
}
