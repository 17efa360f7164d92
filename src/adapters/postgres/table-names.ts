import { createHash } from 'node:crypto';
import { tableName, type TableId } from '../../core/table-id.ts';

/** What PostgreSQL keeps of an identifier, bytes; of a longer one it silently drops the rest. */
const identifierBytes = 63;
const hashDigits = 32;
const headBytes = identifierBytes - hashDigits - 1;

/** The last column of each table of ours: numbers in the order of loading, made by the database. */
export const orderColumn = 'millrace.order';

/** Names that every table of PostgreSQL has already. */
const systemColumns: readonly string[] = ['tableoid', 'xmin', 'cmin', 'xmax', 'cmax', 'ctid', orderColumn];

/** A name as an identifier of SQL, whatever characters it holds. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text as a literal of SQL, for a server with standard strings. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Name of the schema of a table id: `in.c-shop`. Different buckets have different names. */
export function schemaName(tableId: TableId): string {
  const { stage, bucket } = tableName(tableId);
  return storedName(`${stage}.${bucket}`);
}

/** Name of the table within its schema: `orders`. Different tables of a bucket have different names. */
export function relationName(tableId: TableId): string {
  return storedName(tableName(tableId).table);
}

/** Name that stands in the table for a column of the mapping; different columns have different names. */
export function storedColumn(column: string): string {
  return systemColumns.includes(column) ? hashedName(column) : storedName(column);
}

/** The table of a table id: `"in.c-shop"."orders"`. */
export function tableOf(tableId: TableId): string {
  return `${identifier(schemaName(tableId))}.${identifier(relationName(tableId))}`;
}

/**
 * The name itself where it fits; else its beginning, a `~` and 128 bits of its SHA-256. A name that looks like such a
 * one is hashed as well, so that it can never be the name of another.
 */
function storedName(name: string): string {
  const fits = Buffer.byteLength(name) <= identifierBytes;
  return fits && !/~[0-9a-f]{32}$/.test(name) ? name : hashedName(name);
}

function hashedName(name: string): string {
  const hash = createHash('sha256').update(name).digest('hex').slice(0, hashDigits);
  let head = '';
  let bytes = 0;
  for (const character of name) {
    bytes += Buffer.byteLength(character);
    if (bytes > headBytes) break;
    head += character;
  }
  return `${head}~${hash}`;
}
