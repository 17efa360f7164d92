import { link, rm } from 'node:fs/promises';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { identifier, literal } from '../duckdb-engine/sql.ts';
import { isOfLog } from '../duckdb-engine/errors.ts';
import { checkpointThreshold, databaseName, type DuckDbConfig } from './config.ts';
import { cutTornLogs } from './torn-log.ts';

export interface Attached {
  readonly instance: DuckDBInstance;
  readonly control: DuckDBConnection;
}

/** An instance with the file, and the connection that attached it. */
export async function attached(config: DuckDbConfig, memoryLimitBytes: number, options: string): Promise<Attached> {
  const instance = await DuckDBInstance.create(':memory:', {
    threads: String(config.threads),
    memory_limit: `${memoryLimitBytes}B`,
    temp_directory: config.tempDir,
    checkpoint_threshold: checkpointThreshold,
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    enable_external_file_cache: 'false',
  });
  try {
    const control = await instance.connect();
    await control.run(`ATTACH ${literal(config.path)} AS ${identifier(databaseName)} (${options})`);
    return { instance, control };
  } catch (error) {
    instance.closeSync();
    throw error;
  }
}

/** Nobody else writes the file while it is attached so. DuckDB has read its log then, if need be without a torn end. */
export async function attachedToRead(config: DuckDbConfig, memoryLimitBytes: number): Promise<Attached> {
  try {
    return await attached(config, memoryLimitBytes, 'READ_ONLY');
  } catch (error) {
    if (!isOfLog(error)) throw error;
    const cuts = await withoutLog(config, memoryLimitBytes, () => cutTornLogs(config.path));
    if (cuts.length === 0) throw error;
    for (const cut of cuts) config.onLogCut?.(cut);
    return await attached(config, memoryLimitBytes, 'READ_ONLY');
  }
}

/**
 * Runs a task while nobody else writes the file, whatever its log is like: DuckDB finds no log when the same file is
 * opened under another name.
 */
export async function withoutLog<T>(
  config: DuckDbConfig,
  memoryLimitBytes: number,
  task: () => Promise<T>,
): Promise<T> {
  const path = `${config.path}.without-log`;
  await rm(path, { force: true });
  await link(config.path, path);
  try {
    const { instance, control } = await attached({ ...config, path }, memoryLimitBytes, 'READ_ONLY');
    return await task().finally(() => close(instance, [control]));
  } finally {
    await rm(path, { force: true });
  }
}

export function close(instance: DuckDBInstance, connections: readonly DuckDBConnection[]): void {
  for (const connection of connections) connection.closeSync();
  instance.closeSync();
}
