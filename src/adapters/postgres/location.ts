import type { ClientBase } from 'pg';
import { tablesSchema } from './table-format.ts';

/**
 * Which database it is, as the server calls it: a pooler may have another name for it. The number of the server is no part of it, because
 * an upgrade of the server changes that; another server is told by the mark.
 */
export async function readLocation(client: ClientBase): Promise<string> {
  const { rows } = await client.query<{ database: string }>('SELECT current_database() AS database');
  return `database "${rows[0]?.database}", schema "${tablesSchema}"`;
}
