import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { sync } from '../durable.ts';
import { systemCode } from '../system-code.ts';
import { logOf } from './write-again.ts';

/**
 * The folder's entry for DuckDB's write-ahead log. DuckDB syncs the log at each commit, but removes it at a checkpoint and makes another
 * with the next commit, without a sync of the folder: a loss of power could take the whole log, or bring back one of two checkpoints
 * ago, with which the file cannot be opened.
 */
export class LogEntry {
  readonly #path: string;
  #synced: string | undefined;
  #failure: unknown;

  constructor(databasePath: string) {
    this.#path = logOf(databasePath);
  }

  /** True once a sync has failed: none proves anything after that, and the log must be written again under its name. */
  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  /** Resolves when the log that is there now, or none, will be found after a loss of power. Costs one look when it is the known one. */
  async sync(): Promise<void> {
    const identity = await this.#identity();
    if (identity !== this.#synced) await this.#syncFolder();
    this.#synced = identity;
  }

  async #syncFolder(): Promise<void> {
    try {
      await sync(dirname(this.#path));
    } catch (error) {
      this.#failure ??= error;
    }
    // Others may have asked meanwhile, and theirs may have succeeded.
    if (this.hasFailed) throw this.#failure;
  }

  /** An inode number alone may come back for the next file. */
  async #identity(): Promise<string> {
    try {
      const { ino, birthtimeNs } = await stat(this.#path, { bigint: true });
      return `${ino}.${birthtimeNs}`;
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return 'none';
      throw error;
    }
  }
}
