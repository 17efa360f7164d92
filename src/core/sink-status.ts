import type { Incarnation } from './ids.ts';
import type { Partition } from './offset.ts';

/** Why a role does not serve a sink (D6); the document is removed when it heals. Collection `sink-status`. */
export interface SinkStatus {
  readonly incarnation: Incarnation;
  readonly role: 'map' | 'stage' | 'import';
  readonly code: string;
  readonly message: string;
  /** ISO times. */
  readonly since: string;
  readonly lastTryAt: string;
  readonly nextTryAt: string;
  readonly attempts: number;
  /** Those that cannot go on, while others may; absent when it is the whole sink. */
  readonly partitions?: readonly Partition[];
}

/** True for a role that serves the sink, and only later than it should. */
export function isOnlyLate({ code }: Pick<SinkStatus, 'code'>): boolean {
  return code === 'stage.slow';
}

const staleAfterMs = 120_000;
/** Before others take it for stale, whoever wrote it has the time to say something else. */
const overdueAfterMs = staleAfterMs / 2;

/** True for what nobody stands behind any more: whoever wrote it would have tried again long ago, and said so. */
export function isStale({ nextTryAt }: SinkStatus, now: number): boolean {
  return Date.parse(nextTryAt) + staleAfterMs < now;
}

/** True for what was not tried again when it should have been: it may be a long try, or nobody's business any more. */
export function isOverdue({ nextTryAt }: SinkStatus, now: number): boolean {
  return Date.parse(nextTryAt) + overdueAfterMs <= now;
}
