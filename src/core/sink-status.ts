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
  /** The partitions that cannot go on, while others may; absent when it is the whole sink. */
  readonly partitions?: readonly Partition[];
}

/** True for a role that serves the sink, and only later than it should. */
export function isOnlyLate({ code }: Pick<SinkStatus, 'code'>): boolean {
  return code === 'stage.slow';
}

const oldAfterMs = 10_000;
const staleAfterMs = 120_000;
/** Sooner than others take it for stale, so that its writer has the time to say something else. */
const overdueAfterMs = staleAfterMs / 2;

/** True when the next try was due, and nobody has said what became of it: it takes long, or its process is gone. */
export function isOld({ nextTryAt }: Pick<SinkStatus, 'nextTryAt'>, now: number): boolean {
  return Date.parse(nextTryAt) + oldAfterMs < now;
}

/** True when nobody stands behind it any more: its writer would have tried again long ago, and said so. */
export function isStale({ nextTryAt }: SinkStatus, now: number): boolean {
  return Date.parse(nextTryAt) + staleAfterMs < now;
}

/** True when no try followed when it should have: the try may be a long one, or nobody works on it any more. */
export function isOverdue({ nextTryAt }: SinkStatus, now: number): boolean {
  return Date.parse(nextTryAt) + overdueAfterMs <= now;
}
