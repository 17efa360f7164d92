export interface RetryPolicy {
  readonly firstMs: number;
  readonly capMs: number;
}

/** Paces the tries of what fails again and again: each pause is twice the one before, up to a cap. */
export class RetryPacing {
  readonly #policy: RetryPolicy;
  readonly #random: () => number;

  /** `random` in [0, 1) spreads pauses by half, so that things that failed together are not tried together. */
  constructor(policy: RetryPolicy, random: () => number) {
    this.#policy = policy;
    this.#random = random;
  }

  /** The pause after so many failures in a row, the last one included. */
  pauseMs(failures: number): number {
    const { firstMs, capMs } = this.#policy;
    const nominal = Math.min(capMs, firstMs * 2 ** Math.min(failures - 1, 30));
    return Math.round(nominal * (0.75 + this.#random() / 2));
  }

  /** For what is tried at another pace. */
  withPolicy(policy: RetryPolicy): RetryPacing {
    return new RetryPacing(policy, this.#random);
  }
}
