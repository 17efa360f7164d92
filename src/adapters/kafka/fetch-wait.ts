import { fetchWaitMs, idleEveryMs } from './config.ts';

/** What is known of a leader that is about to be asked. */
export interface Asking {
  /** Something that was fetched before waits to be polled. */
  readonly hasReady: boolean;
  /** None of the positions had anything when it was asked last. */
  readonly areIdle: boolean;
  /** Since the leader was asked last. */
  readonly sinceMs: number;
}

/**
 * How long a leader may hold a request that finds nothing; undefined: it is not asked now. A leader answers one request
 * after the other. While partitions without records hold a request, the leader cannot be asked for those that have
 * some, once what they gave was polled.
 */
export function fetchWait({ hasReady, areIdle, sinceMs }: Asking): number | undefined {
  if (!hasReady) return fetchWaitMs;
  return areIdle && sinceMs < idleEveryMs ? undefined : 0;
}
