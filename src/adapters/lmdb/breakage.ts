import { Bag, type Bagged } from '../../core/bag.ts';
import type { ErrorCode } from '../../core/error-catalogue.ts';
import { messageOf, MillraceError } from '../../core/millrace-error.ts';
import { abortable } from '../../core/abortable.ts';
import { isShortWriteOnFullDisk } from './disk-full.ts';
import { isFull, reasonOfFailedCommit } from './errors.ts';

/** Gets `data.broken`, and in a few words why. */
export type BrokenListener = (error: MillraceError, reason: string) => void;

export interface BreakageOptions {
  readonly what: 'log' | 'catalog';
  /** Folder of the environment. */
  readonly path: string;
  /** Code of a call that the broken environment refuses. */
  readonly code: ErrorCode;
  /** Told once, with `data.broken`: nothing but an end of the process makes the environment usable again. */
  readonly onBroken?: BrokenListener | undefined;
  /** A write that comes after one that failed because the disk was full ends within this time. Default 30 seconds. */
  readonly hangMs?: number;
}

/** A write that the driver has not settled. */
interface Pending extends Bagged {
  readonly reject: (reason: unknown) => void;
}

/**
 * Whether an environment can be believed. After a write or a sync that fails for another reason than a full disk,
 * nobody can be sure what is on the disk, and a second sync that succeeds proves nothing: the kernel may have forgotten
 * the pages. So nothing more happens in an environment after the first such failure. The next start may believe what it
 * sees (L1.7 of `docs/spec/liveness.md`): LMDB takes a root that failed back out of the cache. It refuses everything
 * itself after a failed write of its root, but the driver then never settles a write; that is why each write here ends
 * with the environment.
 */
export class Breakage {
  readonly #options: BreakageOptions;
  readonly #pending = new Bag<Pending>();
  #error: MillraceError | undefined;
  #hasFailed = false;

  constructor(options: BreakageOptions) {
    this.#options = options;
  }

  /** What every call is refused with, once the environment is broken. */
  get error(): MillraceError | undefined {
    return this.#error;
  }

  /** This thread, or another one of the process, found that the environment cannot be believed. */
  mark(reason: string): void {
    if (this.#error !== undefined) return;
    const { what, path, code, onBroken } = this.#options;
    this.#error = new MillraceError(code, `the ${what} in "${path}" must be opened again: ${reason}`);
    for (const { reject } of this.#pending) reject(this.#error);
    const message = `a file of the ${what} in "${path}" failed and cannot be believed until it is opened again: ${reason}`;
    onBroken?.(new MillraceError('data.broken', message, { details: { path } }), reason);
  }

  /** Settles like the write of the driver; rejects as soon as the environment is broken. A rejection is the driver's reason. */
  async guard<T>(write: Promise<T>): Promise<T> {
    const { path, hangMs = 30_000 } = this.#options;
    // When a write of the root fails because the disk is full, as happens on a file system that copies on write,
    // nothing settles.
    const hanging = this.#hasFailed ? AbortSignal.timeout(hangMs) : undefined;
    const settled = write.catch(async (thrown: unknown): Promise<never> => {
      throw await reasonOfFailedCommit(thrown);
    });
    try {
      const guarded = this.#unlessBroken(settled);
      const result = await (hanging === undefined ? guarded : abortable(guarded, hanging));
      this.#hasFailed = false;
      return result;
    } catch (thrown) {
      if (this.#error !== undefined) throw this.#error;
      this.#hasFailed = true;
      if (isFull(thrown) || isShortWriteOnFullDisk(thrown, path)) throw thrown;
      this.mark(
        hanging?.aborted === true ? 'a write after one that the full disk refused does not end' : messageOf(thrown),
      );
      throw this.error ?? thrown;
    }
  }

  /** Rejects when the environment breaks, whether the driver settles the write or not. */
  async #unlessBroken<T>(write: Promise<T>): Promise<T> {
    if (this.#error !== undefined) throw this.#error;
    const { promise: broken, reject } = Promise.withResolvers<never>();
    const pending: Pending = { place: -1, reject };
    this.#pending.add(pending);
    try {
      return await Promise.race([broken, write]);
    } finally {
      this.#pending.delete(pending);
    }
  }
}
