import type { SASLOptions } from 'kafkajs';
import type { ConnectionOptions } from 'node:tls';
import type { AnswerObserver, AppendObserver } from '../../telemetry/observe-appends.ts';

/** Codecs of Kafka, by its own names. */
export type KafkaCompression = 'none' | 'gzip' | 'snappy' | 'lz4' | 'zstd';

/** How the log reaches Kafka. */
export interface KafkaEventLogOptions {
  /** `host:port` of brokers to begin with. */
  readonly brokers: readonly string[];
  /** Name of this process for people who look at the brokers. */
  readonly clientId: string;
  readonly tls?: ConnectionOptions | boolean;
  readonly sasl?: SASLOptions;
  /**
   * A member that has not been heard from for so long loses its partitions; the brokers' own bounds apply. Default 10
   * s.
   */
  readonly sessionTimeoutMs?: number;
  /** A request that is not answered for so long has failed, and its connection with it. Default 15 s, or 5 s more than a session. */
  readonly requestTimeoutMs?: number;
  /** How often a member asks whether its assignment still holds. Default 1 s. */
  readonly heartbeatMs?: number;
  /** How often a member looks whether a subscribed topic was made or deleted. Default 1 s. */
  readonly topicCheckMs?: number;
  readonly topics?: KafkaTopicPolicy;
  /** Of the batches that are appended; what is read may have any. Default `none`. */
  readonly compression?: KafkaCompression;
  /** Topic of the mark; another one for tests that share brokers. Default `installationTopic`. */
  readonly installationTopic?: string;
  /** Is told of partitions that take no appends. */
  readonly observer?: AppendObserver;
  /** Is told how long requests take. */
  readonly answers?: AnswerObserver;
}

/** The topic whose first record says whose the topics of the product are. */
export const installationTopic = 'millrace-installation';

/** How new topics are made. */
export interface KafkaTopicPolicy {
  /** Absent: as many as the brokers are configured for. */
  readonly replication?: number | undefined;
  readonly minInSyncReplicas?: number | undefined;
  /** Absent: Kafka takes nothing; the product itself trims what it has consumed. */
  readonly retentionMs?: number | undefined;
  readonly retentionBytes?: number | undefined;
  /** Absent: what the topic is asked to take, else the brokers' own limit. */
  readonly maxAppendBytes?: number | undefined;
}

/** For `replication`: as many as the brokers are configured for. */
export const brokersOwnReplication = -1;

/** What Kafka adds to a record's bytes in a batch of one, generously. */
export const batchOverheadBytes = 4 * 1024;

/** About how much one answer of a broker holds of one partition, and of all; a larger batch comes whole. */
export const fetchPartitionBytes = 1024 * 1024;
export const fetchBytes = 16 * 1024 * 1024;
/** An answer of that size has so long to arrive. */
export const fetchTimeoutMs = 30_000;

/** What a member has fetched and nobody has polled yet; beyond it nothing more is fetched (D8). */
export const fetchedAheadBytes = 64 * 1024 * 1024;

/** How long a broker holds a fetch that finds nothing; a seek or a resume takes effect after this at the latest. */
export const fetchWaitMs = 200;

/** While fetched records wait to be polled, partitions that had none are asked for no more often than this. */
export const idleEveryMs = 50;

/** After a partition could not be read, it is tried again after this. */
export const partitionRetryMs = 500;

/** A partition that cannot be read for another reason is told, and tried again after this. */
export const failureRepeatMs = 5000;

/** A partition that could not be read for so long says so in its batch, again after each such time. */
export const unreadableAfterMs = 15_000;

/** Within this a broker answers a group's members that wait for each other, after the session's time. */
export const answerGraceMs = 5000;
export const leastRequestTimeoutMs = 15_000;

/** A broker that takes longer for what any broker knows is not waited for: another one is asked as well. */
export const otherBrokerAfterMs = 2000;

/**
 * Where all brokers are asked: how long the others have after the first answer, and how long one that failed is left
 * alone.
 */
export const panelGraceMs = 250;
export const panelPauseMs = 1000;

/** How long a call waits for brokers that cannot be reached, and how often it tries. */
export const patienceMs = 10_000;
export const patienceStepMs = 100;

/** About what a record takes beside its value and its headers. */
export const recordOverheadBytes = 64;

/** Appends that wait for the same partition go out together up to about this size. */
export const appendTogetherBytes = 512 * 1024;

/** Above this many bytes waiting for one partition, further appends are refused (D8). */
export const appendWaitingBytes = 64 * 1024 * 1024;

/** One request to a leader holds batches up to about this size; brokers take 100 MB. */
export const produceRequestBytes = 8 * 1024 * 1024;

/** A batch beyond this is not sent: a broker would close the connection and say nothing. */
export const maxBatchBytes = 64 * 1024 * 1024;

/**
 * What a fetched partition may become when it is decompressed, with the batch that passes this; the rest is fetched again (D8). A ratio
 * of eight costs nothing.
 */
export const decompressedBytes = 8 * 1024 * 1024;

/** How long a broker waits for its in-sync replicas before it says that they are late. */
export const produceTimeoutMs = 10_000;

/** How long an append without a deadline of its own may take; until then its batch is sent again, unchanged. */
export const appendPatienceMs = 30_000;

/** How often deadlines of appends are looked at. */
export const appendSweepMs = 100;

/** While a leader cannot be reached or refuses, a batch is tried again after 100 ms at first, and after this at last. */
export const largestPatienceStepMs = 400;

/** An append that is not stored after this is late: other brokers are asked whether its leader still leads. */
export const lateAppendMs = 1000;

/** A partition that refuses is looked at after this, and less and less often, down to the second. */
export const probeStepMs = 200;
export const largestProbeStepMs = 1000;

/** A partition that was found well and has had no appends for so long counts as good as any other. */
export const untriedTrialMs = 60_000;

/** A leader that does not answer a probe for so long is not well. */
export const probeAnswerMs = 1000;

/** A group that could not be reached for so long is a failure of the poll, again after each such time. */
export const groupAwayMs = 30_000;
