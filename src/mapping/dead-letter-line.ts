import { Buffer } from 'node:buffer';
import { deadLetterColumns, type Refusal } from '../core/dead-letter.ts';
import type { Incarnation, SinkKey } from '../core/ids.ts';
import type { Offset, Partition } from '../core/offset.ts';
import type { LineWriter } from './line-writer.ts';
import type { MappedEvent } from './mapped-event.ts';
import { utcText } from './utc-text.ts';

/** A refused event and where it came from. */
export interface DeadLetter {
  readonly sink: SinkKey;
  readonly incarnation: Incarnation;
  readonly mappingVersion: number;
  readonly partition: Partition;
  readonly offset: Offset;
  readonly event: MappedEvent;
  readonly refusal: Refusal;
}

/** The row limit does not hold for dead letters: an event that is too large for a row must still be kept. */
const maxBytes = 2 ** 30;

/**
 * Writes a dead letter as a line of the dead letter table, its line end included, at the end of `writer`. It succeeds
 * for every event: the body is base64, and in other texts what no cell can hold becomes U+FFFD.
 */
export function writeDeadLetterLine(letter: DeadLetter, writer: LineWriter): void {
  writer.begin(maxBytes);
  const cells = cellsOf(letter);
  for (const column of deadLetterColumns) writer.writeText(cells[column].replaceAll('\0', '\uFFFD').toWellFormed());
  writer.end();
}

function cellsOf({ sink, event, refusal, ...place }: DeadLetter): Record<(typeof deadLetterColumns)[number], string> {
  const { buffer, byteOffset, byteLength } = event.body;
  return {
    incarnation: String(place.incarnation),
    source: sink.sourceId,
    sink: sink.sinkId,
    partition: String(place.partition),
    offset: String(place.offset),
    event_id: event.id,
    arrived_at: utcText(event.arrivedAt),
    reason: refusal.reason,
    column: refusal.column,
    message: refusal.message,
    place: refusal.place,
    mapping_version: String(place.mappingVersion),
    headers: event.headersJson(),
    body: Buffer.from(buffer, byteOffset, byteLength).toString('base64'),
  };
}
