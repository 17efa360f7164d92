import { DuckDBBlobValue, type DuckDBValue } from '@duckdb/node-api';

/**
 * The text of a value that was selected as `encode(text)`: the driver drops a U+FEFF at the beginning of a plain text.
 */
export function textOfBytes(value: DuckDBValue): string {
  return value instanceof DuckDBBlobValue ? Buffer.from(value.bytes).toString('utf8') : '';
}
