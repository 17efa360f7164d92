import type { DuckDbTables } from '../../adapters/duckdb/table-store.ts';
import type { Backups, BackupState } from '../../control/parts.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { backupEnded } from '../../telemetry/backup-ended.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import type { DataFolder } from '../embedded/data-folder.ts';
import { systemClock } from '../system-clock.ts';
import { productVersion } from '../version.ts';
import { checkBackup, takeBackup } from './take-backup.ts';

interface Parts {
  readonly folder: DataFolder;
  readonly tables: DuckDbTables;
  readonly telemetry: Telemetry;
}

/** Backups of a data folder. Disposing ends the one that runs. */
export class FolderBackups implements Backups, AsyncDisposable {
  readonly #parts: Parts;
  #state: BackupState | undefined;
  #running: { readonly aborter: AbortController; readonly ended: Promise<void> } | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  last(): BackupState | undefined {
    return this.#state;
  }

  async start(to: string, { signal }: Waiting): Promise<BackupState> {
    const ofBytes = await checkBackup(this.#parts.folder, to);
    signal.throwIfAborted();
    if (this.#running !== undefined)
      throw new MillraceError('backup.refused', 'a backup is being made already: wait until it is done, or stop it');
    const state = { state: 'running', to, startedAt: isoNow(), bytes: 0, ofBytes } as const;
    this.#state = state;
    const aborter = new AbortController();
    const ended = this.#run(state, aborter.signal).finally(() => (this.#running = undefined));
    this.#running = { aborter, ended };
    return state;
  }

  async stop(): Promise<BackupState | undefined> {
    this.#running?.aborter.abort();
    await this.#running?.ended;
    return this.#state;
  }

  async #run(begun: BackupState, signal: AbortSignal): Promise<void> {
    const { telemetry, ...stores } = this.#parts;
    let bytes = 0;
    const onBytes = (more: number): void => {
      bytes += more;
      this.#state = { ...begun, bytes, ofBytes: Math.max(begun.ofBytes, bytes) };
    };
    try {
      const request = { to: begun.to, version: productVersion, now: () => systemClock.now(), onBytes, signal };
      const { at } = await takeBackup(stores, request);
      this.#state = { ...begun, state: 'done', at, finishedAt: isoNow(), bytes, ofBytes: bytes };
    } catch (thrown) {
      const state = signal.aborted ? 'stopped' : 'failed';
      const error = state === 'stopped' ? {} : { error: MillraceError.fromUnknown(thrown).message };
      this.#state = { ...begun, state, finishedAt: isoNow(), bytes, ...error };
    }
    backupEnded(telemetry, this.#state);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}

function isoNow(): string {
  return new Date(systemClock.now()).toISOString();
}
