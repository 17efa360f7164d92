import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
  type BrotliDecompress,
  type Gunzip,
  type Inflate,
  type InflateRaw,
  type ZstdDecompress,
} from 'node:zlib';
import { MillraceError } from '../../core/millrace-error.ts';
import { formatByteSize } from '../../core/settings/byte-size.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Memory } from '../memory.ts';
import { refusal, refusals, type Refusal } from '../refusal.ts';
import type { ContentCoding } from './content-codings.ts';
import { isFrameCut } from './zstd-frame.ts';

export interface DecodingBounds {
  readonly maxBytes: number;
  readonly memory: Memory;
  /** The header that names the codings. Default: `Content-Encoding`. */
  readonly codingHeader?: 'grpc-encoding';
}

type Decoder = Gunzip | Inflate | InflateRaw | BrotliDecompress | ZstdDecompress;

const chunkSize = 32 * 1024;
/** The largest window of a body over HTTP is 8 MB (RFC 9659, 3). */
const zstdOptions = { chunkSize, params: { [constants.ZSTD_d_windowLogMax]: 23 } };

/**
 * Undoes one coding, chunk by chunk: each is counted before the next one is made, and the first byte too many ends it. A
 * body that is broken, cut, or goes on behind its end is a refusal that says so.
 */
export function decodeOne(
  encoded: Buffer,
  { coding, maxBytes, memory, codingHeader }: DecodingBounds & { readonly coding: ContentCoding },
  { signal }: Waiting,
): Promise<Buffer | Refusal> {
  const broken = (why: string): Refusal => {
    const says = `The body cannot be decoded as "${coding}", as its ${codingHeader ?? 'Content-Encoding'} says`;
    return refusal('invalid', 'badRequest', `${says}: ${why}. Nothing was stored.`);
  };
  if (coding === 'zstd' && isFrameCut(encoded)) return Promise.resolve(broken(endsEarly));
  const { promise, resolve, reject } = Promise.withResolvers<Buffer | Refusal>();
  const decoder = decoderOf(coding, encoded);
  const chunks: Buffer[] = [];
  let length = 0;
  decoder.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > maxBytes) resolve(decodedTooLarge(maxBytes));
    else if (memory.hold(chunk.length)) chunks.push(chunk);
    else resolve(memory.whyNot(chunk.length));
  });
  decoder.once('end', () => {
    const rest = encoded.length - decoder.bytesWritten;
    resolve(rest > 0 ? broken(`${rest} bytes follow its end`) : joined(chunks, { length, memory }));
  });
  decoder.once('error', (error: NodeJS.ErrnoException) => {
    if (isOutOfMemory(error)) reject(MillraceError.fromUnknown(error));
    else resolve(broken(wordsOf(error)));
  });
  const leave = (): void => resolve(refusals.tooManyRequests);
  signal.addEventListener('abort', leave, { once: true });
  decoder.end(encoded);
  return promise.finally(() => {
    signal.removeEventListener('abort', leave);
    decoder.destroy();
  });
}

function decoderOf(coding: ContentCoding, encoded: Buffer): Decoder {
  switch (coding) {
    case 'gzip':
      return createGunzip({ chunkSize });
    case 'deflate':
      return isZlib(encoded) ? createInflate({ chunkSize }) : createInflateRaw({ chunkSize });
    case 'br':
      return createBrotliDecompress({ chunkSize });
    case 'zstd':
      return createZstdDecompress(zstdOptions);
    default:
      return coding satisfies never;
  }
}

/** `deflate` means the zlib format (RFC 9110, 8.4.1.2), and some senders leave its header out: RFC 1950, 2.2 tells one. */
function isZlib([method = 0, flags = 0]: Buffer): boolean {
  return (method & 0x0f) === 8 && (method * 256 + flags) % 31 === 0;
}

function joined(
  chunks: readonly Buffer[],
  { length, memory }: { readonly length: number; readonly memory: Memory },
): Buffer | Refusal {
  // For a moment the bytes are there twice.
  if (!memory.hold(length)) return memory.whyNot(length);
  const body = Buffer.concat(chunks, length);
  memory.release(length);
  return body;
}

function decodedTooLarge(maxBytes: number): Refusal {
  const message = `Request body size is over the maximum "${formatByteSize(maxBytes)}" after decoding. Nothing was stored.`;
  return refusal('tooLarge', 'bodyTooLarge', message);
}

const endsEarly = 'it ends too early';

function wordsOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'Z_BUF_ERROR') return endsEarly;
  if (code === 'ZSTD_error_frameParameter_windowTooLarge') return 'its window is larger than 8 MB';
  return `it is broken (${message === '' ? (code ?? 'no reason is known') : message})`;
}

function isOutOfMemory({ code = '' }: NodeJS.ErrnoException): boolean {
  return /mem|alloc/i.test(code);
}
