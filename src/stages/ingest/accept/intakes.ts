import { Bag, type Bagged } from '../../../core/bag.ts';
import type { Waiting } from '../../../ports/waiting.ts';
import { appendSweepMs } from './accept-limits.ts';
import type { Acceptor } from './acceptor.ts';
import { PlacedAppends } from './placed-appends.ts';
import { refusals } from '../../../events/refusal.ts';
import type { Sender } from './sender.ts';

const settlePollMs = 5;

/** Something that is not waited for without end; `now` is monotonic time. */
export interface Expiring {
  expire(now: number): void;
}

/** A request that is being received or stored. */
export interface OpenRequest<Kind extends Sender> extends Expiring, Bagged {
  readonly sender: Kind;
}

/** The requests of one listener that are being received or stored, and whether more are taken. */
export class Intakes<Kind extends Sender> {
  readonly acceptor: Acceptor;
  readonly appends: PlacedAppends;
  readonly #open = new Bag<OpenRequest<Kind>>();
  readonly #watched = new Set<Expiring>();
  readonly #empty = Promise.withResolvers<void>();
  #isClosing = false;

  /** `leaving` cuts what waits for the log. */
  constructor(acceptor: Acceptor, leaving: AbortSignal) {
    const { log, clock, limits, thread = 0 } = acceptor;
    this.acceptor = acceptor;
    this.appends = new PlacedAppends({ log, clock, signal: leaving, withinMs: limits.appendTimeoutMs, thread });
  }

  /** No more requests are taken. */
  get isClosing(): boolean {
    return this.#isClosing;
  }

  get size(): number {
    return this.#open.size;
  }

  *senders(): Iterable<Kind> {
    for (const { sender } of this.#open) yield sender;
  }

  add(request: OpenRequest<Kind>): void {
    this.#open.add(request);
  }

  remove(request: OpenRequest<Kind>): void {
    this.#open.delete(request);
    this.#tellEmpty();
  }

  /** Looks at something in each sweep, beside the requests; nobody who leaves waits for it. */
  watch(one: Expiring): void {
    this.#watched.add(one);
  }

  forget(one: Expiring): void {
    this.#watched.delete(one);
  }

  /** D10: takes no more; resolves when what was taken has ended. */
  close(): Promise<void> {
    this.#isClosing = true;
    this.#tellEmpty();
    return this.#empty.promise;
  }

  /** D10: refuses what is still arriving. */
  cutReceiving(): void {
    for (const { sender } of this.#open) if (sender.isReceiving) sender.cut(refusals.shutdown);
  }

  /** Resolves when every request that is being received or stored now has ended. */
  async settled(options: Waiting): Promise<void> {
    const before = [...this.#open];
    while (before.some((request) => this.#open.has(request))) await this.acceptor.clock.sleep(settlePollMs, options);
  }

  /** Until the signal: no request waits for the log without end. */
  async sweep(signal: AbortSignal): Promise<void> {
    const { clock } = this.acceptor;
    for (;;) {
      await clock.sleep(appendSweepMs, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const now = clock.monotonic();
      for (const request of this.#open) request.expire(now);
      for (const one of this.#watched) one.expire(now);
    }
  }

  #tellEmpty(): void {
    if (this.#isClosing && this.#open.size === 0) this.#empty.resolve();
  }
}
