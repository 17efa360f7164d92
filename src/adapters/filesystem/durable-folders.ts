import { makeFolder, sync } from '../durable.ts';

/** At most this many folders are remembered; a forgotten one is looked at again. */
const maxKnown = 10_000;

/** The folders below a root, made once and synced together with others who ask for the same. */
export class DurableFolders {
  readonly #root: string;
  readonly #syncFolder: (folder: string) => Promise<unknown>;
  readonly #made = new Map<string, Promise<void>>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #following = new Map<string, Promise<void>>();

  /** `root` exists, and its own entry is durable. */
  constructor(root: string, syncFolder: (folder: string) => Promise<unknown> = sync) {
    this.#root = root;
    this.#syncFolder = syncFolder;
  }

  /** Makes the folder and what is missing above it; all their entries are durable when it resolves, whoever made them. */
  make(folder: string): Promise<void> {
    const known = this.#made.get(folder);
    if (known !== undefined) return known;
    if (this.#made.size >= maxKnown) this.forget();
    const made = makeFolder(folder, this.#root);
    this.#made.set(folder, made);
    made.catch(() => this.#made.delete(folder));
    return made;
  }

  /** One was removed by somebody else: all are made again when they are asked for. */
  forget(): void {
    this.#made.clear();
  }

  /**
   * Resolves when all entries that the folder has at the call are durable. Whoever asks while a sync is under way waits
   * for the next one together with all others who do: the one under way may have begun before their entry was there. If
   * the one under way fails, they fail with it: their entries may be among those that it lost, and the system reports
   * that only once.
   */
  sync(folder: string): Promise<void> {
    const running = this.#running.get(folder);
    if (running === undefined) return this.#begin(folder);
    const known = this.#following.get(folder);
    if (known !== undefined) return known;
    const following = this.#follow(folder, running);
    this.#following.set(folder, following);
    return following;
  }

  async #follow(folder: string, running: Promise<void>): Promise<void> {
    try {
      await running;
    } finally {
      this.#following.delete(folder);
    }
    await this.#begin(folder);
  }

  #begin(folder: string): Promise<void> {
    const begun = this.#syncFolder(folder)
      .then(() => undefined)
      .finally(() => {
        if (this.#running.get(folder) === begun) this.#running.delete(folder);
      });
    this.#running.set(folder, begun);
    return begun;
  }
}
