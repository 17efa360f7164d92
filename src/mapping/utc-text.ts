import { Buffer } from 'node:buffer';

/** The years 0000 to 9999, which is what the format can write. */
const minMs = -62_167_219_200_000;
const maxMs = 253_402_300_799_999;

/** Length of `YYYY-MM-DDTHH:MM:SS.mmmZ`. */
export const utcTextBytes = 24;

/** Writes times as `YYYY-MM-DDTHH:MM:SS.mmmZ`. It keeps the last second, because events come in the order of time. */
export class UtcText {
  readonly #bytes = Buffer.alloc(utcTextBytes);
  #second = Number.NaN;

  /** The text of `ms` since the epoch, overwritten by the next call; undefined for a time outside of years 0000 to 9999. */
  bytes(ms: number): Buffer | undefined {
    const second = Math.floor(ms / 1000);
    if (second !== this.#second) {
      if (!(ms >= minMs && ms <= maxMs)) return undefined;
      this.#bytes.write(new Date(second * 1000).toISOString(), 'latin1');
      this.#second = second;
    }
    const rest = Math.floor(ms - second * 1000);
    this.#bytes[20] = 0x30 + Math.floor(rest / 100);
    this.#bytes[21] = 0x30 + (Math.floor(rest / 10) % 10);
    this.#bytes[22] = 0x30 + (rest % 10);
    return this.#bytes;
  }
}

/** The time as a date; undefined outside of years 0000 to 9999. */
export function utcDate(ms: number): Date | undefined {
  return ms >= minMs && ms <= maxMs ? new Date(ms) : undefined;
}

/** The same as text; a time that the format cannot write comes back as its number. */
export function utcText(ms: number): string {
  return ms >= minMs && ms <= maxMs ? new Date(ms).toISOString() : String(ms);
}
