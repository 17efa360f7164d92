import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { checkpointThreshold, databaseName, rowGroupRows, storageVersion, type DuckDbConfig } from './config.ts';
import { identifier, literal } from './sql.ts';

export type LaneName = 'write' | 'read' | 'export';
type Connections = Readonly<Record<LaneName | 'control', DuckDBConnection>>;

/** The opened file with one connection a lane, and one that changes settings meanwhile. */
export class Session {
  readonly #instance: DuckDBInstance;
  readonly #connections: Connections;
  #users = 0;
  #retired = false;
  readonly #closed = Promise.withResolvers<void>();

  private constructor(instance: DuckDBInstance, connections: Connections) {
    this.#instance = instance;
    this.#connections = connections;
  }

  /**
   * Opens or makes the file under `memoryLimitBytes`; rejects with what DuckDB throws. The file is attached to an instance in
   * memory, because only an attachment takes a row group size.
   */
  static async open(config: DuckDbConfig, memoryLimitBytes: number): Promise<Session> {
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
      await control.run(
        `ATTACH ${literal(config.path)} AS ${identifier(databaseName)}
          (ROW_GROUP_SIZE ${rowGroupRows}, STORAGE_VERSION ${literal(storageVersion)})`,
      );
      const write = await instance.connect();
      const read = await instance.connect();
      return new Session(instance, { control, write, read, export: await instance.connect() });
    } catch (error) {
      instance.closeSync();
      throw error;
    }
  }

  /** Runs a task on the connection of a lane; the session stays open until it settles. */
  async use<T>(lane: LaneName, task: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    this.#users += 1;
    try {
      return await task(this.#connections[lane]);
    } finally {
      this.#users -= 1;
      this.#closeWhenUnused();
    }
  }

  /** Writes the log into the file, so that the next start has nothing to replay. */
  async checkpoint(): Promise<void> {
    await this.#connections.control.run(`CHECKPOINT ${identifier(databaseName)}`);
  }

  async limitMemory(bytes: number): Promise<void> {
    await this.#connections.control.run(`SET memory_limit = '${bytes}B'`);
  }

  /** Takes no further task; resolves when the last one has settled and the file is released. Idempotent. */
  async retire(): Promise<void> {
    this.#retired = true;
    this.#closeWhenUnused();
    await this.#closed.promise;
  }

  #closeWhenUnused(): void {
    if (!this.#retired || this.#users > 0) return;
    for (const connection of Object.values(this.#connections)) connection.closeSync();
    this.#instance.closeSync();
    this.#closed.resolve();
  }
}
