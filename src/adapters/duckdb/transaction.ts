import type { DuckDBConnection } from '@duckdb/node-api';

/** Commits what `statements` did, or takes all of it back when it rejects. */
export async function transaction<T>(connection: DuckDBConnection, statements: () => Promise<T>): Promise<T> {
  await connection.run('BEGIN');
  try {
    const result = await statements();
    await connection.run('COMMIT');
    return result;
  } catch (error) {
    // @NOTE a failed commit has ended the transaction already; the first error is the one that counts
    await connection.run('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
