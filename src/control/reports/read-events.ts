import { setImmediate } from 'node:timers/promises';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Offset } from '../../core/offset.ts';
import type { SourceKey } from '../../core/ids.ts';
import type { IdentifiedPartition, RecordBatch } from '../../ports/event-log.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { describeKnownTopic } from '../ends/read-ends.ts';
import type { Parts } from '../parts.ts';
import type { EventsPosition } from './events-position.ts';
import { KeptEvents } from './kept-events.ts';
import { shownEvent, type ShownEvent } from './shown-event.ts';

type ReadEventsParts = Pick<Parts, 'definitions' | 'sourceLog'>;

export interface ShownEvents {
  /** By the time of their arrival; those of one partition as they lie in it. */
  readonly events: readonly ShownEvent[];
  /** From where the events behind these are read. */
  readonly next: EventsPosition;
  /** So many offsets between the position and these events are not there any more: retention has taken them. */
  readonly skipped: number;
}

export interface EventsAsked {
  readonly key: SourceKey;
  /** Absent: the last events. A position of an earlier existence of the source: all that this one has. */
  readonly position?: EventsPosition;
  /** Up to `limits.shownEvents`. */
  readonly limit: number;
}

/**
 * The last events of a source, or those from a position on, without a group and without a trace: at most `limit`, and about
 * `limits.shownEventsBytes` of them, one at least where there is one. `source.notFound`, `input.invalid` for a position
 * behind the end of the log, `log.topicNotFound`, `progress.topicChanged`.
 */
export async function readEvents(
  { definitions, sourceLog }: ReadEventsParts,
  { key, position, limit }: EventsAsked,
  options: Waiting,
): Promise<ShownEvents> {
  const source = await definitions.source(key, options);
  const { topic, topicIdentity: identity, incarnation } = source;
  const { partitions } = await describeKnownTopic(sourceLog, { name: topic, identity }, options);
  const from = position?.incarnation === incarnation ? position.offsets : [];
  const kept = new KeptEvents({ limit, end: position === undefined ? 'last' : 'first' });
  const secrets = source.secrets.map(({ text }) => text);
  const next: Offset[] = [];
  let skipped = 0;
  for (let partition = 0; partition < partitions; partition += 1) {
    const at = { topic, identity, partition };
    const batch =
      position === undefined
        ? await readLast(sourceLog, { at, count: limit }, options)
        : await sourceLog.read(at, from[partition] ?? 0, options);
    if (batch.failure !== undefined) throw toldOf(batch.failure);
    if (position?.incarnation === incarnation) skipped += Math.max(0, batch.first - (from[partition] ?? 0));
    next.push(batch.next);
    kept.add(batch.records.map((record) => shownEvent(record, at, secrets)));
    // A log in a file reads without waiting, and others wait for this thread.
    await setImmediate();
    options.signal.throwIfAborted();
  }
  for (const { partition, offset } of kept.left) next[partition] = Math.min(next[partition] ?? offset, offset);
  return { events: kept.events, next: { incarnation, offsets: next }, skipped };
}

/** The position is the caller's: a log that ends before it, as after a restore, is no reason to come again. */
function toldOf(failure: MillraceError): MillraceError {
  if (failure.code !== 'progress.logBehind') return failure;
  const { partition, offset, end } = failure.details;
  const place = `offset ${String(offset)} of partition ${String(partition)}`;
  const message = `"position" names ${place}, and the log of the source ends at ${String(end)}: it was put back to an earlier time, or the position is of another source; begin anew, without "position"`;
  return new MillraceError('input.invalid', message, { cause: failure });
}

interface ShortAsked extends LastAsked {
  readonly short: RecordBatch;
  readonly stableEnd: Offset;
}

/** Only markers may lie where reads end early, as at the end of a file of the log: goes on from a read that has records. */
async function readOn(
  log: ReadEventsParts['sourceLog'],
  { at, short, count, stableEnd }: ShortAsked,
  options: Waiting,
): Promise<RecordBatch> {
  let batch = short;
  for (let tries = 1; batch.next < stableEnd && tries <= mostTries; tries += 1) {
    const further = await log.read(at, batch.next, options);
    if (further.failure !== undefined || further.next <= batch.next) break;
    batch = { ...further, records: [...batch.records, ...further.records].slice(-count) };
  }
  return batch;
}

interface LastAsked {
  readonly at: IdentifiedPartition;
  readonly count: number;
}

/** A log tells what lies from an offset on, so much at a time: the last records are found by beginning earlier, or later. */
const mostTries = 16;

/** At least the last record of a partition, and up to `count` of the last ones where about a megabyte holds them. */
async function readLast(
  log: ReadEventsParts['sourceLog'],
  { at, count }: LastAsked,
  options: Waiting,
): Promise<RecordBatch> {
  const { first, stableEnd } = await log.range(at, options);
  let back = count;
  /** Began too early: it does not reach the end. */
  let short: RecordBatch | undefined;
  for (let tries = 1; ; tries += 1) {
    const begin = Math.max(first, stableEnd - back);
    const batch = await log.read(at, begin, options);
    const isWhole = batch.failure !== undefined || batch.next >= stableEnd;
    const isEnough = batch.records.length >= count || begin <= first || short !== undefined;
    if ((isWhole && isEnough) || tries >= mostTries || (!isWhole && back === 1)) {
      const isEmpty = batch.records.length === 0 && batch.failure === undefined;
      return isEmpty && short !== undefined ? readOn(log, { at, short, count, stableEnd }, options) : batch;
    }
    if (!isWhole) short = batch;
    // Offsets of markers have no record.
    back = isWhole ? back * 2 : Math.max(1, Math.floor(back / 2));
  }
}
