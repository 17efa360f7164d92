import type { BucketId } from '../../../core/bucket.ts';
import { mayReadTables, type Token } from '../../../core/token.ts';

/** True for a bucket that belongs into the lists of the caller. */
export function maySee(caller: Token | undefined, bucketId: BucketId): boolean {
  return caller !== undefined && mayReadTables(caller, bucketId);
}
