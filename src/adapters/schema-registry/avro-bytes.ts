import { isUtf8 } from 'node:buffer';
import { Undecodable } from './undecodable.ts';

const longBits = 64n;

/** Reads Avro's binary encoding; every read stays inside the bytes. */
export class AvroBytes {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  boolean(): boolean {
    const byte = this.#take(1)[0];
    if (byte !== 0 && byte !== 1) throw new Undecodable('a boolean is neither 0 nor 1');
    return byte === 1;
  }

  /** All digits of a zigzag varint of up to 64 bits. */
  long(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#take(1)[0] ?? 0;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(64, (value >> 1n) ^ -(value & 1n));
    }
    throw new Undecodable(`a number has more than ${longBits} bits`);
  }

  /** The same for what is a count, an index or of 32 bits; quicker. */
  int(): number {
    let value = 0;
    for (let scale = 1; scale < 2 ** 49; scale *= 0x80) {
      const byte = this.#take(1)[0] ?? 0;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    }
    throw new Undecodable('a count or an index is too large');
  }

  float(): number {
    return this.#take(4).readFloatLE(0);
  }

  double(): number {
    return this.#take(8).readDoubleLE(0);
  }

  bytes(): Buffer {
    const length = this.int();
    if (length < 0) throw new Undecodable('a length is negative');
    return this.#take(length);
  }

  fixed(size: number): Buffer {
    return this.#take(size);
  }

  string(): string {
    const bytes = this.bytes();
    if (!isUtf8(bytes)) throw new Undecodable('a text is not valid UTF-8');
    return bytes.toString();
  }

  #take(count: number): Buffer {
    if (count > this.left) throw new Undecodable('its bytes end before the value does');
    const from = this.#at;
    this.#at += count;
    return this.#bytes.subarray(from, this.#at);
  }
}
