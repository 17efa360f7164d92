/** Frames of HTTP/2 (RFC 9113) as bytes, for what no client would send. */

/** What a client begins with. */
export const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

/** Types of frames (RFC 9113, 6). */
export const types = {
  data: 0,
  headers: 1,
  reset: 3,
  settings: 4,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

/** Of SETTINGS and PING. */
export const ack = 1;
/** Of DATA and HEADERS. */
export const endStream = 1;
export const endHeaders = 4;

export interface FrameParts {
  readonly flags?: number;
  readonly stream?: number;
  readonly payload?: Uint8Array;
  /** Instead of the right one. */
  readonly length?: number;
}

const empty = Buffer.alloc(0);

/** A frame (RFC 9113, 4.1), with the length that it has or another one. */
export function frame(type: number, { flags = 0, stream = 0, payload = empty, length }: FrameParts = {}): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(length ?? payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** SETTINGS without any, which every client sends after the preface. */
export const noSettings = frame(types.settings);

/** A header block in which each header stands as it is (RFC 7541, 6.2.2); names and values are shorter than 127 bytes. */
export function headerBlock(headers: Readonly<Record<string, string>>): Buffer {
  const text = (value: string): Buffer => Buffer.concat([Buffer.from([Buffer.byteLength(value)]), Buffer.from(value)]);
  return Buffer.concat(
    Object.entries(headers).map(([name, value]) => Buffer.concat([Buffer.from([0]), text(name), text(value)])),
  );
}
