import { statfs } from 'node:fs/promises';
import type { DiskObserver } from '../../telemetry/observe-disk.ts';

export interface DiskGuardOptions {
  readonly path: string;
  /** Kept free so that what was accepted can still become rows. */
  readonly reserveBytes: number;
  readonly observer: DiskObserver;
}

/** Watches the free space of the data folder: below the reserve, new events are refused (D8). */
export class DiskGuard {
  readonly #options: DiskGuardOptions;
  readonly #listeners = new Set<() => void>();
  #isFull = false;

  constructor(options: DiskGuardOptions) {
    this.#options = options;
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  /** Calls back when `isFull` changes. */
  listen(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Looks once. */
  async look(): Promise<void> {
    const { path, reserveBytes, observer } = this.#options;
    const { bavail, bsize } = await statfs(path);
    const freeBytes = bavail * bsize;
    const isFull = freeBytes < reserveBytes;
    if (isFull === this.#isFull) return;
    this.#isFull = isFull;
    if (isFull) observer.diskFull(freeBytes);
    else observer.diskHasSpace(freeBytes);
    for (const listener of this.#listeners) listener();
  }
}
