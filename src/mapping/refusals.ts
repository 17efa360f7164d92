import type { Refusal } from '../core/dead-letter.ts';
import { limits } from '../core/limits.ts';
import { shortened } from '../core/shortened.ts';

/** The cell of `column` would make the row longer than the limit. */
export function rowTooLarge(column: string): Refusal {
  return {
    reason: 'rowTooLarge',
    column,
    message: `the row is over the limit of ${limits.rowBytes} bytes at column "${column}": send a smaller event or map less of it`,
    place: '',
  };
}

/** The row is within the limit of rows, and longer than what the topic of the sink takes. */
export function rowTooLargeForTopic(bytes: number, maxBytes: number): Refusal {
  return {
    reason: 'rowTooLarge',
    column: '',
    message: `the row has ${bytes} bytes and the topic of the sink takes ${maxBytes}: let the topic take larger records or map less of the event`,
    place: '',
  };
}

/** The rows of all events of a record together are longer than what the topic of the sink takes. */
export function recordTooLargeForTopic(events: number, maxBytes: number): Refusal {
  return {
    reason: 'rowTooLarge',
    column: '',
    message: `the record holds ${events} events, whose rows take more than the ${maxBytes} bytes that one record of the topic of the sink may have: let the producer send smaller batches or the topic take larger records, or map less of the events`,
    place: '',
  };
}

/** The body is not read at all. */
export function eventTooLarge(bytes: number): Refusal {
  return {
    reason: 'eventTooLarge',
    column: '',
    message: `the body of the event has ${bytes} bytes, over the limit of ${limits.eventBytes}: send smaller events`,
    place: '',
  };
}

/** The value of a record cannot be decoded; `problem` names the schema. */
export function undecodable(problem: string): Refusal {
  return {
    reason: 'undecodable',
    column: '',
    message: `the value of the record cannot be decoded: ${problem}`,
    place: '',
  };
}

/** The cell of `column` cannot be a text; `why` is, for example, `it is not valid UTF-8`. */
export function invalidText(column: string, why: string): Refusal {
  return {
    reason: 'invalidText',
    column,
    message: `column "${column}" cannot hold the value as text: ${why}`,
    place: '',
  };
}

/** Why nothing is found in a body of this Content-Type; empty: it has none. */
export function unsupportedType(contentType: string): string {
  const what =
    contentType === ''
      ? 'the event has no content type: let its sender give one in the header Content-Type, or its source in the setting ingest.defaultContentType'
      : `unsupported content type "${shortened(contentType, 200)}"`;
  return `${what}${contentType === '' ? ';' : ','} supported types: application/json, application/x-www-form-urlencoded and multipart/form-data; a column of type body and BodyStr() take any body`;
}

export const notUtf8 = 'it is not valid UTF-8';
export const holdsNul = 'it contains the character U+0000';

/** Why a text cannot be a cell, undefined when it can. */
export function textFault(text: string): string | undefined {
  if (text.includes('\0')) return holdsNul;
  if (!text.isWellFormed()) return 'it contains half of a surrogate pair, which UTF-8 cannot write';
  return undefined;
}
