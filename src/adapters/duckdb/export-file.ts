import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { TableId } from '../../core/table-id.ts';
import type { ExportFormat } from '../../ports/table-pages.ts';
import { interruptible } from '../duckdb-engine/interruptible.ts';
import { literal } from '../duckdb-engine/sql.ts';
import { tableOf } from './table-sql.ts';
import { describedTable } from './table-catalog.ts';

const formats: Readonly<Record<ExportFormat, string>> = {
  csv: `FORMAT csv, HEADER true, DELIMITER ',', QUOTE '"', ESCAPE '"', FORCE_QUOTE *, NULLSTR ''`,
  ndjson: 'FORMAT json, ARRAY false',
  parquet: 'FORMAT parquet, COMPRESSION zstd',
};

/**
 * Writes the table into a file of `folder` and gives its content; the file has no name any more then, so that it goes with
 * the stream. DuckDB writes it on its own thread: a snapshot is held as long as that takes, not as long as a client reads.
 */
export async function exportFile(
  connection: DuckDBConnection,
  folder: string,
  { tableId, format, signal }: { tableId: TableId; format: ExportFormat; signal: AbortSignal },
): Promise<Readable> {
  const path = join(folder, `${randomUUID()}.${format}`);
  try {
    await interruptible(connection, signal, async () => {
      await describedTable(connection, tableId);
      await connection.run(
        `COPY (SELECT * FROM ${tableOf(tableId)}) TO ${literal(path)} (${formats[format]}, USE_TMP_FILE false)`,
      );
    });
    const file = await open(path, 'r');
    return file.createReadStream({ signal });
  } finally {
    await rm(path, { force: true });
  }
}
