import { setTimeout as sleep } from 'node:timers/promises';

export interface EventuallyOptions {
  /** After so long the last failure is thrown. */
  readonly withinMs?: number;
  /** Default: a tenth of what it has waited already, between 5 ms and a tenth of a second. */
  readonly everyMs?: number;
}

/**
 * Repeats `attempt` until it neither throws nor rejects, and answers what it answers. It always runs once more at the
 * deadline, so that a slow machine fails with the reason and not with a time-out.
 */
export async function eventually<Result>(
  attempt: () => Promise<Result> | Result,
  { withinMs = 150_000, everyMs }: EventuallyOptions = {},
): Promise<Result> {
  const began = performance.now();
  const deadline = began + withinMs;
  for (;;) {
    const isLast = performance.now() > deadline;
    try {
      return await attempt();
    } catch (thrown) {
      if (isLast) throw thrown;
      await sleep(everyMs ?? pauseAfter(performance.now() - began));
    }
  }
}

/** Until the next look, when somebody has waited so long already. Looks cost processor time, which is what most tests wait for. */
export function pauseAfter(waitedMs: number): number {
  return Math.min(Math.max(waitedMs / 10, 5), 100);
}
