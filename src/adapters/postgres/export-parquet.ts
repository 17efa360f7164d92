import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { messageOf, MillraceError } from '../../core/millrace-error.ts';
import { parquetOfCsv } from '../duckdb-engine/parquet-of-csv.ts';
import { ordinaryLineBytes } from '../duckdb-engine/read-csv.ts';
import { CheckedCsv } from './checked-csv.ts';
import type { TextExport } from './export-table.ts';

export interface WantedParquet {
  /** A folder of this machine with room for the table, as CSV and as Parquet. */
  readonly tempDir: string;
  readonly memoryLimitBytes: number;
  readonly signal: AbortSignal;
}

/**
 * The lines of a CSV export as a Parquet file: they go to a temporary file, DuckDB writes the Parquet beside it. Both have
 * no name any more when the stream is given, so that they go with it. `input.invalid` for columns that Parquet's readers
 * cannot tell apart.
 */
export async function exportParquet({ columns, lines }: TextExport, wanted: WantedParquet): Promise<Readable> {
  const { memoryLimitBytes, signal } = wanted;
  try {
    refuseSameNames(columns);
    await mkdir(wanted.tempDir, { recursive: true });
    const tempDir = await mkdtemp(join(wanted.tempDir, 'parquet-'));
    try {
      const [csvPath, parquetPath] = [join(tempDir, 'rows.csv'), join(tempDir, 'rows.parquet')];
      const { rows, longestLineBytes: longest } = await spool(lines, csvPath);
      const longestLineBytes = Math.max(longest, ordinaryLineBytes);
      await parquetOfCsv({ csvPath, columns, rows, longestLineBytes, parquetPath, tempDir, memoryLimitBytes, signal });
      const file = await open(parquetPath, 'r');
      return file.createReadStream({ signal });
    } finally {
      await rm(tempDir, { recursive: true, force: true });
    }
  } catch (thrown) {
    lines.destroy();
    signal.throwIfAborted();
    if (thrown instanceof MillraceError) throw thrown;
    const reason = messageOf(thrown);
    throw new MillraceError('table.unavailable', `cannot write the Parquet file: ${reason}`, { cause: thrown });
  }
}

/** DuckDB would give the second one another name, and many readers of Parquet cannot tell them apart. */
function refuseSameNames(columns: readonly string[]): void {
  const seen = new Map<string, string>();
  for (const column of columns) {
    const same = seen.get(column.toLowerCase());
    if (same !== undefined) {
      const reason = `columns "${same}" and "${column}" differ in letter case only`;
      throw new MillraceError(
        'input.invalid',
        `the table cannot be a Parquet file: ${reason}; export it as CSV or NDJSON`,
      );
    }
    seen.set(column.toLowerCase(), column);
  }
}

/** Writes the lines into a file and measures them on the way. */
async function spool(lines: Readable, path: string): Promise<CheckedCsv> {
  const csv = new CheckedCsv(path);
  const measured = async function* (source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      csv.chunk(chunk);
      yield chunk;
    }
    csv.end();
  };
  await pipeline(lines, measured, createWriteStream(path));
  return csv;
}
