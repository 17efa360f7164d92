import { totalmem } from 'node:os';
import type { CutLog } from './torn-log.ts';

export interface DuckDbConfig {
  /** Absolute path of the database file; its write-ahead log stands beside it. */
  readonly path: string;
  /** Threads of DuckDB; 1 leaves the other cores to the stages and loads fastest for its memory. */
  readonly threads: number;
  /** What DuckDB may use at rest and for ordinary rows, bytes. */
  readonly memoryLimitBytes: number;
  /**
   * How far the limit is raised, while it lasts, for an operation that needs more: DuckDB works on 2,048 rows at a time, so
   * rows of 1 MB need gigabytes. Half of the memory of the machine or the container, at most 2 GiB, unless said.
   */
  readonly memoryCeilingBytes?: number;
  /** A folder for spilled rows, spooled content and exports; a folder `tables` in it holds nothing else once the store is open. */
  readonly tempDir: string;
  /** Is told of the torn end of a log that was cut off before the file was opened. */
  readonly onLogCut?: (cut: CutLog) => void;
}

/** The ceiling that holds: never below the ordinary limit. */
export function memoryCeiling(config: DuckDbConfig): number {
  const contained = process.constrainedMemory();
  const machine = contained > 0 ? Math.min(contained, totalmem()) : totalmem();
  return Math.max(
    config.memoryLimitBytes,
    config.memoryCeilingBytes ?? Math.min(2 * 1024 ** 3, Math.floor(machine / 2)),
  );
}

/** Name under which the file is attached; every statement names it. */
export const databaseName = 'store';

/** Rows of a row group, a multiple of 2,048. Small, because a load keeps one in memory and a checkpoint rewrites the last one. */
export const rowGroupRows = 10_240;

/** Size of the write-ahead log that makes a commit write it into the file: seldom enough for small imports, little to replay. */
export const checkpointThreshold = '32MiB';

/** Written into new files: an older DuckDB refuses them, and compression of texts is twice as fast as in the oldest format. */
export const storageVersion = 'v1.5.0';

/** Rows of an import that are so long on average are long: DuckDB works on 2,048 rows at a time, and has 64 MB of these in memory. */
export const longRowBytes = 32 * 1024;
