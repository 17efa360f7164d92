/** No line is taken for slower than so many times what is assumed at first. */
const most = 64;

/** What a slow answer has taught is half forgotten after this time. */
const halfLifeMs = 60_000;

/** After a call is repeated this often, and all its tries have run out of time, the next call begins with more. */
const enoughTries = 3;

/**
 * How much longer than assumed tries of one kind may take. A try that runs out of its time may have lost its answer, or the line may be
 * slow: the next try of the same call has twice as long. Other calls begin with what slow answers have needed lately; quick answers take
 * nothing of that away, because they may be those of other calls.
 */
export class Patience {
  #factor = 1;
  /** Of the time that `now` tells. */
  #learntAt = 0;

  /** How long a try may take that is assumed to take `assumedMs`; the first one of its call is number 1. */
  limitMs(assumedMs: number, { attempt, now }: { readonly attempt: number; readonly now: number }): number {
    return assumedMs * Math.min(most, this.#learnt(now) * 2 ** (attempt - 1));
  }

  /** A try ran out of `limitMs`. */
  expired(assumedMs: number, { limitMs, now }: { readonly limitMs: number; readonly now: number }): void {
    this.#learn(limitMs / assumedMs / 2 ** (enoughTries - 2), now);
  }

  answered(assumedMs: number, { tookMs, now }: { readonly tookMs: number; readonly now: number }): void {
    this.#learn((1.5 * tookMs) / assumedMs, now);
  }

  #learn(factor: number, now: number): void {
    if (factor <= this.#learnt(now)) return;
    this.#factor = Math.min(most, factor);
    this.#learntAt = now;
  }

  #learnt(now: number): number {
    return Math.max(1, this.#factor * 2 ** ((this.#learntAt - now) / halfLifeMs));
  }
}
