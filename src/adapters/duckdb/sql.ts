import { tableName, type TableId } from '../../core/table-id.ts';
import { databaseName } from './config.ts';

/** A name as an identifier of SQL, whatever characters it holds. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text as a literal of SQL. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The schema of a table id: `"store"."in.c-shop"`. */
export function schemaOf(tableId: TableId): string {
  return `${identifier(databaseName)}.${identifier(schemaName(tableId))}`;
}

/** The table of a table id: `"store"."in.c-shop"."orders"`. */
export function tableOf(tableId: TableId): string {
  return `${schemaOf(tableId)}.${identifier(tableName(tableId).table)}`;
}

export function schemaName(tableId: TableId): string {
  const { stage, bucket } = tableName(tableId);
  return `${stage}.${bucket}`;
}
