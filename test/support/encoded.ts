import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';

/** Each way in which a sender may compress a body, by the name that `Content-Encoding` has for it. */
export const encoders = {
  gzip: (body) => gzipSync(body, { level: 1 }),
  'x-gzip': (body) => gzipSync(body, { level: 1 }),
  deflate: (body) => deflateSync(body, { level: 1 }),
  br: (body) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  zstd: (body) => zstdCompressSync(body),
} as const satisfies Readonly<Record<string, (body: Uint8Array) => Buffer>>;

export type Encoder = keyof typeof encoders;
export const encoderNames = Object.keys(encoders) as readonly Encoder[];

/** A body after these codings, in their order. */
export function encoded(body: Uint8Array, names: readonly Encoder[]): Buffer {
  return names.reduce<Buffer>((bytes, name) => encoders[name](bytes), Buffer.from(body));
}

/** `deflate` as some senders mean it, without the header of the zlib format. */
export function rawDeflated(body: Uint8Array): Buffer {
  return deflateRawSync(body);
}
