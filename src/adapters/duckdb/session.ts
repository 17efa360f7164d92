import { existsSync } from 'node:fs';
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { identifier, literal } from '../duckdb-engine/sql.ts';
import { attached, attachedToRead, close } from './attached.ts';
import { databaseName, rowGroupRows, storageVersion, type DuckDbConfig } from './config.ts';
import { LogEntry } from './log-entry.ts';
import { hasLongRows, stopMerging } from './long-rows.ts';
import { bringLogBack, writeAgain } from './write-again.ts';

export type LaneName = 'write' | 'read' | 'export';
type Connections = Readonly<Record<LaneName | 'control', DuckDBConnection>>;

/** The opened file with one connection a lane, and one that changes settings meanwhile. */
export class Session {
  readonly #instance: DuckDBInstance;
  readonly #connections: Connections;
  readonly #logEntry: LogEntry;
  #users = 0;
  #isClosing = false;
  readonly #closed = Promise.withResolvers<void>();

  private constructor(instance: DuckDBInstance, connections: Connections, logEntry: LogEntry) {
    this.#instance = instance;
    this.#connections = connections;
    this.#logEntry = logEntry;
  }

  /**
   * Opens or makes the file under `memoryLimitBytes`; rejects with what DuckDB throws. What DuckDB believes of a file that is there is
   * written again first, and a torn end of its log is cut. Without `merges` row groups stay as they are.
   * The file is attached to an instance in memory, because only an attachment takes a row group size.
   */
  static async open(config: DuckDbConfig, memoryLimitBytes: number, merges: boolean): Promise<Session> {
    await bringLogBack(config.path);
    if (existsSync(config.path)) {
      const { instance, control } = await attachedToRead(config, memoryLimitBytes);
      await writeAgain(config.path).finally(() => close(instance, [control]));
    }
    const layout = `ROW_GROUP_SIZE ${rowGroupRows}, STORAGE_VERSION ${literal(storageVersion)}`;
    const { instance, control } = await attached(config, memoryLimitBytes, layout);
    if (!merges || (await hasLongRows(control))) await stopMerging(control);
    const write = await instance.connect();
    const read = await instance.connect();
    const connections = { control, write, read, export: await instance.connect() };
    return new Session(instance, connections, new LogEntry(config.path));
  }

  /** True once nobody can say whether what it shows is on the disk. */
  get isDoubtful(): boolean {
    return this.#logEntry.hasFailed;
  }

  /** Runs a task on the connection of a lane; the session stays open until it settles. */
  async use<T>(lane: LaneName, task: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    this.#users += 1;
    try {
      const result = await task(this.#connections[lane]);
      // @NOTE readers too: what they answer from may be a commit whose entry is not durable yet
      if (lane !== 'export') await this.#logEntry.sync();
      return result;
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
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#closeWhenUnused();
    await this.#closed.promise;
  }

  #closeWhenUnused(): void {
    if (!this.#isClosing || this.#users > 0) return;
    close(this.#instance, Object.values(this.#connections));
    this.#closed.resolve();
  }
}
