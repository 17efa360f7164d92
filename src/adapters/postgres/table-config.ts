import type { PostgresServerOptions } from './config.ts';

export interface PostgresTableOptions extends PostgresServerOptions {
  /** A folder for the temporary files of Parquet exports. */
  readonly tempDir: string;
  /** How long one load of all slices of an import may take; then the server rolls it back. Default 10 min. */
  readonly importTimeoutMs?: number;
  /** An import is given up when neither server nor staging moves a byte for so long. Default 60 s. */
  readonly progressTimeoutMs?: number;
  /** How long to wait for a table that somebody else has locked, for example to change it. Default 20 s. */
  readonly lockTimeoutMs?: number;
  /** How long the reader of an export may pause; until it is read, it keeps the database from cleaning up. Default 5 min. */
  readonly exportPauseMs?: number;
  /** What a Parquet export may use of this process while it lasts. Default 512 MiB. */
  readonly parquetMemoryBytes?: number;
}

export interface TableLimits {
  readonly importMs: number;
  readonly progressMs: number;
  readonly lockMs: number;
  readonly exportPauseMs: number;
  readonly parquetMemoryBytes: number;
}

export function tableLimits(options: PostgresTableOptions): TableLimits {
  return {
    importMs: options.importTimeoutMs ?? 600_000,
    progressMs: options.progressTimeoutMs ?? 60_000,
    lockMs: options.lockTimeoutMs ?? 20_000,
    exportPauseMs: options.exportPauseMs ?? 300_000,
    parquetMemoryBytes: options.parquetMemoryBytes ?? 512 * 1024 * 1024,
  };
}

/** Exports that run at once; each holds a connection for as long as its reader takes. */
export const exportsAtOnce = 4;
