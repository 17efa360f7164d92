import { stat } from 'node:fs/promises';
import type { ObjectContent, ObjectStore, StoredObject } from '../../src/ports/object-store.ts';
import type { Waiting } from '../../src/ports/waiting.ts';
import type { FakeClock } from './fake-clock.ts';

interface Transfer {
  left: number;
  readonly arrive: () => void;
}

/** An object store at the end of a line that all uploads share: so many bytes in a second, divided among those under way. */
export class SlowLine {
  readonly store: ObjectStore;
  /** How often an upload began, and how many were under way at most. */
  begun = 0;
  mostAtOnce = 0;
  /** Uploads that have arrived and that the store behind the line is writing. */
  arriving = 0;
  readonly #clock: FakeClock;
  readonly #bytesPerSecond: number;
  readonly #transfers = new Set<Transfer>();
  #movedAt: number;

  constructor(store: ObjectStore, { clock, bytesPerSecond }: { readonly clock: FakeClock; bytesPerSecond: number }) {
    this.#clock = clock;
    this.#bytesPerSecond = bytesPerSecond;
    this.#movedAt = clock.monotonic();
    const put = (name: string, content: ObjectContent, options: Waiting): Promise<StoredObject> =>
      this.#send(content, options).then(() => this.#arrive(() => store.put(name, content, options)));
    this.store = new Proxy(store, {
      get: (target, property) => {
        if (property === 'put') return put;
        const member: unknown = Reflect.get(target, property, target);
        return typeof member === 'function' ? (member.bind(target) as unknown) : member;
      },
    });
  }

  /** Lets what the clock says has passed arrive; to be called whenever it was moved. */
  move(): void {
    const now = this.#clock.monotonic();
    let budget = ((now - this.#movedAt) / 1000) * this.#bytesPerSecond;
    this.#movedAt = now;
    while (budget > 0 && this.#transfers.size > 0) {
      const share = budget / this.#transfers.size;
      const step = Math.min(share, ...[...this.#transfers].map(({ left }) => left));
      budget -= step * this.#transfers.size;
      for (const transfer of this.#transfers) {
        transfer.left -= step;
        if (transfer.left > 0) continue;
        this.#transfers.delete(transfer);
        transfer.arrive();
      }
      if (step === share) return;
    }
  }

  async #arrive(put: () => Promise<StoredObject>): Promise<StoredObject> {
    this.arriving += 1;
    try {
      return await put();
    } finally {
      this.arriving -= 1;
    }
  }

  async #send(content: ObjectContent, { signal }: Waiting): Promise<void> {
    signal.throwIfAborted();
    const left = content.kind === 'bytes' ? content.bytes.length : (await stat(content.path)).size;
    this.move();
    this.begun += 1;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const abort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    const transfer: Transfer = { left, arrive: resolve };
    this.#transfers.add(transfer);
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#transfers.size);
    try {
      await promise;
    } finally {
      this.#transfers.delete(transfer);
      signal.removeEventListener('abort', abort);
    }
  }
}
