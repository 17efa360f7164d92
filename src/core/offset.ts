/**
 * Position of a record in a partition: an integer from 0, exact in a double (a partition would need 285 years at a
 * million records a second to leave that range). Adapters turn it into whatever their driver wants.
 */
export type Offset = number;

export type Partition = number;

export interface TopicPartition {
  readonly topic: string;
  readonly partition: Partition;
}
