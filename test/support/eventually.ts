import { setTimeout as sleep } from 'node:timers/promises';

export interface EventuallyOptions {
  /** After so long the last failure is thrown. */
  readonly withinMs?: number;
  readonly everyMs?: number;
}

/**
 * Repeats `attempt` until it neither throws nor rejects, and answers what it answers. It always runs once more at the
 * deadline, so that a slow machine fails with the reason and not with a time-out.
 */
export async function eventually<Result>(
  attempt: () => Promise<Result> | Result,
  { withinMs = 60_000, everyMs = 25 }: EventuallyOptions = {},
): Promise<Result> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const isLast = performance.now() > deadline;
    try {
      return await attempt();
    } catch (thrown) {
      if (isLast) throw thrown;
      await sleep(everyMs);
    }
  }
}
