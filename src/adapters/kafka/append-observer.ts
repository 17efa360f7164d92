import type { TopicPartition } from '../../core/offset.ts';
import type { PartitionCondition } from '../../ports/event-log.ts';

/** Why a partition takes no appends. */
export interface AppendTrouble {
  readonly at: TopicPartition;
  readonly condition: Exclude<PartitionCondition, 'well'>;
  /** The last failure, for people. */
  readonly reason: string;
}

/** Is told when a partition comes to take no appends, or comes to another condition, and when it takes them again; must not throw. */
export interface AppendObserver {
  troubled(trouble: AppendTrouble): void;
  mended(at: TopicPartition): void;
}
