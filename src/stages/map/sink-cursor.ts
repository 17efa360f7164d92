import type { Incarnation } from '../../core/ids.ts';
import type { Offset, Partition } from '../../core/offset.ts';
import { nextWanted, type Interval } from '../../core/progress/intervals.ts';
import { isTornSince } from '../../core/progress/resume.ts';
import { entryOf, type PartitionEntry, type SinkProgress } from '../../core/progress/sink-progress.ts';
import { progressDocuments } from '../../documents/progress-document.ts';
import type { CompiledMapping } from '../../mapping/compile-mapping.ts';
import { shortestDeadLetterLimit } from '../../mapping/dead-letter-line.ts';
import { outcomeOverheadBytes, runsOnTopBytes } from './map-batch.ts';

/**
 * The outcome of every event fits into this many bytes: a row that does not becomes a dead letter, which is cut to fit.
 */
const leastAppendBytes = shortestDeadLetterLimit + outcomeOverheadBytes + runsOnTopBytes;

/** Where mapping stands for one sink on one source partition. */
export type CursorState =
  /** Its position is being looked up. */
  | { readonly kind: 'resuming' }
  /** Set aside alone after a failure; resumed at `retryAt` (monotonic). */
  | { readonly kind: 'aside'; readonly retryAt: number }
  /** Its append takes so long that it is not read for until that ends. */
  | { readonly kind: 'waiting' }
  /**
   * Events of another epoch than its own were read. Until it is known whether the log still has what was read before
   * them, it waits.
   */
  | { readonly kind: 'comparing' }
  /** A schema that the records name is being got. */
  | { readonly kind: 'lacking' }
  | { readonly kind: 'active' };

/** One sink on one source partition. The position is the last source offset that an outcome was appended, or is being appended, for. */
export class SinkCursor {
  readonly incarnation: Incarnation;
  readonly partition: Partition;
  state: CursorState = { kind: 'resuming' };
  position: Offset = -1;
  /** That the position was read in, where it is known. */
  epoch: number | undefined;
  /** A later epoch of the log that goes on from the position, as the log has said; none while the position is of the latest. */
  agreedEpoch: number | undefined;
  compiled: CompiledMapping | undefined;
  /** What was appended since the sink was resumed ends here: the sink partition ends here or later. */
  sinkEnd: Offset = 0;
  /** The append under way, if any; never rejects. */
  appending: Promise<void> | undefined;
  #maxAppendBytes = Number.POSITIVE_INFINITY;
  #progress: SinkProgress;
  #torn: PartitionEntry['torn'];

  constructor(progress: SinkProgress, partition: Partition) {
    this.incarnation = progress.incarnation;
    this.partition = partition;
    this.#progress = progress;
    this.#torn = entryOf(progress, partition).torn;
  }

  get progress(): SinkProgress {
    return this.#progress;
  }

  get intervals(): readonly Interval[] {
    return entryOf(this.#progress, this.partition).intervals;
  }

  /** Nothing more is mapped: the source is known to have lost what was mapped, or only a newer release may go on. */
  get isEnded(): boolean {
    return entryOf(this.#progress, this.partition).cut !== undefined || !progressDocuments.isWritable(this.#progress);
  }

  /** The next source offset to map; undefined when the intervals want nothing more. */
  get wanted(): Offset | undefined {
    return nextWanted(this.intervals, this.position);
  }

  /** The topic takes no larger append, as far as it has said. */
  get maxAppendBytes(): number {
    return this.#maxAppendBytes;
  }

  /** The topic has refused an append of `bytes`, though it should have taken it. */
  lowerMaxAppendBytes(bytes: number): void {
    this.#maxAppendBytes = Math.max(leastAppendBytes, Math.floor(Math.min(bytes, this.#maxAppendBytes) / 2));
  }

  /** An outcome of `position`, which was read in `epoch`, is there or on its way. */
  stand(position: Offset, epoch: number | undefined): void {
    this.position = position;
    this.epoch = epoch;
    this.agreedEpoch = undefined;
  }

  /** True while it is not known that what is read in this epoch continues what was read up to the position. */
  mustCompare(epoch: number | undefined): boolean {
    const isOther = epoch !== undefined && epoch !== this.epoch && epoch !== this.agreedEpoch;
    return this.epoch !== undefined && isOther;
  }

  /** Takes over a newer document. A sink topic that was torn since is mapped again from the entry. */
  update(progress: SinkProgress): void {
    this.#progress = progress;
    const entry = entryOf(progress, this.partition);
    if (isTornSince(this.#torn, entry) && entry.source < this.position) this.stand(entry.source, entry.epoch);
    this.#torn = entry.torn;
  }
}
