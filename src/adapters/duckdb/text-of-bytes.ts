import { DuckDBBlobValue, type DuckDBValue } from '@duckdb/node-api';

/** The text of a value that was selected as `encode(text)`: of a text itself the driver drops a U+FEFF at the beginning. */
export function textOfBytes(value: DuckDBValue): string {
  return value instanceof DuckDBBlobValue ? Buffer.from(value.bytes).toString('utf8') : '';
}
