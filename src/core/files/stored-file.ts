import type { Checksum } from '../checksum.ts';
import { limits } from '../limits.ts';
import type { Stamp } from '../source.ts';

/** What was uploaded. */
export interface FileContent {
  /** Name in the store of objects. */
  readonly object: string;
  readonly bytes: number;
  readonly checksum: Checksum;
  /** ISO time. */
  readonly at: string;
}

/** A file of the storage interface, collection `file`. Its bytes are an object, which it names once all of them are there. */
export interface StoredFile {
  /** A number as text. */
  readonly fileId: string;
  readonly name: string;
  /** Each once, in the order in which they came. */
  readonly tags: readonly string[];
  readonly contentType?: string;
  /** As it was announced: an upload of another size is refused. */
  readonly announcedBytes?: number;
  readonly created: Stamp;
  /** ISO time after which it is removed; absent: it is permanent. */
  readonly expiresAt?: string;
  /** Absent: it waits for its upload, and nobody sees it in a list. */
  readonly content?: FileContent;
}

/** ISO time until which a file takes its upload. */
export function uploadUntil({ created }: Pick<StoredFile, 'created'>): string {
  return new Date(Date.parse(created.at) + limits.fileUploadMs).toISOString();
}

/** True when the time of a file is over: its own, or that of an upload that never came. */
export function isOver(file: StoredFile, now: number): boolean {
  const end = file.content === undefined ? uploadUntil(file) : file.expiresAt;
  return end !== undefined && Date.parse(end) <= now;
}
