import type { Incarnation } from '../ids.ts';
import type { TakenLines } from './levels.ts';

/** What the stage of a process has taken of a partition and not sealed yet: in the open slice, or in one that is being sealed. */
export interface OpenSliceState extends TakenLines {
  readonly incarnation: Incarnation;
  /** It takes no more lines. */
  readonly isClosing: boolean;
  /** CSV bytes of rows and dead letters. */
  readonly bytes: number;
  /** Since its first outcome. */
  readonly ageMs: number;
}
