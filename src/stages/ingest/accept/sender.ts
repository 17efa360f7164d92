import type { Refusal } from '../../../events/refusal.ts';
import type { WriteResult } from './write.ts';

/**
 * The one who waits for what becomes of a request, in the words of its protocol. It is answered once and ignores what
 * comes after that.
 */
export interface Sender {
  /** Its request is still arriving: nothing of it is stored. */
  readonly isReceiving: boolean;
  /** Tells what became of each write, in their order. */
  answer(results: readonly WriteResult[]): void;
  /** Tells why nothing of the request as a whole can be confirmed. */
  refuse(refusal: Refusal): void;
  /** Refuses a request that is still arriving, and ends what it comes over. */
  cut(refusal: Refusal): void;
}
