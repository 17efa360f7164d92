import type { MillraceError } from '../core/millrace-error.ts';
import type { Source } from '../core/source.ts';
import type { Telemetry } from './telemetry.ts';

/** What becomes of the topics of deleted sources; every method is quick and never throws. */
export interface RetiredTopicsObserver {
  sourceTopicRemoved(source: Source, topic: string): void;
  /** A topic stays, and is looked at again in the next round. */
  sourceTopicKept(source: Source, error: MillraceError): void;
}

/** Logs them. */
export function observeRetiredTopics({ log }: Telemetry): RetiredTopicsObserver {
  return {
    sourceTopicRemoved: ({ branchId, sourceId }, topic) =>
      log.info({ branchId, sourceId, topic }, 'topic of a deleted source removed'),
    sourceTopicKept: ({ branchId, sourceId }, error) =>
      log.warn({ branchId, sourceId, code: error.code, err: error }, 'topic of a deleted source not removed'),
  };
}
