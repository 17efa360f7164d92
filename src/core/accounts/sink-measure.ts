import { holesOf, type Holes } from '../progress/holes.ts';
import { asideOf, sumAside, type Aside } from '../progress/aside.ts';
import type { LoadedCounts } from '../progress/ledger.ts';
import type { SinkProgress } from '../progress/sink-progress.ts';
import type { SourceEnds } from '../progress/source-ends.ts';
import { conserveAll, differencesOf, sumConservation, sumDifferences, type Differences } from './conservation.ts';
import type { LagClock } from './lag-clock.ts';

/** What a look at a sink finds. */
export interface SinkMeasure {
  /** Accepted events that are in no table yet. */
  readonly lagEvents: number;
  /** Age of the oldest of them; 0 when there is none. */
  readonly lagSeconds: number;
  /** Rows and dead letters in staging. */
  readonly stagedRows: number;
  /** How long the oldest slice has been in staging that waits for its import or is imported now; 0 when there is none. */
  readonly stagedSeconds: number;
  /** How old an event may be when it is in its table. */
  readonly targetSeconds: number;
  /** What the witnesses of conservation disagree about; 0 unless something is broken. */
  readonly differences: Differences;
  /** Events that were lost before the sink had them, all and those that nobody has acknowledged. */
  readonly holes: Holes;
  /** What is set aside, and what was given up. */
  readonly aside: Aside;
  /** Replays of dead letters that run. */
  readonly replays: number;
}

export interface MeasureFacts {
  readonly ends: Pick<SourceEnds, 'durable' | 'acknowledged'>;
  /** What the document counts and the ledger does not; undefined while it is not known. */
  readonly ledger: LoadedCounts | undefined;
  /** Of this sink: it remembers when events were first seen. */
  readonly lag: LagClock;
  /** Monotonic time, milliseconds. */
  readonly now: number;
  /** Time of the wall, milliseconds since the epoch. */
  readonly wall: number;
  readonly targetMs: number;
}

/** Measures one incarnation. The ends were read after the document. */
export function measureSink(
  progress: SinkProgress,
  { ends, ledger, lag, now, wall, targetMs }: MeasureFacts,
): SinkMeasure {
  const counts = conserveAll(progress, ends.durable, ends.acknowledged);
  const { accepted, inFlight, staged } = sumConservation(counts);
  const lagEvents = inFlight + staged;
  const lagMs = lag.measure({ accepted, done: accepted - lagEvents, now });
  return {
    lagEvents,
    // Without its topic less is known to be accepted than before.
    lagSeconds: lagEvents === 0 ? 0 : lagMs / 1000,
    stagedRows: staged,
    stagedSeconds: stagedMs(progress, wall) / 1000,
    targetSeconds: targetMs / 1000,
    differences: differencesOf(counts, ledger),
    holes: holesOf(progress),
    aside: asideOf(progress, wall),
    replays: Number(progress.replay?.state === 'running'),
  };
}

/**
 * Of all incarnations of a sink, one of which may be deleted and have events to deliver while the next one of that name has its own; or of
 * several sinks.
 */
export function sumMeasures(all: readonly SinkMeasure[]): SinkMeasure {
  const sum = (pick: (one: SinkMeasure) => number): number => all.reduce((total, one) => total + pick(one), 0);
  return {
    lagEvents: sum(({ lagEvents }) => lagEvents),
    lagSeconds: Math.max(0, ...all.map(({ lagSeconds }) => lagSeconds)),
    stagedRows: sum(({ stagedRows }) => stagedRows),
    stagedSeconds: Math.max(0, ...all.map(({ stagedSeconds }) => stagedSeconds)),
    // The strictest: a sum of sinks keeps what each of them has to keep.
    targetSeconds: Math.min(...all.map(({ targetSeconds }) => targetSeconds)),
    differences: sumDifferences(all.map(({ differences }) => differences)),
    holes: { counted: sum(({ holes }) => holes.counted), ringing: sum(({ holes }) => holes.ringing) },
    aside: sumAside(all.map(({ aside }) => aside)),
    replays: sum(({ replays }) => replays),
  };
}

/** A clock that was set back makes nothing younger than now. */
function stagedMs({ staged, importing }: SinkProgress, now: number): number {
  return [...staged, ...(importing?.slices ?? [])].reduce((most, { stagedAt }) => Math.max(most, now - stagedAt), 0);
}
