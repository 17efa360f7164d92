import { type ErrorDetails, isCancellation, messageOf, MillraceError } from '../../core/millrace-error.ts';
import type { ErrorCode } from '../../core/error-catalogue.ts';
import { passingTypes, refusedBeforeAppendTypes } from './error-codes.ts';

/** The name that Kafka's protocol has for the failure, for example `UNKNOWN_TOPIC_OR_PARTITION`; undefined when it has none. */
export function kafkaErrorType(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error)) return undefined;
  if ('type' in thrown && typeof thrown.type === 'string') return thrown.type;
  return thrown.cause === undefined ? undefined : kafkaErrorType(thrown.cause);
}

/** Failures of a socket that another try may mend; a refused certificate or password is none of them. */
const passingSocketCodes: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
const passingNames: ReadonlySet<string> = new Set([
  'KafkaJSConnectionError',
  'KafkaJSConnectionClosedError',
  'KafkaJSRequestTimeoutError',
  'KafkaJSBrokerNotFound',
  'KafkaJSLockTimeout',
  'KafkaJSMetadataNotLoaded',
  'KafkaJSGroupCoordinatorNotFound',
]);

/** True when brokers could not be reached, started, or moved what they lead: the same work may succeed a moment later. */
export function isPassing(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  const { name, cause } = thrown;
  if (name === 'KafkaJSNumberOfRetriesExceeded' || name === 'KafkaJSNonRetriableError') {
    return cause instanceof Error && cause !== thrown && isPassing(cause);
  }
  if (passingTypes.has(kafkaErrorType(thrown))) return true;
  if (!passingNames.has(name)) return false;
  return !('code' in thrown) || thrown.code === undefined || passingSocketCodes.has(thrown.code);
}

/** True when a leader refused a batch before it wrote anything of it. */
export function isRefusedBeforeAppend(thrown: unknown): boolean {
  return refusedBeforeAppendTypes.has(kafkaErrorType(thrown));
}

export function isTooLarge(thrown: unknown): boolean {
  return codeOf(kafkaErrorType(thrown)) === 'log.recordTooLarge';
}

/** What kafkajs threw, as an error of the product; a cancellation and a MillraceError come back as they are. */
export function fromKafka(thrown: unknown, what: string, details: ErrorDetails = {}): Error {
  if (thrown instanceof Error && (thrown instanceof MillraceError || isCancellation(thrown))) return thrown;
  const reason = messageOf(thrown);
  return new MillraceError(codeOf(kafkaErrorType(thrown)), `${what}: ${reason}`, { cause: thrown, details });
}

function codeOf(type: string | undefined): ErrorCode {
  switch (type) {
    case 'MESSAGE_TOO_LARGE':
    case 'RECORD_LIST_TOO_LARGE':
      return 'log.recordTooLarge';
    case 'UNKNOWN_TOPIC_OR_PARTITION':
    case 'UNKNOWN_TOPIC_ID':
    case 'INCONSISTENT_TOPIC_ID':
      return 'log.topicNotFound';
    default:
      return 'log.unavailable';
  }
}

/** For a topic, or a partition of it, that is not there. */
export function topicNotFound(topic: string, partition?: number): MillraceError {
  const what = partition === undefined ? `topic "${topic}"` : `partition ${partition} of topic "${topic}"`;
  return new MillraceError('log.topicNotFound', `${what} does not exist`, { details: { topic, partition } });
}

/** kafkajs gathers what happened to each of the topics that were to be made, in an error that says nothing itself; there is one. */
export function reasonOfTopic(thrown: unknown): unknown {
  if (!(thrown instanceof Error) || !('errors' in thrown) || !Array.isArray(thrown.errors)) return thrown;
  const errors: readonly unknown[] = thrown.errors;
  return errors[0] ?? thrown;
}
