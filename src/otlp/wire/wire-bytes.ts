import { Buffer } from 'node:buffer';

/** Bytes in a body. */
export class WireBytes {
  readonly body: DataView;
  readonly start: number;
  readonly length: number;

  constructor(body: DataView, start: number, length: number) {
    this.body = body;
    this.start = start;
    this.length = length;
  }
}

/** Bytes of a message: of protobuf, or of JSON. */
export type Bytes = Uint8Array | WireBytes;

/** Without a copy. */
export function bufferOf(bytes: Bytes): Buffer {
  if (!(bytes instanceof WireBytes)) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const { body, start, length } = bytes;
  return Buffer.from(body.buffer, body.byteOffset + start, length);
}
