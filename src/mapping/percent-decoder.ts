import { Buffer, isUtf8 } from 'node:buffer';
import { FormFault } from './form-fault.ts';

const ampersand = 0x26;
const percent = 0x25;
const plus = 0x2b;
const space = 0x20;

/** Reads the names and values of a form body, in the order in which they stand in it. */
export class PercentDecoder {
  readonly #encoded: Uint8Array;
  /** All texts without their escapes, one behind the other: they are never longer than the body. */
  readonly #decoded: Buffer;
  #length = 0;
  #end = 0;

  constructor(encoded: Uint8Array) {
    this.#encoded = encoded;
    this.#decoded = Buffer.allocUnsafe(encoded.length);
  }

  /** Where the last text ended: at its stop, at `&`, or at the end of the body. */
  get end(): number {
    return this.#end;
  }

  /** The text from `at` to the first `stop`, `&` or end; its bytes when it is not UTF-8. A broken escape is a `FormFault`. */
  text(at: number, stop: number): string | Buffer {
    const encoded = this.#encoded;
    const decoded = this.#decoded;
    const start = this.#length;
    let length = start;
    let bits = 0;
    for (; at < encoded.length; at++) {
      let byte = encoded[at] as number;
      if (byte === ampersand || byte === stop) break;
      if (byte === percent) {
        byte = (hexDigit(encoded[at + 1]) << 4) | hexDigit(encoded[at + 2]);
        if (byte < 0) throw brokenEscape(encoded.subarray(at, at + 3));
        at += 2;
      } else if (byte === plus) {
        byte = space;
      }
      bits |= byte;
      decoded[length++] = byte;
    }
    this.#length = length;
    this.#end = at;
    if (bits < 0x80) return decoded.toString('latin1', start, length);
    const bytes = decoded.subarray(start, length);
    return isUtf8(bytes) ? bytes.toString() : bytes;
  }
}

/** Negative for what is no hexadecimal digit. */
function hexDigit(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

function brokenEscape(bytes: Uint8Array): FormFault {
  const [shown = ''] = /^[^&=]*/.exec(Buffer.from(bytes).toString('latin1')) ?? [];
  return new FormFault(`invalid percent encoding "${shown}"`);
}
