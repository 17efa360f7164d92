import type { KafkaEventLogOptions } from '../../adapters/kafka/config.ts';
import type { KafkaLog } from '../../config/topology/kafka-log.ts';
import type { Logs, StoreRow } from './store-row.ts';
import { tlsOptions } from './tls-options.ts';

export const kafkaLog: StoreRow<KafkaLog, Logs> = {
  async open(log, { clientId, appends }) {
    const { openKafkaEventLog } = await import('../../adapters/kafka/event-log.ts');
    const observed = appends === undefined ? {} : { observer: appends, answers: appends };
    return {
      sourceLog: openKafkaEventLog({ ...sourceOptions(log, clientId), ...observed }),
      sinkLog: openKafkaEventLog({ ...sinkOptions(log, clientId), ...observed }),
      maxSinkAppendBytes: maxSinkAppendBytes(log),
    };
  },
  async check(log, { clientId, now, signal }) {
    const { checkKafka } = await import('../../adapters/kafka/check-kafka.ts');
    return checkKafka(sourceOptions(log, clientId), { now, signal });
  },
  isRefused: () => false,
};

function ofBrokers(
  { brokers, tls, sasl, sessionTimeoutMs, compression }: KafkaLog,
  clientId: string,
): KafkaEventLogOptions {
  return {
    brokers,
    clientId,
    sessionTimeoutMs,
    compression,
    ...(tls === undefined ? {} : { tls: tlsOptions(tls) }),
    ...(sasl === undefined ? {} : { sasl: { ...sasl, password: sasl.password.reveal() } }),
  };
}

/** New topics of sources are kept as the topology says. */
function sourceOptions(log: KafkaLog, clientId: string): KafkaEventLogOptions {
  return { ...ofBrokers(log, clientId), topics: log.topics };
}

/** Topics of sinks are trimmed by the product and by nobody else. */
function sinkOptions(log: KafkaLog, clientId: string): KafkaEventLogOptions {
  const { replication, minInSyncReplicas } = log.topics;
  return {
    ...ofBrokers(log, clientId),
    topics: { replication, minInSyncReplicas, maxAppendBytes: maxSinkAppendBytes(log) },
  };
}

/** A dead letter holds its event in base64, with reason and headers. */
function maxSinkAppendBytes({ topics }: KafkaLog): number {
  return 2 * topics.maxAppendBytes;
}
