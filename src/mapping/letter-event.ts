import { Buffer } from 'node:buffer';
import type { DeadLetterCells } from '../core/dead-letter.ts';
import { reservedHeaders } from '../core/event.ts';
import { parseJsonText } from '../core/parse-json-text.ts';
import { canonicalHeaderName } from './canonical-headers.ts';
import { eventOfRecord, type MappedEvent } from './event-of-record.ts';

/** The header that tells letters which are mapped again: it is among the headers of a whole event only. */
const idHeader = canonicalHeaderName(reservedHeaders.id);

/**
 * The event that a dead letter keeps, which every mapping takes for the one that was refused. Undefined where the letter does not keep
 * all of it: only its head, a record that could not be taken apart, or a letter that an earlier version of the product wrote.
 */
export function eventOfLetter({ headers, body, ...cells }: DeadLetterCells): MappedEvent | undefined {
  const named = headersOf(headers);
  if (named === undefined || named[idHeader] !== cells.event_id) return undefined;
  const timestamp = Date.parse(cells.arrived_at);
  if (Number.isNaN(timestamp)) return undefined;
  const record = { value: Buffer.from(body, 'base64'), headers: Object.entries(named).flat(), timestamp };
  return eventOfRecord(record, { topic: '', partition: Number(cells.partition), offset: Number(cells.offset) });
}

function headersOf(text: string): Readonly<Record<string, string>> | undefined {
  try {
    const value = parseJsonText(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const members = Object.entries(value);
    return members.every(([, one]) => typeof one === 'string') ? Object.fromEntries(members) : undefined;
  } catch {
    return undefined;
  }
}
