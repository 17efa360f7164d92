import { statfs } from 'node:fs/promises';

export interface DiskGuardOptions {
  readonly path: string;
  /** Kept free so that what was accepted can still become rows. */
  readonly reserveBytes: number;
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
    const { bavail, bsize } = await statfs(this.#options.path);
    const isFull = bavail * bsize < this.#options.reserveBytes;
    if (isFull === this.#isFull) return;
    this.#isFull = isFull;
    for (const listener of this.#listeners) listener();
  }
}
