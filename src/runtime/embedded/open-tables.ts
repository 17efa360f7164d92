import type { DuckDbConfig } from '../../adapters/duckdb/config.ts';
import { openDuckDbTableStore, type DuckDbTables } from '../../adapters/duckdb/table-store.ts';
import type { Config } from '../../config/config.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { DataFolder } from './data-folder.ts';

/** Opens the tables of the folder, and with them its lock; `data.locked` when another process has them open. */
export async function openTables(
  folder: DataFolder,
  { memoryBytes, threads }: Config['tables'],
  observer: Pick<DuckDbConfig, 'onLogCut'> = {},
): Promise<DuckDbTables> {
  try {
    return await openDuckDbTableStore({
      path: folder.tables,
      threads,
      memoryLimitBytes: memoryBytes,
      tempDir: folder.temporary,
      ...observer,
    });
  } catch (thrown) {
    const error = MillraceError.fromUnknown(thrown);
    if (error.code !== 'data.locked') throw error;
    const message = `another process works on the data folder "${folder.path}": ${error.message}`;
    throw new MillraceError('data.locked', message, { cause: error });
  }
}
