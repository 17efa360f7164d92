import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { addAbortSignal, Readable } from 'node:stream';
import { MillraceError } from '../../core/millrace-error.ts';
import { resumeAttempts } from './config.ts';
import { fromS3, isUnclear, s3Status } from './errors.ts';

export interface ReadObject {
  readonly place: { readonly Bucket: string; readonly Key: string };
  /** For messages: `read the object "a/b"`. */
  readonly action: string;
  readonly signal: AbortSignal;
}

/**
 * The bytes of an object. Resolves when the first request is answered. If a connection breaks later, for example
 * because nobody has read from it for long, another one goes on from the next byte.
 */
export async function openObject(client: S3Client, options: ReadObject): Promise<Readable> {
  const reader = new ObjectReader(client, options);
  await reader.open();
  const stream = Readable.from(reader.bytes(), { objectMode: false });
  stream.once('close', () => reader.stop());
  return addAbortSignal(options.signal, stream);
}

class ObjectReader {
  readonly #client: S3Client;
  readonly #options: ReadObject;
  readonly #stopped = new AbortController();
  readonly #signal: AbortSignal;
  #body: Readable = Readable.from([]);
  #position = 0;
  #etag: string | undefined;
  #length: number | undefined;

  constructor(client: S3Client, options: ReadObject) {
    this.#client = client;
    this.#options = options;
    this.#signal = AbortSignal.any([options.signal, this.#stopped.signal]);
  }

  /** Asks for the object from the position on; rejects with what the driver threw. */
  async open(): Promise<void> {
    const { place } = this.#options;
    const rest = this.#position === 0 ? {} : { Range: `bytes=${this.#position}-`, IfMatch: this.#etag };
    const answer = await this.#client.send(new GetObjectCommand({ ...place, ...rest }), { abortSignal: this.#signal });
    if (!(answer.Body instanceof Readable)) throw new TypeError('the driver answered without a stream');
    this.#body = answer.Body;
    if (this.#position > 0) return;
    this.#etag = answer.ETag;
    this.#length = answer.ContentLength;
  }

  async *bytes(): AsyncGenerator<Uint8Array> {
    for (let failures = 0; ;) {
      const began = this.#position;
      try {
        yield* this.#untilItEnds();
        return;
      } catch (thrown) {
        failures = this.#position > began ? 1 : failures + 1;
        if (this.#signal.aborted || !isUnclear(thrown) || failures >= resumeAttempts) throw this.#failure(thrown);
      }
      await this.open().catch((thrown: unknown) => Promise.reject(this.#failure(thrown)));
    }
  }

  /** Ends the request that is under way. */
  stop(): void {
    this.#stopped.abort();
    this.#body.destroy();
  }

  async *#untilItEnds(): AsyncGenerator<Uint8Array> {
    for await (const chunk of this.#body) {
      if (!(chunk instanceof Uint8Array)) throw new TypeError('the driver gave something else than bytes');
      this.#position += chunk.byteLength;
      yield chunk;
    }
    if (this.#length !== undefined && this.#position < this.#length) throw new Error('the answer ended too early');
  }

  #failure(thrown: unknown): Error {
    const { action, signal } = this.#options;
    if (signal.aborted && signal.reason instanceof Error) return signal.reason;
    if (s3Status(thrown) !== 412) return fromS3(thrown, action);
    return new MillraceError('objects.unavailable', `cannot ${action}: it was replaced by another while it was read`, {
      cause: thrown,
    });
  }
}
