import type { DuckDBConnection } from '@duckdb/node-api';

/** Runs statements of a connection; an abort interrupts the one that runs and rejects with the signal's reason. */
export async function interruptible<T>(
  connection: DuckDBConnection,
  signal: AbortSignal,
  statements: () => Promise<T>,
): Promise<T> {
  const interrupt = (): void => connection.interrupt();
  signal.throwIfAborted();
  signal.addEventListener('abort', interrupt, { once: true });
  try {
    return await statements();
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', interrupt);
  }
}
