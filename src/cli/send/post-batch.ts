import { Buffer } from 'node:buffer';
import type { OutgoingEvent } from './outgoing-event.ts';
import { inHalves, type OnSent } from './in-halves.ts';
import { postBody, type PostOptions } from './post-body.ts';

/** How the events of a request are told apart: by lines, or not at all, and then there is one. */
export type Framing = 'lines' | 'one';

export interface PostBatch extends PostOptions {
  readonly framing: Framing;
}

/**
 * Sends events in one request. One that is too large for its receiver (413, of which nothing is stored) is sent again as two
 * halves, down to the event that is itself too large.
 */
export async function postBatch(events: readonly OutgoingEvent[], options: PostBatch, onSent: OnSent): Promise<void> {
  await inHalves(events, (some) => postBody(bodyOf(some, options.framing), options), onSent);
}

const lineEnd = Buffer.from('\n');
/** Behind an event that itself ends with a carriage return, which would be taken for a part of the line end. */
const longLineEnd = Buffer.from('\r\n');
const carriageReturn = 0x0d;

function bodyOf(events: readonly OutgoingEvent[], framing: Framing): Uint8Array {
  const [first] = events;
  if (framing === 'one' && first !== undefined) return first.body;
  return Buffer.concat(events.flatMap(({ body }) => [body, body.at(-1) === carriageReturn ? longLineEnd : lineEnd]));
}
