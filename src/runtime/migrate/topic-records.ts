import { createHash } from 'node:crypto';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Offset } from '../../core/offset.ts';
import type { EventLog, IdentifiedPartition, LogRecord } from '../../ports/event-log.ts';
import type { Waiting } from '../../ports/waiting.ts';

export interface RecordsWanted {
  readonly at: IdentifiedPartition;
  /** Offsets from the one, before the other. */
  readonly first: Offset;
  readonly end: Offset;
}

/**
 * Records of a partition that nobody writes, about a megabyte at a time. An offset without a record is `migration.refused`: what the log
 * has lost is counted by a process that runs, not by a copy.
 */
export async function* recordsOf(
  log: EventLog,
  { at, first, end }: RecordsWanted,
  options: Waiting,
): AsyncGenerator<readonly LogRecord[]> {
  for (let next = first; next < end;) {
    const batch = await log.read(at, next, options);
    if (batch.failure !== undefined) throw batch.failure;
    for (const { offset } of batch.records) {
      if (offset !== next) throw missing(at, next);
      next += 1;
    }
    if (batch.records.length === 0) throw missing(at, next);
    yield batch.records;
  }
}

function missing({ topic, partition }: IdentifiedPartition, offset: Offset): MillraceError {
  const message = `the topic "${topic}" has no record at offset ${offset} of partition ${partition}: start the process, which counts what its log has lost, and stop it when "millrace progress" shows that`;
  return new MillraceError('migration.refused', message, { details: { topic, partition, offset } });
}

/** About what a record takes. */
export function bytesOf({ value, headers }: Pick<LogRecord, 'value' | 'headers'>): number {
  return headers.reduce((sum, text) => sum + text.length, value.length) + 16;
}

/** Tells whether two partitions hold the same: records are added in order, by their place from the first one on. */
export class RecordDigest {
  readonly #hash = createHash('sha256');
  #records = 0;

  add({ value, headers, timestamp }: Pick<LogRecord, 'value' | 'headers' | 'timestamp'>): void {
    this.#hash.update(JSON.stringify([this.#records, timestamp, value.length, headers])).update(value);
    this.#records += 1;
  }

  text(): string {
    return this.#hash.digest('hex');
  }
}
