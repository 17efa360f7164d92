import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { sync } from './durable.ts';

/** The folders below a root, made once and synced together with others who ask for the same. */
export class DurableFolders {
  readonly #root: string;
  readonly #made = new Map<string, Promise<void>>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #following = new Map<string, Promise<void>>();

  /** `root` exists, and its own entry is durable. */
  constructor(root: string) {
    this.#root = root;
  }

  /** Makes the folder and what is missing above it; all their entries are durable when it resolves, whoever made them. */
  make(folder: string): Promise<void> {
    const known = this.#made.get(folder);
    if (known !== undefined) return known;
    const made = this.#make(folder);
    this.#made.set(folder, made);
    made.catch(() => this.forget(folder));
    return made;
  }

  /** To be made again at the next call: it may have been removed. */
  forget(folder: string): void {
    this.#made.delete(folder);
  }

  /**
   * Resolves when all entries that the folder has at the call are durable. Whoever asks while a sync is under way waits for
   * the next one together with all others who do: the one under way may have begun before their entry was there.
   */
  sync(folder: string): Promise<void> {
    const running = this.#running.get(folder);
    if (running === undefined) return this.#begin(folder);
    const known = this.#following.get(folder);
    if (known !== undefined) return known;
    const begin = (): Promise<void> => {
      this.#following.delete(folder);
      return this.#begin(folder);
    };
    const following = running.then(begin, begin);
    this.#following.set(folder, following);
    return following;
  }

  #begin(folder: string): Promise<void> {
    const begun = sync(folder)
      .then(() => undefined)
      .finally(() => {
        if (this.#running.get(folder) === begun) this.#running.delete(folder);
      });
    this.#running.set(folder, begun);
    return begun;
  }

  async #make(folder: string): Promise<void> {
    await mkdir(folder, { recursive: true });
    for (let made = folder; made.length > this.#root.length; made = dirname(made)) await sync(dirname(made));
  }
}
