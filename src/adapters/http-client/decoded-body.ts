import { Readable, type Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';
import { messageOf, MillraceError } from '../../core/millrace-error.ts';
import { maxCodings, zstdWindowLog, type HttpLimits } from './config.ts';
import { noAnswer, tooLarge } from './errors.ts';

/** What is asked for. */
export const acceptedCodings = 'gzip, deflate, br, zstd';

export interface CodedBody {
  readonly stream: Readable;
  /** The header `content-encoding`. */
  readonly coding: string | undefined;
  /** Whose answer it is, for errors. */
  readonly host: string;
}

type Chunks = AsyncIterable<Uint8Array>;

/** The whole body without its codings. `http.tooLarge` as soon as it, or what codes it, goes beyond its limit; no more is read then. */
export async function decodedBody({ stream, coding, host }: CodedBody, limits: HttpLimits): Promise<Uint8Array> {
  const codings = codingsOf(coding, host);
  const past = (what: string, bytes: number) => () => tooLarge(`${what} of "${host}" has more than ${bytes} bytes`);
  let chunks = bounded(stream, limits.wireBytes, past('the answer', limits.wireBytes));
  for (const name of codings.toReversed()) {
    const decoded = decode(chunks, name, host);
    chunks = bounded(decoded, limits.bodyBytes, past('the decompressed answer', limits.bodyBytes));
  }
  const parts: Uint8Array[] = [];
  for await (const part of bounded(chunks, limits.bodyBytes, past('the answer', limits.bodyBytes))) parts.push(part);
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
}

function codingsOf(coding: string | undefined, host: string): readonly Coding[] {
  const names = (coding ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim().replace(/^x-/, ''))
    .filter((name) => name !== '' && name !== 'identity');
  const known = names.filter(isCoding);
  if (known.length < names.length || names.length > maxCodings)
    throw noAnswer('broken', `the content coding "${coding ?? ''}" of "${host}" is not one of ${acceptedCodings}`);
  return known;
}

async function* bounded(chunks: Chunks, most: number, past: () => MillraceError): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > most) throw past();
    yield chunk;
  }
}

const chunkSize = 64 * 1024;

const decoders = {
  gzip: () => createGunzip({ chunkSize }),
  deflate: (first: Uint8Array) => (isZlib(first) ? createInflate({ chunkSize }) : createInflateRaw({ chunkSize })),
  br: () => createBrotliDecompress({ chunkSize }),
  zstd: () => createZstdDecompress({ chunkSize, params: { [constants.ZSTD_d_windowLogMax]: zstdWindowLog } }),
} as const satisfies Record<string, (first: Uint8Array) => Duplex>;

type Coding = keyof typeof decoders;

function isCoding(name: string): name is Coding {
  return Object.hasOwn(decoders, name);
}

/** Some servers send `deflate` without the frame that RFC 9110 asks for. */
function isZlib(first: Uint8Array): boolean {
  return ((first[0] ?? 0) & 0x0f) === 8;
}

/** An empty body has no coding, whatever its header says. */
async function* decode(chunks: Chunks, name: Coding, host: string): AsyncGenerator<Uint8Array> {
  const source = chunks[Symbol.asyncIterator]();
  const first = await source.next();
  if (first.done === true) return;
  const decoder = decoders[name](first.value);
  const ended = pipeline(Readable.from(rest(first.value, source)), decoder).catch((thrown: unknown) => thrown);
  try {
    yield* decoder as AsyncIterable<Uint8Array>;
  } catch (thrown) {
    // The decoder only says that it was cut off when what it reads fails.
    const cause = await ended;
    if (cause instanceof MillraceError) throw cause;
    if (isCodecFault(thrown)) throw noAnswer('broken', `the answer of "${host}" is no ${name}: ${messageOf(thrown)}`);
    throw cause ?? thrown;
  } finally {
    decoder.destroy();
  }
}

async function* rest(first: Uint8Array, source: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    for (let chunk = first; ;) {
      yield chunk;
      const following = await source.next();
      if (following.done === true) return;
      chunk = following.value;
    }
  } finally {
    await source.return?.();
  }
}

function isCodecFault(thrown: unknown): boolean {
  return (
    thrown instanceof Error && 'code' in thrown && /^(Z_|ERR_BROTLI|ERR__|ZSTD_|ERR_ZSTD)/.test(String(thrown.code))
  );
}
