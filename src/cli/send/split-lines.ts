import { Buffer } from 'node:buffer';
import { MillraceError } from '../../core/millrace-error.ts';
import { largestEventBytes, type OutgoingEvent } from './outgoing-event.ts';

const newline = 0x0a;
const carriageReturn = 0x0d;
const blank = /^[\t ]*$/;

/** The lines of a stream of bytes, byte for byte, without their line ends; blank lines are no events. */
export async function* splitLines(
  name: string,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<OutgoingEvent, void> {
  let line = 0;
  let parts: Uint8Array[] = [];
  let held = 0;
  const close = (): OutgoingEvent | undefined => {
    const whole = Buffer.concat(parts);
    parts = [];
    held = 0;
    line += 1;
    const body = whole.at(-1) === carriageReturn ? whole.subarray(0, -1) : whole;
    return body.length < 256 && blank.test(body.toString('latin1')) ? undefined : { place: `${name}:${line}`, body };
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let to = chunk.indexOf(newline); to !== -1; to = chunk.indexOf(newline, from)) {
      parts.push(chunk.subarray(from, to));
      const event = close();
      if (event !== undefined) yield event;
      from = to + 1;
    }
    parts.push(chunk.subarray(from));
    held += chunk.length - from;
    if (held > largestEventBytes)
      throw new MillraceError(
        'input.invalid',
        `${name}:${line + 1}: the line is longer than ${largestEventBytes} bytes.`,
      );
  }
  const last = held > 0 ? close() : undefined;
  if (last !== undefined) yield last;
}
