import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  UploadPartCommand,
  type CompletedPart,
  type S3Client,
} from '@aws-sdk/client-s3';
import { maxParts, partsAtOnce, removePartsMs } from './config.ts';
import type { ContentSource } from './content-source.ts';

export interface PutInParts {
  readonly Bucket: string;
  readonly Key: string;
  readonly metadata: Record<string, string>;
  readonly source: ContentSource;
  readonly partBytes: number;
  /** Sends a CRC32 with each part. */
  readonly withChecksums: boolean;
  readonly signal: AbortSignal;
}

/** Size of the parts of so much content: as asked for, or larger where there would be too many. */
export function partSize(bytes: number, partBytes: number): number {
  return Math.max(partBytes, Math.ceil(bytes / maxParts));
}

/**
 * Puts content as a multipart upload that takes the name only when it is free. When it fails or is aborted, all requests
 * have ended and the parts are removed before it rejects, as far as the server can be reached within `removePartsMs`.
 */
export async function putInParts(client: S3Client, put: PutInParts): Promise<void> {
  const { Bucket, Key, signal } = put;
  const sums = put.withChecksums ? { ChecksumAlgorithm: 'CRC32' as const } : {};
  const create = new CreateMultipartUploadCommand({ Bucket, Key, Metadata: put.metadata, ...sums });
  const { UploadId } = await client.send(create, { abortSignal: signal });
  if (UploadId === undefined) throw new Error('the store began a multipart upload without an id');
  try {
    const Parts = await sendParts(client, UploadId, put);
    const complete = { Bucket, Key, UploadId, IfNoneMatch: '*', MultipartUpload: { Parts } };
    await client.send(new CompleteMultipartUploadCommand(complete), { abortSignal: signal });
  } catch (thrown) {
    await removeParts(client, { Bucket, Key, UploadId });
    throw thrown;
  }
}

async function sendParts(client: S3Client, UploadId: string, put: PutInParts): Promise<CompletedPart[]> {
  const { Bucket, Key, source } = put;
  const bytes = partSize(source.bytes, put.partBytes);
  const count = Math.ceil(source.bytes / bytes);
  const failed = new AbortController();
  const abortSignal = AbortSignal.any([put.signal, failed.signal]);
  const parts: CompletedPart[] = [];
  let taken = 0;
  const sendSome = async (): Promise<void> => {
    const read = source.reader();
    while (taken < count) {
      abortSignal.throwIfAborted();
      const index = taken++;
      const Body = await read(index * bytes, Math.min((index + 1) * bytes, source.bytes));
      const part = new UploadPartCommand({ Bucket, Key, UploadId, PartNumber: index + 1, Body });
      const { ETag, ChecksumCRC32 } = await client.send(part, { abortSignal });
      parts[index] = { PartNumber: index + 1, ETag, ChecksumCRC32 };
    }
  };
  const failures: unknown[] = [];
  const fail = (thrown: unknown): void => {
    failures.push(thrown);
    failed.abort();
  };
  await Promise.all(Array.from({ length: partsAtOnce }, () => sendSome().catch(fail)));
  if (failures.length > 0) throw failures[0];
  return parts;
}

/** What cannot be removed now is left to the bucket's rule for incomplete uploads; the failure that led here is told. */
async function removeParts(
  client: S3Client,
  upload: { readonly Bucket: string; readonly Key: string; readonly UploadId: string },
): Promise<void> {
  const abortSignal = AbortSignal.timeout(removePartsMs);
  await client.send(new AbortMultipartUploadCommand(upload), { abortSignal }).catch(() => {});
}
