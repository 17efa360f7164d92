import type { IHeaders, Message } from 'kafkajs';
import type { LogRecord, NewRecord } from '../../ports/event-log.ts';
import { fromKafkaHeaders, toKafkaHeaders } from './record-headers.ts';

/** A record as kafkajs decodes it. */
export interface FetchedRecord {
  readonly offset: string;
  readonly timestamp: string;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers?: IHeaders;
  /** A marker of a transaction: takes an offset and is no record. */
  readonly isControlRecord?: boolean;
  readonly batchContext?: {
    readonly producerId: string;
    readonly inTransaction: boolean;
    readonly firstOffset: string;
    readonly lastOffsetDelta: number;
  };
}

/** One past the last offset that the record's batch covers, also when compaction took its last records. */
export function endOfBatch({ offset, batchContext }: FetchedRecord): number {
  if (batchContext === undefined) return Number(offset) + 1;
  return Number(batchContext.firstOffset) + batchContext.lastOffsetDelta + 1;
}

export function toKafkaMessage({ value, headers, timestamp }: NewRecord, partition: number): Message {
  return {
    value: Buffer.from(value.buffer, value.byteOffset, value.byteLength),
    headers: toKafkaHeaders(headers),
    timestamp: String(timestamp),
    partition,
  };
}

/** The record of the port; a tombstone of another producer has an empty value, its key is not kept. */
export function toLogRecord({ offset, timestamp, value, headers }: FetchedRecord): LogRecord {
  return {
    offset: Number(offset),
    timestamp: Number(timestamp),
    value: value ?? new Uint8Array(0),
    headers: fromKafkaHeaders(headers),
  };
}

export interface AbortedTransaction {
  readonly producerId: string;
  readonly firstOffset: string;
}

/** Marker of an aborted transaction: version 0, type 0. */
const abortKey = Buffer.alloc(4);

/** Without markers and without what aborted transactions wrote; records in ascending offsets. */
export function committedRecords(
  records: readonly FetchedRecord[],
  aborted: readonly AbortedTransaction[] | null,
): readonly FetchedRecord[] {
  const ahead = [...(aborted ?? [])].sort((a, b) => Number(a.firstOffset) - Number(b.firstOffset));
  const open = new Set<string>();
  return records.filter(({ offset, key, isControlRecord, batchContext }) => {
    while (ahead[0] !== undefined && Number(ahead[0].firstOffset) <= Number(offset)) {
      open.add(ahead[0].producerId);
      ahead.shift();
    }
    const producerId = batchContext?.producerId ?? '';
    if (isControlRecord === true) {
      if (key?.equals(abortKey) === true) open.delete(producerId);
      return false;
    }
    return batchContext?.inTransaction !== true || !open.has(producerId);
  });
}
