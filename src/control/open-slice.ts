import type { Incarnation } from '../core/ids.ts';
import type { Offset } from '../core/offset.ts';

/** What the stage of this process has taken of a partition and not sealed yet: in the open slice, or in one that is being sealed. */
export interface OpenSlice {
  readonly incarnation: Incarnation;
  readonly partition: number;
  /** It takes no more lines. */
  readonly isClosing: boolean;
  /** Covers the source offsets (from, to]. */
  readonly from: Offset;
  readonly to: Offset;
  readonly rows: number;
  readonly dead: number;
  /** CSV bytes. */
  readonly bytes: number;
  /** Those of the rows alone. */
  readonly rowBytes: number;
  /** Arrival of the first and the last event; absent while there is no line. */
  readonly firstArrival?: number;
  readonly lastArrival?: number;
  /** Since the first outcome. */
  readonly ageMs: number;
}
