import { Buffer } from 'node:buffer';
import { deadLetterColumns, type Refusal } from '../core/dead-letter.ts';
import type { Incarnation, SinkKey } from '../core/ids.ts';
import { limits } from '../core/limits.ts';
import type { Offset, Partition } from '../core/offset.ts';
import { shortened } from '../core/shortened.ts';
import { canonicalHeaders, headersJson } from './canonical-headers.ts';
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
  /** The event is what a mapping would read: it may have another try at it. False for a record that could not be taken apart. */
  readonly isWhole: boolean;
}

/** What is kept of the body of an event that does not fit, bytes. */
const bodyHeadBytes = 64 * 1024;
/** What is kept of its headers, characters of names and values. */
const headersHeadLength = 16 * 1024;
const headersHeadCount = 256;
const messageLength = 4096;

/** A line with the head of an event is never longer: for a limit at or above this, no event is too large. */
export const shortestDeadLetterLimit = 256 * 1024;

/**
 * Writes a dead letter as a line of the dead letter table, its line end included, at the end of `writer`. It succeeds
 * for every event: the body is base64, of a value that a schema decoded the JSON; in other texts what no cell can hold becomes U+FFFD.
 * Beside its own headers a whole event has those of the product, so that `eventOfLetter` makes the same event of it. Of an event whose
 * line would be longer than `maxBytes` (at least `shortestDeadLetterLimit`) it keeps the head, and the message says how much there was.
 */
export function writeDeadLetterLine(
  letter: DeadLetter,
  writer: LineWriter,
  maxBytes: number = limits.deadLetterBytes,
): void {
  const { body, headers, headerLength } = letter.event;
  const bytes = Math.ceil(body.length / 3) * 4 + Math.max(headerLength, headers.length);
  if (bytes < maxBytes && writeLine(wholeLetter(letter), writer, maxBytes)) return;
  writeLine(headOfLetter(letter), writer, maxBytes);
}

type Cells = Record<(typeof deadLetterColumns)[number], string>;

/** False, and nothing is written, when the line would be longer. */
function writeLine(cells: Cells, writer: LineWriter, maxBytes: number): boolean {
  writer.begin(maxBytes);
  for (const column of deadLetterColumns) {
    if (column === 'body' ? writer.writePlain(cells.body) : writer.writeText(cellText(cells[column]))) continue;
    writer.rollback();
    return false;
  }
  writer.end();
  return true;
}

function cellText(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed();
}

function wholeLetter(letter: DeadLetter): Cells {
  const { event, isWhole } = letter;
  const headers = isWhole ? headersJson(canonicalHeaders(event.recordHeaders)) : event.headersJson();
  return { ...cellsOf(letter), headers, body: base64(event.body) };
}

function headOfLetter(letter: DeadLetter): Cells {
  const { body, headers, headerLength } = letter.event;
  const head = headersHead(headers);
  const bodyBytes = Math.min(body.length, bodyHeadBytes);
  const kept =
    `only the head of the event is kept, which is too large for a dead letter: ` +
    `${bodyBytes} of ${body.length} bytes of the body, ${head.length} of ${headerLength} characters of the headers`;
  const cells = cellsOf(letter);
  return {
    ...cells,
    message: `${shortened(cells.message, messageLength)} (${kept})`,
    headers: headersJson(canonicalHeaders(head.headers)),
    body: base64(body.subarray(0, bodyBytes)),
  };
}

/** The first headers, the last of them perhaps cut. */
function headersHead(headers: readonly string[]): { readonly headers: readonly string[]; readonly length: number } {
  const head: string[] = [];
  let length = 0;
  for (const text of headers.slice(0, 2 * headersHeadCount)) {
    if (length === headersHeadLength && head.length % 2 === 0) break;
    const kept = text.slice(0, headersHeadLength - length);
    head.push(kept);
    length += kept.length;
  }
  return { headers: head, length };
}

function base64({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}

function cellsOf({ sink, event, refusal, ...place }: DeadLetter): Omit<Cells, 'headers' | 'body'> {
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
  };
}
