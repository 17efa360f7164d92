import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { sync } from '../durable.ts';
import { systemCode } from '../system-code.ts';

/**
 * The folder's entry for DuckDB's write-ahead log. DuckDB syncs the log at each commit, but removes it at a checkpoint and
 * makes another with the next commit, without a sync of the folder: a loss of power could take the whole log.
 */
export class LogEntry {
  readonly #path: string;
  #synced: string | undefined;

  constructor(databasePath: string) {
    this.#path = `${databasePath}.wal`;
  }

  /** Resolves when the log that is there now will be found after a loss of power. Costs one look when it is the known one. */
  async sync(): Promise<void> {
    const identity = await this.#identity();
    if (identity !== undefined && identity !== this.#synced) await sync(dirname(this.#path));
    this.#synced = identity;
  }

  /** Undefined when there is none. An inode number alone may come back for the next file. */
  async #identity(): Promise<string | undefined> {
    try {
      const { ino, birthtimeNs } = await stat(this.#path, { bigint: true });
      return `${ino}.${birthtimeNs}`;
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  }
}
