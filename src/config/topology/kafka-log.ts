import { z } from 'zod';
import { choice, duration, integer, size, word } from '../primitives.ts';
import type { Secret } from '../secrets.ts';
import { field, optional, secretField, withDefault } from './fields.ts';
import { tls, type Tls } from './tls.ts';

const second = 1000;
const day = 24 * 60 * 60 * second;

export interface KafkaLog {
  readonly kind: 'kafka';
  /** `host:port`. */
  readonly brokers: readonly string[];
  /** Absent: plain text. */
  readonly tls?: Tls | undefined;
  readonly sasl?: Sasl | undefined;
  readonly sessionTimeoutMs: number;
  /** Of the batches that are appended. */
  readonly compression: 'none' | 'gzip' | 'snappy' | 'lz4' | 'zstd';
  readonly topics: {
    /** Absent: as the brokers are configured. */
    readonly replication?: number | undefined;
    readonly minInSyncReplicas?: number | undefined;
    /** Of source topics. */
    readonly retentionMs: number;
    readonly retentionBytes?: number | undefined;
    /** Largest append to a source topic: all events of one request. */
    readonly maxAppendBytes: number;
  };
}

interface Sasl {
  readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
  readonly username: string;
  readonly password: Secret;
}

const sasl = z.strictObject({
  mechanism: field(choice(['plain', 'scram-sha-256', 'scram-sha-512'])),
  username: field(word('a user name', /^.{1,500}$/)),
  password: secretField('a password'),
});

const topics = z.strictObject({
  replication: optional(field(integer(1, 100))),
  minInSyncReplicas: optional(field(integer(1, 100))),
  retention: withDefault(field(duration(60 * second, 10_000 * day)), '168h'),
  retentionBytes: optional(field(size('1MB', '1000TB'))),
  maxAppendBytes: withDefault(field(size('1MB', '512MB')), '8MB'),
});

export const kafkaLog = z
  .strictObject({
    kind: z.literal('kafka'),
    brokers: z
      .array(field(word('a broker as host:port', /^(\[[0-9a-fA-F:]+\]|[\w.-]+):\d{1,5}$/)))
      .min(1, 'needs one broker or more'),
    tls: tls.optional(),
    sasl: sasl.optional(),
    sessionTimeout: withDefault(field(duration(second, 1800 * second)), '10s'),
    compression: withDefault(field(choice(['none', 'gzip', 'snappy', 'lz4', 'zstd'])), 'none'),
    topics: withDefault(topics, {}),
  })
  .transform(({ sessionTimeout: sessionTimeoutMs, topics: { retention: retentionMs, ...topicFields }, ...rest }) => ({
    ...rest,
    sessionTimeoutMs,
    topics: { ...topicFields, retentionMs },
  })) satisfies z.ZodType<KafkaLog>;
