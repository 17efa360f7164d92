/** Time as an argument: the system's in the product, a fake one in tests. */
export interface Clock {
  /** Wall time, milliseconds since the epoch. May jump; only for stamps that people read. */
  now(): number;
  /** Milliseconds that never go back and never jump; for intervals and deadlines. */
  monotonic(): number;
  /** Resolves after `ms`; rejects with the signal's reason when it is aborted. */
  sleep(ms: number, options: { readonly signal: AbortSignal }): Promise<void>;
}
