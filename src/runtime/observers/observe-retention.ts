import type { RetentionObserver } from '../../stages/retain/retention.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';

/** Tells the log what retention took although a sink needed it, and what it could not do. */
export function observeRetention({ log }: Telemetry): RetentionObserver {
  return {
    neededRecordsRemoved: ({ branchId, sourceId }, count) =>
      log.error({ branchId, sourceId, count }, 'events removed at their maximum age before every sink had them'),
    retentionFailed: ({ branchId, sourceId }, error) =>
      log.warn({ branchId, sourceId, code: error.code, err: error }, 'retention failed'),
  };
}
