import { randomUUID } from 'node:crypto';
import { mkdir, readdir, realpath, rm } from 'node:fs/promises';
import { basename, dirname, join, parse, resolve } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { MillraceError } from '../../core/millrace-error.ts';
import { makeFolder, sync } from '../durable.ts';
import { fromDuckDb, fromOpening, isInvalidated, isOutOfMemory } from '../duckdb-engine/errors.ts';
import { claimPath } from './claimed-paths.ts';
import { memoryCeiling, type DuckDbConfig } from './config.ts';
import { Lane } from './lane.ts';
import { Session, type LaneName } from './session.ts';

const memorySteps = 4;

/**
 * One opened database file that heals: after an error that makes DuckDB refuse everything, as a sync that failed, it is
 * opened again, and an operation that runs out of memory is repeated under a higher limit, up to the ceiling.
 */
export class DuckDbClient {
  readonly #config: DuckDbConfig;
  readonly #memoryCeiling: number;
  readonly #lanes: Readonly<Record<LaneName, Lane>> = {
    write: new Lane(20_000),
    read: new Lane(1000),
    export: new Lane(16),
  };
  /** Bytes that operations under way need above the ordinary limit. */
  readonly #needs = new Set<{ bytes: number }>();
  #session: Promise<Session> | undefined;
  /** Until a checkpoint ran out of memory: an earlier version of the product has left long rows that nobody has marked. */
  #merges = true;
  #released: Promise<void> = Promise.resolve();
  #closing: Promise<void> | undefined;
  readonly #unclaim: () => void;

  private constructor(config: DuckDbConfig, unclaim: () => void) {
    this.#config = config;
    this.#memoryCeiling = memoryCeiling(config);
    this.#unclaim = unclaim;
  }

  /** Opens or makes the file. `data.locked`, `data.newerFormat` or `data.unusable` when that is impossible. */
  static async open(config: DuckDbConfig): Promise<DuckDbClient> {
    const path = withoutQuery(await realPath(withoutQuery(resolve(config.path))));
    // @NOTE a name of its own: opening may spill already, and nobody else's files may go before the file is ours
    const tempDir = join(config.tempDir, 'tables', randomUUID());
    const client = new DuckDbClient({ ...config, path, tempDir }, claimPath(path));
    try {
      await mkdir(tempDir, { recursive: true });
      await client.#opened();
      await sync(dirname(path));
      await removeOthers(tempDir);
    } catch (error) {
      await client.close();
      throw fromOpening(error, path);
    }
    return client;
  }

  /** The folder for temporary files of the store; it goes with it, or at the next start. */
  get tempDir(): string {
    return this.#config.tempDir;
  }

  /** The file, and its log, which is not there when everything is in the file. */
  get files(): readonly string[] {
    return [this.#config.path, `${this.#config.path}.wal`];
  }

  /**
   * Runs `task` when it is its turn on the connection of `lane`; it may run several times and must do all or nothing each
   * time. Errors are those of the port.
   */
  async run<T>(lane: LaneName, signal: AbortSignal, task: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    return await this.#lanes[lane].run(signal, () => this.#withEnoughMemory(lane, task));
  }

  /** Lets running work end, refuses the rest, and releases the file. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    for (const lane of Object.values(this.#lanes)) await lane.idle();
    const session = await this.#session?.catch(() => undefined);
    this.#session = undefined;
    if (session !== undefined) {
      // @NOTE best effort: a checkpoint that was not begun leaves every commit in the write-ahead log, which the next start replays
      await session.checkpoint().catch(() => undefined);
      await session.close();
    }
    await this.#released;
    await rm(this.tempDir, { recursive: true, force: true });
    this.#unclaim();
  }

  async #withEnoughMemory<T>(lane: LaneName, task: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    const need = { bytes: this.#config.memoryLimitBytes };
    try {
      for (;;) {
        try {
          return await this.#once(lane, task);
        } catch (error) {
          if (!isOutOfMemory(error) || need.bytes >= this.#memoryCeiling) throw fromDuckDb(error);
          need.bytes = Math.min(this.#memoryCeiling, need.bytes * memorySteps);
          this.#needs.add(need);
          await this.#limitMemory();
        }
      }
    } finally {
      if (this.#needs.delete(need)) await this.#limitMemory();
    }
  }

  async #once<T>(lane: LaneName, task: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    if (this.#closing !== undefined) throw new MillraceError('table.unavailable', 'the table store is closed');
    const opened = this.#opened();
    const session = await opened;
    try {
      return await session.use(lane, task);
    } catch (error) {
      if ((isInvalidated(error) || session.isDoubtful) && this.#session === opened) {
        this.#session = undefined;
        this.#merges &&= !isOutOfMemory(error);
        this.#released = session.close();
      }
      throw error;
    }
  }

  /** The session in use; opens one when there is none, as soon as the last one has released the file. */
  #opened(): Promise<Session> {
    this.#session ??= this.#released.then(() => this.#open());
    const opened = this.#session;
    opened.catch(() => {
      if (this.#session === opened) this.#session = undefined;
    });
    return opened;
  }

  /** Replaying the log may need as much memory as the operation that wrote it. */
  async #open(): Promise<Session> {
    try {
      return await Session.open(this.#config, this.#memoryLimit(), this.#merges);
    } catch (error) {
      if (!isOutOfMemory(error)) throw error;
      return await Session.open(this.#config, this.#memoryCeiling, this.#merges);
    }
  }

  #memoryLimit(): number {
    return Math.max(this.#config.memoryLimitBytes, ...[...this.#needs].map(({ bytes }) => bytes));
  }

  async #limitMemory(): Promise<void> {
    const session = await this.#session?.catch(() => undefined);
    // @NOTE lowering fails while more is in use; the limit then stays where it is until an operation changes it again
    await session?.limitMemory(this.#memoryLimit()).catch(() => undefined);
  }
}

/** Removes what earlier lives left beside a folder. */
async function removeOthers(folder: string): Promise<void> {
  const all = dirname(folder);
  for (const name of await readdir(all))
    if (name !== basename(folder)) await rm(join(all, name), { recursive: true, force: true });
}

/** The file's path without symbolic links, so that a file has one name; makes its folder. */
async function realPath(path: string): Promise<string> {
  try {
    await makeFolder(dirname(path), parse(path).root);
    return join(await realpath(dirname(path)), basename(path));
  } catch (error) {
    throw fromOpening(error, path);
  }
}

function withoutQuery(path: string): string {
  if (!path.includes('?')) return path;
  const rule = 'its path may not hold "?", because DuckDB takes that for a query';
  throw new MillraceError('data.unusable', `cannot open the table file "${path}": ${rule}`);
}
