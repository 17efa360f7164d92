import type { RetiredTopicsObserver } from '../../stages/retain/retired-topics.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';

/** Tells the log what became of the topics of deleted sources. */
export function observeRetiredTopics({ log }: Telemetry): RetiredTopicsObserver {
  return {
    sourceTopicRemoved: ({ branchId, sourceId }, topic) =>
      log.info({ branchId, sourceId, topic }, 'topic of a deleted source removed'),
    sourceTopicKept: ({ branchId, sourceId }, error) =>
      log.warn({ branchId, sourceId, code: error.code, err: error }, 'topic of a deleted source not removed'),
  };
}
