/** Kafka's own numbers and names of the failures that the adapter tells apart. */
const names: Readonly<Record<number, string>> = {
  1: 'OFFSET_OUT_OF_RANGE',
  2: 'CORRUPT_MESSAGE',
  3: 'UNKNOWN_TOPIC_OR_PARTITION',
  5: 'LEADER_NOT_AVAILABLE',
  6: 'NOT_LEADER_FOR_PARTITION',
  7: 'REQUEST_TIMED_OUT',
  8: 'BROKER_NOT_AVAILABLE',
  9: 'REPLICA_NOT_AVAILABLE',
  10: 'MESSAGE_TOO_LARGE',
  13: 'NETWORK_EXCEPTION',
  14: 'GROUP_LOAD_IN_PROGRESS',
  15: 'GROUP_COORDINATOR_NOT_AVAILABLE',
  16: 'NOT_COORDINATOR_FOR_GROUP',
  17: 'INVALID_TOPIC_EXCEPTION',
  18: 'RECORD_LIST_TOO_LARGE',
  19: 'NOT_ENOUGH_REPLICAS',
  20: 'NOT_ENOUGH_REPLICAS_AFTER_APPEND',
  22: 'ILLEGAL_GENERATION',
  23: 'INCONSISTENT_GROUP_PROTOCOL',
  25: 'UNKNOWN_MEMBER_ID',
  26: 'INVALID_SESSION_TIMEOUT',
  27: 'REBALANCE_IN_PROGRESS',
  29: 'TOPIC_AUTHORIZATION_FAILED',
  30: 'GROUP_AUTHORIZATION_FAILED',
  31: 'CLUSTER_AUTHORIZATION_FAILED',
  32: 'INVALID_TIMESTAMP',
  45: 'OUT_OF_ORDER_SEQUENCE_NUMBER',
  46: 'DUPLICATE_SEQUENCE_NUMBER',
  47: 'INVALID_PRODUCER_EPOCH',
  56: 'KAFKA_STORAGE_ERROR',
  59: 'UNKNOWN_PRODUCER_ID',
  74: 'FENCED_LEADER_EPOCH',
  75: 'UNKNOWN_LEADER_EPOCH',
  76: 'UNSUPPORTED_COMPRESSION_TYPE',
  78: 'OFFSET_NOT_AVAILABLE',
  79: 'MEMBER_ID_REQUIRED',
  81: 'GROUP_MAX_SIZE_REACHED',
  87: 'INVALID_RECORD',
  100: 'UNKNOWN_TOPIC_ID',
  103: 'INCONSISTENT_TOPIC_ID',
};

/** A failure that a broker answered with, by its name in Kafka's protocol. */
export class BrokerError extends Error {
  readonly type: string;

  constructor(code: number, message?: string) {
    const type = names[code] ?? `error ${code}`;
    super(message === undefined || message === '' ? `the broker answered ${type}` : `${type}: ${message}`);
    this.type = type;
  }
}

/** The leader moves, a broker starts or stops: the same request succeeds a moment later, perhaps elsewhere. */
export const passingTypes: ReadonlySet<string | undefined> = new Set([
  'UNKNOWN_TOPIC_OR_PARTITION',
  'LEADER_NOT_AVAILABLE',
  'NOT_LEADER_FOR_PARTITION',
  'REQUEST_TIMED_OUT',
  'BROKER_NOT_AVAILABLE',
  'REPLICA_NOT_AVAILABLE',
  'NETWORK_EXCEPTION',
  'NOT_ENOUGH_REPLICAS',
  'NOT_ENOUGH_REPLICAS_AFTER_APPEND',
  'KAFKA_STORAGE_ERROR',
  'FENCED_LEADER_EPOCH',
  'UNKNOWN_LEADER_EPOCH',
  'OFFSET_NOT_AVAILABLE',
  'UNKNOWN_TOPIC_ID',
  'INCONSISTENT_TOPIC_ID',
  'GROUP_LOAD_IN_PROGRESS',
  'GROUP_COORDINATOR_NOT_AVAILABLE',
  'NOT_COORDINATOR_FOR_GROUP',
]);

/** What a broker says before it writes anything. Others may come after the leader has written, NOT_LEADER_FOR_PARTITION too. */
export const refusedBeforeAppendTypes: ReadonlySet<string | undefined> = new Set([
  'CORRUPT_MESSAGE',
  'MESSAGE_TOO_LARGE',
  'RECORD_LIST_TOO_LARGE',
  'NOT_ENOUGH_REPLICAS',
  'UNKNOWN_TOPIC_ID',
  'INCONSISTENT_TOPIC_ID',
  'TOPIC_AUTHORIZATION_FAILED',
  'CLUSTER_AUTHORIZATION_FAILED',
  'INVALID_TIMESTAMP',
  'INVALID_RECORD',
  'UNSUPPORTED_COMPRESSION_TYPE',
]);
