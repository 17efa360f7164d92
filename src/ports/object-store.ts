import type { Readable } from 'node:stream';
import type { Compression } from '../core/compression.ts';
import type { Waiting } from './waiting.ts';

export interface StoredObject {
  readonly name: string;
  readonly bytes: number;
}

/** Content to put: bytes in memory, or a local file that the caller will not change any more and removes afterwards. */
export type ObjectContent =
  { readonly kind: 'bytes'; readonly bytes: Uint8Array } | { readonly kind: 'file'; readonly path: string };

/**
 * Objects by name (`a/b/c.csv`; letters, digits, `.`, `-`, `/`). An object is there whole or not at all, and durable
 * when `put` resolves.
 */
export interface ObjectStore extends AsyncDisposable {
  /** As of `Claimable`. */
  readonly location: string | undefined;
  /** How slices are best put here, where no setting of the sink says it. */
  readonly compression: Compression['type'];
  /**
   * Creates; `objects.exists` when the name is taken. A rejected put may still have happened. A store whose folders are
   * names may also refuse a name that begins with another and a `/`, or with which another begins so.
   */
  put(name: string, content: ObjectContent, options: Waiting): Promise<StoredObject>;
  /** Its content from the beginning; `objects.notFound`. */
  get(name: string, options: Waiting): Promise<Readable>;
  /** Path of the object for programs on this machine; undefined when the store is elsewhere. `objects.notFound`. */
  localPath(name: string, options: Waiting): Promise<string | undefined>;
  /** All objects whose name begins with `prefix`, in no promised order. */
  list(prefix: string, options: Waiting): AsyncIterable<StoredObject>;
  /** Does nothing when there is none. */
  delete(name: string, options: Waiting): Promise<void>;
}
