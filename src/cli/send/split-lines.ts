import { Buffer } from 'node:buffer';
import { MillraceError } from '../../core/millrace-error.ts';
import { largestEventBytes, type OutgoingBatch, type OutgoingEvent } from './outgoing-event.ts';

const newline = 0x0a;
const carriageReturn = 0x0d;
const blank = /^[\t ]*$/;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** The lines of a stream of bytes, byte for byte, without their line ends; blank lines are no events. */
export async function* splitLines(
  name: string,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<OutgoingEvent, void> {
  for await (const { events } of splitChunks(name, chunks)) yield* events;
}

/** The same, those that ended in one piece of the stream together: nothing waits for what has not come. */
export async function* splitChunks(
  name: string,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<OutgoingBatch, void> {
  let line = 0;
  let parts: Uint8Array[] = [];
  let held = 0;
  let bytes = 0;
  const close = (): OutgoingEvent | undefined => {
    const whole = Buffer.concat(parts);
    parts = [];
    held = 0;
    line += 1;
    const ended = whole.at(-1) === carriageReturn ? whole.subarray(0, -1) : whole;
    const body = line === 1 && ended.subarray(0, 3).equals(byteOrderMark) ? ended.subarray(3) : ended;
    return body.length < 256 && blank.test(body.toString('latin1')) ? undefined : { place: `${name}:${line}`, body };
  };
  for await (const chunk of chunks) {
    const events: OutgoingEvent[] = [];
    let from = 0;
    for (let to = chunk.indexOf(newline); to !== -1; to = chunk.indexOf(newline, from)) {
      parts.push(chunk.subarray(from, to));
      const event = close();
      if (event !== undefined) events.push(event);
      from = to + 1;
    }
    parts.push(chunk.subarray(from));
    held += chunk.length - from;
    bytes += chunk.length;
    if (events.length > 0) {
      yield { events, bytes };
      bytes = 0;
    }
    if (held > largestEventBytes)
      throw new MillraceError(
        'input.invalid',
        `${name}:${line + 1}: the line is longer than ${largestEventBytes} bytes.`,
      );
  }
  const last = held > 0 ? close() : undefined;
  if (last !== undefined) yield { events: [last], bytes };
}
