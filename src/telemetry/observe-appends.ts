import type { TopicPartition } from '../core/offset.ts';
import type { Telemetry } from './telemetry.ts';

const conditions = ['late', 'refusing'] as const;

/** Why a partition takes no appends. */
export interface AppendTrouble {
  readonly at: TopicPartition;
  readonly condition: (typeof conditions)[number];
  /** The last failure, for people. */
  readonly reason: string;
}

/** What a log of servers tells of its partitions; every method is quick and never throws. */
export interface AppendObserver {
  /** Appends to a partition fail, since just now, or in another way than before. */
  troubled(trouble: AppendTrouble): void;
  /** It takes them again, or nobody has any for it. */
  mended(at: TopicPartition): void;
}

/** What it tells of its requests. */
export interface AnswerObserver {
  /** A request was answered; a fetch is told only when it brought records, because any other one waits for some. */
  answered(request: 'produce' | 'fetch', ms: number): void;
}

export type LogObserver = AppendObserver & AnswerObserver;

/** Logs and counts partitions that take no appends, and measures requests. */
export function observeAppends({ log, metrics }: Telemetry): LogObserver {
  const gauge = metrics.gauge('millrace_log_append_alarms');
  const durations = metrics.histogram('millrace_log_request_duration_seconds');
  const forget = ({ topic, partition }: TopicPartition): void => {
    for (const condition of conditions) gauge.remove({ topic, partition: String(partition), condition });
  };
  return {
    troubled: ({ at, condition, reason }) => {
      forget(at);
      gauge.set({ topic: at.topic, partition: String(at.partition), condition }, 1);
      log.error({ ...at, condition, reason }, 'partition takes no appends');
    },
    answered: (request, ms) => durations.observe({ request }, ms / 1000),
    mended: (at) => {
      forget(at);
      log.info({ ...at }, 'partition takes appends again');
    },
  };
}
