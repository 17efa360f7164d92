import { setTimeout as sleep } from 'node:timers/promises';
import { RetryPacing } from '../../core/retry-pacing.ts';

/**
 * What became of events. `refused`: certainly nothing of them was stored. `unanswered`: nobody knows, as when the answer
 * was lost, or says so. `unreachable`: nothing takes them there, and nothing of them was stored.
 */
export type Sent =
  | { readonly kind: 'accepted' }
  /** `status` of HTTP; `isTooLarge`: fewer of them may be taken. */
  | { readonly kind: 'refused'; readonly status?: number; readonly isTooLarge: boolean; readonly reason: string }
  | { readonly kind: 'unanswered'; readonly reason: string }
  | { readonly kind: 'unreachable'; readonly reason: string };

export interface Try {
  readonly sent: Sent;
  /** True when a later try may succeed, and does no harm. */
  readonly mayBeSentAgain: boolean;
  /** What the receiver asks to wait. */
  readonly retryAfterMs: number;
}

export interface Tries {
  /** How often it is tried at most. */
  readonly tries: number;
  readonly signal: AbortSignal;
  /** Called when it is about to wait, before it is sent again. */
  readonly onWait?: (sent: Sent) => void;
}

const retry = new RetryPacing({ firstMs: 100, capMs: 5000 }, Math.random);

/** What became of it in the end. */
export async function sentInTheEnd(once: () => Promise<Try>, { tries, signal, onWait }: Tries): Promise<Sent> {
  for (let attempt = 1; ; attempt += 1) {
    const { sent, mayBeSentAgain, retryAfterMs } = await once();
    if (attempt >= tries || !mayBeSentAgain) return sent;
    onWait?.(sent);
    await sleep(Math.max(retryAfterMs, retry.pauseMs(attempt)), undefined, { signal });
  }
}
