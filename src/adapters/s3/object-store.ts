import {
  DeleteObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { ObjectContent, ObjectStore, StoredObject } from '../../ports/object-store.ts';
import { checkedName, checkedPrefix, isObjectName } from '../checked-name.ts';
import { checkedOptions, type CheckedOptions } from './checked-options.ts';
import { openS3Client } from './client.ts';
import { callsAtOnce, defaultBufferBytes, partsAtOnce, tokenName, type S3ObjectStoreOptions } from './config.ts';
import { openContent, type ContentSource } from './content-source.ts';
import { fromS3, isUnclear, s3Status } from './errors.ts';
import { openObject } from './object-reader.ts';
import { partSize, putInParts } from './put-in-parts.ts';
import { SharedAmount } from '../../core/shared-amount.ts';

/**
 * Opens the objects of a bucket; nothing is asked of the server yet, so a bucket that is away or refuses shows at the
 * first call (`objects.unavailable`, `objects.refused`). Options that cannot be right are `config.invalid`.
 */
export async function openS3ObjectStore(options: S3ObjectStoreOptions): Promise<ObjectStore> {
  const checked = checkedOptions(options);
  return new S3ObjectStore(await openS3Client(options), checked);
}

interface Place {
  readonly Bucket: string;
  readonly Key: string;
}

interface Put {
  readonly place: Place;
  readonly source: ContentSource;
  readonly metadata: Record<string, string>;
  readonly signal: AbortSignal;
}

class S3ObjectStore implements ObjectStore {
  readonly location: string;
  readonly compression: ObjectStore['compression'];
  readonly #client: S3Client;
  readonly #checked: CheckedOptions;
  readonly #memory: SharedAmount;
  readonly #calls = new SharedAmount(callsAtOnce);

  constructor(client: S3Client, checked: CheckedOptions) {
    this.#client = client;
    this.#checked = checked;
    // Without the endpoint, which may have another name in another network.
    this.location = `bucket "${checked.options.bucket}", prefix "${checked.keyPrefix}"`;
    this.compression = checked.options.compression ?? 'gzip';
    this.#memory = new SharedAmount(checked.options.bufferBytes ?? defaultBufferBytes);
  }

  async put(name: string, content: ObjectContent, { signal }: Waiting): Promise<StoredObject> {
    const place = this.#place(name);
    const action = `write the object ${this.#called(name)}`;
    return this.#doing(action, signal, async () => {
      await using source = await openContent(content);
      const token = randomUUID();
      const metadata = { [tokenName]: token };
      try {
        await this.#send({ place, source, metadata, signal });
      } catch (thrown) {
        if (signal.aborted || !isUnclear(thrown)) throw thrown;
        await this.#lookUp(place, { token, thrown, action, signal });
      }
      return { name, bytes: source.bytes };
    });
  }

  async get(name: string, { signal }: Waiting): Promise<Readable> {
    const place = this.#place(name);
    const action = `read the object ${this.#called(name)}`;
    return this.#doing(action, signal, () => openObject(this.#client, { place, action, signal }));
  }

  async localPath(name: string, { signal }: Waiting): Promise<undefined> {
    const place = this.#place(name);
    await this.#doing(`find the object ${this.#called(name)}`, signal, async () => {
      const found = await this.#tokenOf(place, signal);
      if (found === undefined) throw new MillraceError('objects.notFound', `there is no object ${this.#called(name)}`);
    });
    return undefined;
  }

  async *list(prefix: string, { signal }: Waiting): AsyncIterable<StoredObject> {
    checkedPrefix(prefix);
    const { options, keyPrefix } = this.#checked;
    const input = { Bucket: options.bucket, Prefix: keyPrefix + prefix };
    const pages = paginateListObjectsV2({ client: this.#client }, input, { abortSignal: signal });
    try {
      signal.throwIfAborted();
      for await (const { Contents } of pages) {
        for (const { Key, Size } of Contents ?? []) {
          const name = Key?.slice(keyPrefix.length) ?? '';
          // Markers of folders and probes are nobody's objects.
          if (isObjectName(name)) yield { name, bytes: Size ?? 0 };
        }
        signal.throwIfAborted();
      }
    } catch (thrown) {
      signal.throwIfAborted();
      throw fromS3(thrown, `list the objects ${this.#called(prefix)}`);
    }
  }

  async delete(name: string, { signal }: Waiting): Promise<void> {
    const place = this.#place(name);
    await this.#doing(`delete the object ${this.#called(name)}`, signal, async () => {
      try {
        await this.#client.send(new DeleteObjectCommand(place), { abortSignal: signal });
      } catch (thrown) {
        if (fromS3(thrown, '').code !== 'objects.notFound') throw thrown;
      }
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#client.destroy();
  }

  #place(name: string): Place {
    const { options, keyPrefix } = this.#checked;
    return { Bucket: options.bucket, Key: keyPrefix + checkedName(name) };
  }

  #called(name: string): string {
    return `"${name}" in the bucket "${this.#checked.options.bucket}"`;
  }

  /** A cancellation rejects with the signal's reason, whatever the driver makes of it; everything else is mapped. */
  async #doing<Result>(action: string, signal: AbortSignal, act: () => Promise<Result>): Promise<Result> {
    using _call = await this.#calls.take(1, signal);
    try {
      return await act();
    } catch (thrown) {
      signal.throwIfAborted();
      throw fromS3(thrown, action);
    }
  }

  async #send(put: Put): Promise<void> {
    const { place, source, metadata, signal } = put;
    const { partBytes, options } = this.#checked;
    const isWhole = source.bytes <= partBytes;
    const held = isWhole ? source.bytes : Math.min(source.bytes, partsAtOnce * partSize(source.bytes, partBytes));
    using _memory = await this.#memory.take(source.memoryOf(held), signal);
    if (isWhole) {
      const read = source.reader();
      const Body = await read(0, source.bytes);
      const command = new PutObjectCommand({ ...place, Body, Metadata: metadata, IfNoneMatch: '*' });
      await this.#client.send(command, { abortSignal: signal });
    } else {
      const withChecksums = options.checksums === 'whenSupported';
      await putInParts(this.#client, { ...place, source, metadata, partBytes, withChecksums, signal });
    }
  }

  /**
   * What happened to a put without a clear answer: resolves when the object is there and is its own. The driver repeats
   * a request whose answer was lost, and the server then finds the name taken by the first one.
   */
  async #lookUp(
    place: Place,
    put: { readonly token: string; readonly thrown: unknown; readonly action: string; readonly signal: AbortSignal },
  ): Promise<void> {
    const found = await this.#tokenOf(place, put.signal).catch(() => undefined);
    if (found?.token === put.token) return;
    if (found !== undefined) throw new MillraceError('objects.exists', `cannot ${put.action}: the name is taken`);
    const error = fromS3(put.thrown, put.action);
    if (error.code !== 'objects.exists' || s3Status(put.thrown) !== 412) throw error;
    // The name was taken a moment ago and its object is gone, or hidden, now: the name may be free again.
    throw new MillraceError('objects.unavailable', error.message, { cause: put.thrown });
  }

  /** Undefined when there is no such object. HEAD does not say what else may be missing, so the bucket is asked. */
  async #tokenOf(place: Place, signal: AbortSignal): Promise<{ readonly token: string | undefined } | undefined> {
    try {
      const { Metadata } = await this.#client.send(new HeadObjectCommand(place), { abortSignal: signal });
      return { token: Metadata?.[tokenName] };
    } catch (thrown) {
      if (s3Status(thrown) !== 404) throw thrown;
    }
    const list = new ListObjectsV2Command({ Bucket: place.Bucket, Prefix: place.Key, MaxKeys: 1 });
    await this.#client.send(list, { abortSignal: signal });
    return undefined;
  }
}
