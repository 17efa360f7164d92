export interface BackoffPolicy {
  readonly firstMs: number;
  readonly capMs: number;
}

/** Delay before try number `attempt` + 1 (attempts count from 1): doubles up to the cap, spread by half; `random` in [0, 1). */
export function backoffMs(attempt: number, { firstMs, capMs }: BackoffPolicy, random: number): number {
  const nominal = Math.min(capMs, firstMs * 2 ** Math.min(attempt - 1, 30));
  return Math.round(nominal * (0.75 + random / 2));
}
