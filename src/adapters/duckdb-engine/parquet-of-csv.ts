import { DuckDBInstance } from '@duckdb/node-api';
import { MillraceError } from '../../core/millrace-error.ts';
import { fromDuckDb } from './errors.ts';
import { interruptible } from './interruptible.ts';
import { readCsv } from './read-csv.ts';
import { identifier, literal } from './sql.ts';

export interface CsvToConvert {
  /** A file like those of staging: no header, every cell quoted. */
  readonly csvPath: string;
  readonly columns: readonly string[];
  /** How many lines it has; another count is an error. */
  readonly rows: number;
  readonly longestLineBytes: number;
  readonly parquetPath: string;
  readonly tempDir: string;
  readonly memoryLimitBytes: number;
  readonly signal: AbortSignal;
}

/** Writes the lines of a CSV file as a Parquet file of texts, on DuckDB's own thread. `table.unavailable` when it cannot. */
export async function parquetOfCsv(csv: CsvToConvert): Promise<void> {
  const { columns, rows, signal } = csv;
  const instance = await DuckDBInstance.create(':memory:', {
    threads: '1',
    memory_limit: `${csv.memoryLimitBytes}B`,
    temp_directory: csv.tempDir,
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  try {
    const connection = await instance.connect();
    const source = readCsv([csv.csvPath], { columnCount: columns.length, lineBytes: csv.longestLineBytes });
    const list = columns.map((column, at) => `c${at} AS ${identifier(column)}`).join(', ');
    const { rowsChanged } = await interruptible(connection, signal, () =>
      connection.run(
        `COPY (SELECT ${list} FROM ${source}) TO ${literal(csv.parquetPath)}
          (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 10240, USE_TMP_FILE false)`,
      ),
    );
    connection.closeSync();
    if (rowsChanged === rows) return;
    throw new MillraceError('internal.bug', `a Parquet file holds ${rowsChanged} rows of ${rows}`);
  } catch (thrown) {
    signal.throwIfAborted();
    throw fromDuckDb(thrown);
  } finally {
    instance.closeSync();
  }
}
