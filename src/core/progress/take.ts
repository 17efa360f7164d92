import type { Offset } from '../offset.ts';
import { inside, isBeyond, nextWanted, type Interval, type Run } from './intervals.ts';
import type { PartitionEntry } from './sink-progress.ts';

/** What a reader of a sink partition knows when it meets an outcome. */
export interface ReaderPosition {
  /** The last source offset that it took, or the entry's when it took none yet. */
  readonly source: Offset;
  readonly intervals: readonly Interval[];
  readonly torn: PartitionEntry['torn'];
  /**
   * Nothing was taken since `torn` was noted: as far as the reader has read, no mapper has come back to what went
   * missing.
   */
  readonly awaits: boolean;
  /**
   * The entry was found unchanged in a document that was read, linearizably, after this outcome had been fetched. One
   * such read serves a whole batch.
   */
  readonly fresh: boolean;
}

/** The offsets (from, to] of it that count, in order; `source` is the last of them, the reader's next position. */
interface Take {
  readonly kind: 'take';
  readonly runs: readonly Run[];
  readonly source: Offset;
}

/** Nothing of the outcome lies inside the intervals: it is dropped. */
interface Outside {
  readonly kind: 'outside';
}

export type Verdict =
  /** Decided already, whoever wrote it: it is dropped. */
  | { readonly kind: 'repeat' }
  | Outside
  | Take
  /** It cannot be judged before the document is read again; a changed entry means: start again from it. */
  | { readonly kind: 'needsFreshDocument' }
  /**
   * What is missing before it is gone from the source as well: `runs` count as holes up to `source`, then comes the
   * outcome itself.
   */
  | { readonly kind: 'hole'; readonly runs: readonly Run[]; readonly source: Offset; readonly outcome: Take | Outside }
  /**
   * Wanted offsets before it have no outcome, and that is noted. The outcome was written before a mapper came back to
   * those offsets, and is mapped again after them, so it is dropped.
   */
  | { readonly kind: 'ahead' }
  /**
   * Wanted offsets have no outcome: the topic has lost it. Note that, so that they are mapped again, and this outcome
   * with them.
   */
  | { readonly kind: 'gap'; readonly missing: readonly Run[] };

/**
 * Rule 2 of the protocol: what a reader does with the next outcome of its partition, in the order of the sink topic. An
 * outcome whose verdict is `needsFreshDocument` is judged again with `fresh` true, or dropped with everything else when
 * the entry has changed.
 */
export function judge(position: ReaderPosition, outcome: Run): Verdict {
  const { source, intervals, torn, awaits, fresh } = position;
  if (outcome.to <= source) return { kind: 'repeat' };
  const wanted = nextWanted(intervals, source);
  const isGap = wanted !== undefined && wanted <= outcome.from;
  if (!fresh && (isGap || isBeyond(intervals, outcome.to))) return { kind: 'needsFreshDocument' };
  const own = clip(intervals, { from: Math.max(outcome.from, source), to: outcome.to });
  if (!isGap) return own;
  const missing = inside(intervals, { from: source, to: outcome.from });
  const last = missing.at(-1)?.to ?? source;
  if (last < (torn.lost ?? 0)) return { kind: 'hole', runs: missing, source: last, outcome: own };
  // What lies past the end of the note was mapped after it, by a mapper that has not seen it: nothing says that it
  // comes again.
  if (awaits && outcome.to < torn.end) return { kind: 'ahead' };
  return { kind: 'gap', missing };
}

function clip(intervals: readonly Interval[], run: Run): Take | Outside {
  const runs = inside(intervals, run);
  const last = runs.at(-1);
  return last === undefined ? { kind: 'outside' } : { kind: 'take', runs, source: last.to };
}
