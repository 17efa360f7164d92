import { tableName, type TableId } from '../../core/table-id.ts';
import { identifier } from '../duckdb-engine/sql.ts';
import { databaseName } from './config.ts';

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
