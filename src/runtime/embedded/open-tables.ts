import { openDuckDbTableStore } from '../../adapters/duckdb/table-store.ts';
import type { Config } from '../../config/config.ts';
import type { TableStore } from '../../ports/table-store.ts';
import type { DataFolder } from './data-folder.ts';

/** Opens the tables of the folder; `data.locked` when another process has them open. */
export function openTables(folder: DataFolder, { memoryBytes, threads }: Config['tables']): Promise<TableStore> {
  return openDuckDbTableStore({
    path: folder.tables,
    threads,
    memoryLimitBytes: memoryBytes,
    tempDir: folder.temporary,
  });
}
