/** A topic as the brokers know it. */
export interface KafkaTopic {
  readonly name: string;
  /** Kafka's topic id. */
  readonly identity: string;
  /** Leader's node id by partition; -1: none at the moment. */
  readonly leaders: readonly number[];
  /** How often the leader of each partition has changed. */
  readonly epochs: readonly number[];
}

/**
 * The topic with the newer leader of each partition, and with all partitions that either knows. A broker that hung and
 * goes on believes for a moment that nothing has changed: it names itself as the leader, and tells the ends of that
 * time.
 */
export function withNewestLeaders(topic: KafkaTopic, other: KafkaTopic | undefined): KafkaTopic {
  if (other === undefined || other.identity !== topic.identity) return topic;
  const [leaders, epochs] = [[...topic.leaders], [...topic.epochs]];
  for (const [partition, epoch] of other.epochs.entries()) {
    if (epoch <= (epochs[partition] ?? -1)) continue;
    leaders[partition] = other.leaders[partition] ?? -1;
    epochs[partition] = epoch;
  }
  return { ...topic, leaders, epochs };
}
