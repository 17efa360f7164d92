import type { Compression } from '../../core/compression.ts';

/** A text that prints as [redacted] and is given only when asked for, such as the `Secret` of the configuration. */
interface HiddenText {
  reveal(): string;
}

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: HiddenText;
  readonly sessionToken?: HiddenText | undefined;
}

/** Where the objects are and how they are reached. */
export interface S3ObjectStoreOptions {
  readonly bucket: string;
  /** Stands before every object name, for a bucket that others use too: `millrace/staging`. Default: nothing. */
  readonly keyPrefix?: string | undefined;
  /** Default: `us-east-1` when there is an endpoint, else what the environment of the AWS SDK says. */
  readonly region?: string | undefined;
  /** `https://host:port` of a server other than Amazon's. */
  readonly endpoint?: string | undefined;
  /** The bucket in the path instead of the host name. Default: true when there is an endpoint. */
  readonly pathStyle?: boolean | undefined;
  /** Default: the AWS SDK's own chain (environment, profile, web identity, container, instance), renewed by it. */
  readonly credentials?: S3Credentials | undefined;
  /** PEM file of authorities that are trusted besides the public ones. */
  readonly caFile?: string | undefined;
  /**
   * `whenSupported` sends and checks the checksums (CRC32 …) that Amazon has had since 2025 and that older servers refuse.
   * Default `whenRequired`: what is put is protected by the SHA-256 of the signature alone.
   */
  readonly checksums?: 'whenRequired' | 'whenSupported' | undefined;
  /** How long a connection may take. Default 3 s. */
  readonly connectTimeoutMs?: number | undefined;
  /** A connection on which nothing moved for so long is given up. Default 30 s. */
  readonly idleTimeoutMs?: number | undefined;
  /** A try without content that is not answered for so long is made again on another connection; content has more. Default 5 s. */
  readonly answerTimeoutMs?: number | undefined;
  /** How often a request is sent in all when it was throttled or not answered. Default 3. */
  readonly attempts?: number | undefined;
  /** Of slices for which no setting says it. Default `gzip`: what goes over the line and lies in the bucket costs more than the work. */
  readonly compression?: Compression['type'] | undefined;
  /** Content above this size goes in parts of this size, at least 5 MiB. Default 8 MiB. */
  readonly partBytes?: number | undefined;
  /** Files that are being put hold at most so much memory together, or one part. Default 64 MiB. */
  readonly bufferBytes?: number | undefined;
}

/** S3's own bound below which it refuses any part but the last. */
export const leastPartBytes = 5 * 1024 * 1024;
/** S3's own bound. */
export const maxParts = 10_000;

export const defaultPartBytes = 8 * 1024 * 1024;
export const defaultBufferBytes = 64 * 1024 * 1024;

/** Parts of one object that are on their way at a time. */
export const partsAtOnce = 2;

/**
 * Calls at a time; others wait here. In the driver they would wait for a connection, and it would report a server that
 * is away. A stream that is being read does not count.
 */
export const callsAtOnce = 64;

/** What a try is assumed to take at first: this, and its content at this rate. */
export const assumedMs = 5000;
export const assumedBytesPerSecond = 256 * 1024;

/** A try with less content counts as one without. */
export const shortBytes = 256 * 1024;

/** What the end of an upload in parts is assumed to take. */
export const finishMs = 60_000;

/** How long the removal of the parts of a put that failed may take; the reason of the failure waits for it. */
export const removePartsMs = 5000;

/** How often a broken stream is taken up again where it broke without a byte in between. */
export const resumeAttempts = 3;

/** Metadata by which a put recognises its own object. */
export const tokenName = 'millrace-put';
