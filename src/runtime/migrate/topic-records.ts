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
  wanted: RecordsWanted,
  options: Waiting,
): AsyncGenerator<readonly LogRecord[]> {
  let next = wanted.first;
  for await (const records of recordsThere(log, wanted, options)) {
    yield records;
    next += records.length;
  }
  if (next < wanted.end) throw missing(wanted.at, next);
}

/** Of all records from the one offset on and before the other, up to the first that is not there. */
export async function digestOf(log: EventLog, wanted: RecordsWanted, options: Waiting): Promise<string> {
  const digest = new RecordDigest();
  for await (const records of recordsThere(log, wanted, options)) for (const record of records) digest.add(record);
  return digest.text();
}

/** The same records, up to the first offset that has none. */
async function* recordsThere(
  log: EventLog,
  { at, first, end }: RecordsWanted,
  options: Waiting,
): AsyncGenerator<readonly LogRecord[]> {
  for (let next = first; next < end;) {
    const batch = await log.read(at, next, options);
    if (batch.failure !== undefined) throw batch.failure;
    const gap = batch.records.findIndex(({ offset }, place) => offset !== next + place);
    const records = gap < 0 ? batch.records : batch.records.slice(0, gap);
    if (records.length > 0) yield records;
    if (records.length === 0 || gap >= 0) return;
    next += records.length;
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
