import {
  DeleteObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { randomUUID } from 'node:crypto';
import { clockFinding } from '../../core/clock-finding.ts';
import { sentence, type Finding } from '../../core/finding.ts';
import type { Looking } from '../looking.ts';
import { checkedOptions } from './checked-options.ts';
import { openS3Client } from './client.ts';
import { tokenName, type S3ObjectStoreOptions } from './config.ts';
import { openContent } from './content-source.ts';
import { fromS3, s3ErrorName, s3Status } from './errors.ts';
import { putInParts } from './put-in-parts.ts';

/**
 * Tries all that staging needs of a bucket with a probe object that no listing of the store shows and that it removes.
 * What is wrong is a finding; it rejects only with the signal's reason and for options that are `config.invalid`.
 */
export async function checkBucket(
  options: S3ObjectStoreOptions,
  { now, signal }: Looking,
): Promise<readonly Finding[]> {
  const { keyPrefix } = checkedOptions(options);
  const client = await openS3Client(options);
  try {
    return await new BucketCheck(client, { options, keyPrefix, signal }).run(now);
  } finally {
    client.destroy();
  }
}

interface CheckedPlace {
  readonly options: S3ObjectStoreOptions;
  readonly keyPrefix: string;
  readonly signal: AbortSignal;
}

const dayMs = 24 * 60 * 60 * 1000;

/** Answers carry whole seconds, and take their time. */
const toleratedMs = 5000;

class BucketCheck {
  readonly #client: S3Client;
  readonly #place: CheckedPlace;
  readonly #probe: { readonly Bucket: string; readonly Key: string };
  readonly #token = randomUUID();
  readonly #findings: Finding[] = [];

  constructor(client: S3Client, place: CheckedPlace) {
    this.#client = client;
    this.#place = place;
    this.#probe = { Bucket: place.options.bucket, Key: `${place.keyPrefix}.millrace-check-${this.#token}` };
  }

  async run(now: number): Promise<readonly Finding[]> {
    const isReached = await this.#list();
    if (!isReached) return this.#findings;
    if (await this.#write()) {
      await this.#conditionalPut();
      await this.#conditionalParts();
      await this.#metadata();
      await this.#delete();
    }
    await this.#leftovers(now);
    // The driver notes how far the dates of the answers are off, and signs with theirs.
    this.#findings.push(clockFinding('store', this.#client.config.systemClockOffset, toleratedMs));
    return this.#findings;
  }

  /** False when nothing else would be answered either. */
  async #list(): Promise<boolean> {
    const { options, keyPrefix, signal } = this.#place;
    const list = new ListObjectsV2Command({ Bucket: options.bucket, Prefix: keyPrefix, MaxKeys: 1 });
    const failure = await this.#failure(this.#client.send(list, { abortSignal: signal }));
    if (failure === undefined) {
      this.#add('good', 'list', `The bucket "${options.bucket}" is there and may be listed.`);
      return true;
    }
    this.#add('bad', 'list', sentence(fromS3(failure.thrown, `list the bucket "${options.bucket}"`).message));
    return s3ErrorName(failure.thrown) === 'AccessDenied';
  }

  async #write(): Promise<boolean> {
    const failure = await this.#failure(this.#put());
    if (failure === undefined) this.#add('good', 'write', 'Objects may be written.');
    else this.#add('bad', 'write', sentence(fromS3(failure.thrown, 'write an object').message));
    return failure === undefined;
  }

  async #conditionalPut(): Promise<void> {
    const failure = await this.#failure(this.#put());
    this.#addRefusal('conditionalPut', failure, 'A put under a name that is taken');
  }

  async #conditionalParts(): Promise<void> {
    const { signal } = this.#place;
    const upload = async (): Promise<void> => {
      await using source = await openContent({ kind: 'bytes', bytes: Buffer.from('probe') });
      const how = { metadata: {}, source, partBytes: source.bytes, withChecksums: false, signal };
      await putInParts(this.#client, { ...this.#probe, ...how });
    };
    const failure = await this.#failure(upload());
    this.#addRefusal('conditionalParts', failure, 'An upload in parts under a name that is taken');
  }

  #addRefusal(about: Finding['about'], failure: Failure | undefined, what: string): void {
    if (failure === undefined) {
      const reason = 'two processes could replace each other’s slices; use a store that knows If-None-Match';
      this.#add('bad', about, `${what} replaces the object: ${reason}.`);
    } else if (s3Status(failure.thrown) === 412) {
      this.#add('good', about, `${what} is refused, as it must be.`);
    } else {
      this.#add('bad', about, sentence(fromS3(failure.thrown, `try the following: ${what.toLowerCase()}`).message));
    }
  }

  async #metadata(): Promise<void> {
    const { signal } = this.#place;
    try {
      const { Metadata } = await this.#client.send(new HeadObjectCommand(this.#probe), { abortSignal: signal });
      if (Metadata?.[tokenName] === this.#token) return this.#add('good', 'metadata', 'Metadata of objects is kept.');
      const lost = 'a put whose answer was lost would be taken for a stranger’s';
      this.#add('bad', 'metadata', `The store does not keep the metadata of objects: ${lost}.`);
    } catch (thrown) {
      signal.throwIfAborted();
      this.#add('bad', 'metadata', sentence(fromS3(thrown, 'read an object').message));
    }
  }

  async #delete(): Promise<void> {
    const { signal } = this.#place;
    const failure = await this.#failure(
      this.#client.send(new DeleteObjectCommand(this.#probe), { abortSignal: signal }),
    );
    if (failure === undefined) return this.#add('good', 'delete', 'Objects may be deleted.');
    const left = `"${this.#probe.Key}" stays in the bucket`;
    this.#add('bad', 'delete', sentence(`${fromS3(failure.thrown, 'delete an object').message}; ${left}`));
  }

  async #leftovers(now: number): Promise<void> {
    const { options, keyPrefix, signal } = this.#place;
    const list = new ListMultipartUploadsCommand({ Bucket: options.bucket, Prefix: keyPrefix });
    try {
      const { Uploads = [] } = await this.#client.send(list, { abortSignal: signal });
      const old = Uploads.filter(({ Initiated }) => Initiated !== undefined && Initiated.getTime() < now - dayMs);
      if (old.length === 0) return this.#add('good', 'leftovers', 'No old upload in parts was left behind.');
      const advice = 'give the bucket a lifecycle rule that aborts incomplete multipart uploads';
      this.#add('advice', 'leftovers', `${old.length} uploads in parts are older than a day and use space: ${advice}.`);
    } catch (thrown) {
      signal.throwIfAborted();
      this.#add('advice', 'leftovers', sentence(fromS3(thrown, 'list the uploads in parts').message));
    }
  }

  async #put(): Promise<void> {
    const content = { Body: 'probe', Metadata: { [tokenName]: this.#token }, IfNoneMatch: '*' };
    await this.#client.send(new PutObjectCommand({ ...this.#probe, ...content }), { abortSignal: this.#place.signal });
  }

  /** Why an attempt failed, undefined when it did not; rejects when it was aborted. */
  async #failure(attempt: Promise<unknown>): Promise<Failure | undefined> {
    try {
      await attempt;
      return undefined;
    } catch (thrown) {
      this.#place.signal.throwIfAborted();
      return { thrown };
    }
  }

  #add(kind: Finding['kind'], about: Finding['about'], text: string): void {
    this.#findings.push({ kind, about, text });
  }
}

interface Failure {
  readonly thrown: unknown;
}
