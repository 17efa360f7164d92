import { limits } from '../../core/limits.ts';
import type { Offset, TopicPartition } from '../../core/offset.ts';
import { eventOfRecord, type RecordPlace } from '../../mapping/event-of-record.ts';
import type { LogRecord } from '../../ports/event-log.ts';

/** An event as it lies in the topic of its source. */
export interface ShownEvent {
  readonly partition: number;
  readonly offset: Offset;
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly arrivedAt: number;
  /** Empty for the record of a Kafka producer. */
  readonly remoteAddress: string;
  /** As a `headers` column has them; `***` stands where a value has a secret (A29). */
  readonly headers: Readonly<Record<string, string>>;
  /** Its beginning, up to `limits.shownBodyBytes`; a copy. */
  readonly body: Uint8Array;
  /** Bytes of the whole body. */
  readonly bodySize: number;
}

export function shownEvent(
  record: Pick<LogRecord, 'offset' | 'value' | 'headers' | 'timestamp'>,
  { topic, partition, item }: TopicPartition & Pick<RecordPlace, 'item'>,
  secrets: readonly string[],
): ShownEvent {
  const { offset } = record;
  const event = eventOfRecord(record, {
    topic,
    partition,
    offset,
    ...(item === undefined ? {} : { item }),
  });
  const headers = Object.entries(event.canonicalHeaders).map(
    ([name, value]) => [name, masked(value, secrets)] as const,
  );
  return {
    partition,
    offset,
    id: event.id,
    arrivedAt: event.arrivedAt,
    remoteAddress: event.remoteAddress,
    headers: Object.fromEntries(headers),
    body: beginningOf(event.body),
    bodySize: event.body.length,
  };
}

/** Ingest keeps none; a producer of Kafka writes what it likes. */
function masked(value: string, secrets: readonly string[]): string {
  return secrets.reduce((text, secret) => text.replaceAll(secret, '***'), value);
}

/** A character of UTF-8 is not cut. */
function beginningOf(body: Uint8Array): Uint8Array {
  const most = limits.shownBodyBytes;
  if (body.length <= most) return body.slice();
  let end = most;
  while (end > most - 4 && isContinuation(body[end])) end -= 1;
  return body.slice(0, end);
}

function isContinuation(byte = 0): boolean {
  return (byte & 0xc0) === 0x80;
}
