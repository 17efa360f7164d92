import { limits } from '../../core/limits.ts';
import { SharedAmount } from '../../core/shared-amount.ts';
import type { Waiting } from '../../ports/waiting.ts';

/**
 * The uploads of one process, of all partitions together (D8). Those that have waited longest go first, and each gets a share of
 * the line that lets it end soon: many that run at a time would all end late.
 */
export class UploadTurns {
  readonly #bytes = new SharedAmount(limits.uploadBytesAtOnce);

  /** Resolves when so many bytes may be uploaded, with what ends the turn. Rejects with the signal's reason. */
  take(bytes: number, { signal }: Waiting): Promise<Disposable> {
    return this.#bytes.take(amountOf(bytes), signal);
  }

  /** The same in this turn; undefined when the upload has to wait. */
  takeNow(bytes: number): Disposable | undefined {
    return this.#bytes.takeNow(amountOf(bytes));
  }
}

function amountOf(bytes: number): number {
  return Math.max(bytes, limits.uploadBytesLeast);
}
