import type { Offset } from '../../core/offset.ts';
import type { TriggerCause } from '../../core/trigger.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { SliceSealer, type Sealed, type SealPorts } from './slice-sealer.ts';
import type { ClosedSlice } from './upload-slice.ts';

export interface SlicesBehindOptions extends SealPorts {
  /** A slice has been sealed, or has failed: `hasSettled` may be true. */
  readonly onSettled: () => void;
}

/** What became of a slice, and why it was closed. */
export interface SettledSlice {
  readonly sealed: Sealed;
  readonly cause: TriggerCause;
}

interface Behind {
  readonly work: Promise<Sealed>;
  readonly cause: TriggerCause;
  readonly closed: ClosedSlice;
  /** Monotonic time. */
  readonly since: number;
  hasSettled: boolean;
}

/** Uploads and syncs take longer than taking the lines of a slice; with this many behind, the reader waits. */
const most = 8;

/**
 * The slices of one partition that are being sealed while its reader goes on with the next one. After a start one is
 * allowed, and one more with each that is sealed, so that a reader which fails again and again still makes progress.
 */
export class SlicesBehind {
  readonly #options: SlicesBehindOptions;
  readonly #abandoned = new Set<Promise<void>>();
  #sealer: SliceSealer;
  /** In their order. */
  #slices: readonly Behind[] = [];
  #room = 1;

  constructor(options: SlicesBehindOptions) {
    this.#options = options;
    this.#sealer = new SliceSealer(options);
  }

  get count(): number {
    return this.#slices.length;
  }

  /** How many there may be. */
  get room(): number {
    return this.#room;
  }

  /** True when the first has been sealed, or has failed. */
  get hasSettled(): boolean {
    return this.#slices[0]?.hasSettled ?? false;
  }

  /** First sink offset after the first slice; undefined when there is none. */
  get firstEnd(): Offset | undefined {
    return this.#slices[0]?.closed.positions.sink;
  }

  /** Since when the first waits for its upload and its seal, monotonic; undefined when none does. */
  get waitingSince(): number | undefined {
    const [first] = this.#slices;
    return first === undefined || first.hasSettled ? undefined : first.since;
  }

  /** What is being sealed, in its order; the first may have been sealed already. */
  get closed(): readonly ClosedSlice[] {
    return this.#slices.map(({ closed }) => closed);
  }

  /** Begins to seal a slice, which rests on all that are here. */
  add(closed: ClosedSlice, cause: TriggerCause, options: Waiting): void {
    const since = this.#options.clock.monotonic();
    const behind: Behind = { work: this.#sealer.seal(closed, options), cause, closed, since, hasSettled: false };
    const settled = (): void => {
      behind.hasSettled = true;
      this.#options.onSettled();
    };
    behind.work.then(settled, settled);
    this.#slices = [...this.#slices, behind];
  }

  /**
   * Waits for the first slice and takes it out; undefined when there is none, or when all were dropped meanwhile. Rejects when
   * it could not be sealed: then it stays, and everything is to be dropped.
   */
  async takeFirst(): Promise<SettledSlice | undefined> {
    const [first] = this.#slices;
    if (first === undefined) return undefined;
    try {
      const sealed = await first.work;
      if (this.#slices[0] !== first) return undefined;
      this.#slices = this.#slices.slice(1);
      if (sealed.kind === 'sealed') this.#room = Math.min(this.#room + 1, most);
      return { sealed, cause: first.cause };
    } catch (thrown) {
      if (this.#slices[0] !== first) return undefined;
      throw thrown;
    }
  }

  /** Forgets all of them, and aborts what is under way. */
  drop(): void {
    const ended = this.#sealer.abandon().finally(() => this.#abandoned.delete(ended));
    this.#abandoned.add(ended);
    this.#sealer = new SliceSealer(this.#options);
    this.#slices = [];
    this.#room = 1;
  }

  /** Resolves when nothing that was dropped is under way any more. */
  async ended(): Promise<void> {
    await Promise.all(this.#abandoned);
  }
}
