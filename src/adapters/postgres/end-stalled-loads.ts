import type { ClientBase } from 'pg';
import type { TableId } from '../../core/table-id.ts';
import { tableOf } from './table-names.ts';

/**
 * Ends loads into a table whose client has said nothing for longer than a load may take: a stopped process, which no time
 * limit of the server reaches in the middle of a COPY. Its transaction is rolled back. How many were ended; only those of the same user
 * can be.
 */
export async function endStalledLoads(
  client: ClientBase,
  { tableId, importMs }: { readonly tableId: TableId; readonly importMs: number },
): Promise<number> {
  const { rows } = await client.query<{ ended: boolean }>(
    `SELECT pg_terminate_backend(a.pid) AS ended
      FROM pg_catalog.pg_stat_activity a JOIN pg_catalog.pg_locks l USING (pid)
      WHERE l.relation = to_regclass($1) AND l.granted AND a.usename = current_user AND a.wait_event = 'ClientRead'
        AND a.query LIKE 'COPY %' AND a.query_start < clock_timestamp() - make_interval(secs => $2 / 1000.0)`,
    [tableOf(tableId), importMs],
  );
  return rows.filter(({ ended }) => ended).length;
}
