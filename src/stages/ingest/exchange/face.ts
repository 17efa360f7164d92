import type { ReceivedRequest } from '../../../events/read-request.ts';
import type { Refusal } from '../../../events/refusal.ts';
import type { DirectorySource } from '../accept/source-directory.ts';
import type { Write, WriteResult } from '../accept/write.ts';

/**
 * What events look like in one protocol over HTTP: which paths are theirs, how a body becomes writes, and what their sender is told. The
 * exchange does the rest: connections, limits, bodies, deadlines.
 */
export interface Face {
  /** What all of its paths begin with: `/stream/`. */
  readonly prefix: string;
  /** Where events are taken, for people: `POST /stream/{projectId}/{sourceId}`. */
  readonly routes: readonly string[];
  /** Whether events are taken at a path; a refusal where it cannot be read. */
  owns(path: string): boolean | Refusal;
  /** Decides on a POST by its headers alone; undefined where it does not own the path. */
  read(head: Head): Reading | Refusal | undefined;
}

export interface Head {
  readonly path: string;
  /** Without its question mark; empty when there is none. */
  readonly query: string;
  readonly authorization: string | undefined;
  readonly contentType: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** One request that a face reads. */
export interface Reading {
  readonly kind: 'reading';
  /** Where its events go; at least one. */
  readonly sources: readonly DirectorySource[];
  /** The largest body, as it comes and as it is decoded; undefined: as the configuration says. */
  readonly maxBodyBytes?: number;
  /** What each source gets; a promise where that takes a while. A refusal means that nothing of the request may be stored. */
  decode(request: ReceivedRequest): Decoded | Promise<Decoded>;
  answer(results: readonly WriteResult[]): Answer;
  /** A refusal in the words of its protocol, for one that has its own; undefined: as everybody gets it. */
  readonly refusal?: (refusal: Refusal) => Content;
}

export type Decoded = readonly Write[] | Refusal;

/** What a sender is told: the short `OK`, a refusal, or a body. */
export type Answer = { readonly kind: 'ok'; readonly status: number } | Refusal | Content;

export interface Content {
  readonly kind: 'content';
  readonly status: number;
  /** Its content type. */
  readonly type: string;
  readonly body: string | Uint8Array;
  readonly retryAfterSeconds: number | undefined;
  /** The name of what is wrong, if anything is. */
  readonly failure: string | undefined;
}
