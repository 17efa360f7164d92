import type { Offset, Partition } from '../offset.ts';
import type { SinkStatus } from '../sink-status.ts';
import { countWanted } from './intervals.ts';
import { entryOf, totalsOf, type SinkProgress } from './sink-progress.ts';

/** How far a stage of a sink is at one place, and how far it has to go. */
export interface StagePosition {
  readonly stage: SinkStatus['role'];
  /** Undefined: of all partitions together. */
  readonly partition: Partition | undefined;
  readonly position: number;
  /** There is work while it is above `position`. */
  readonly end: number;
  /** So long the stage may stay where it is although it has work. */
  readonly patienceMs: number;
}

export interface Standstill extends StagePosition {
  readonly forMs: number;
}

/** What a status of a stage gives a reason for: the whole stage, or some of its partitions. */
export type Explanation = Pick<SinkStatus, 'role' | 'partitions'>;

/** Since when each place with work is where it is, on a monotonic clock. */
export type Standings = ReadonlyMap<string, { readonly position: number; readonly since: number }>;

export interface StageFacts {
  /** Stable ends of the source's partitions: an open transaction of another producer is nothing that a mapper could pass. */
  readonly ends: ReadonlyMap<Partition, Offset>;
  /** Last source offset that an outcome in the sink's topic covers, by partition; absent where there is none. */
  readonly mapped: ReadonlyMap<Partition, Offset>;
  readonly stagingIntervalMs: number;
  readonly importIntervalMs: number;
}

/** Mapping waits for nothing outside the process. */
const mapPatienceMs = 60_000;
/** Over the interval of the trigger: for the upload and the seal. */
const stagePatienceMs = 120_000;
/** Over the interval: other sinks may be first. */
const importPatienceMs = 300_000;
/** For an import that runs. */
const loadPatienceMs = 1_800_000;

/** Where the stages of a sink are. Positions are counts of wanted offsets, so that they only grow; those of imports are their numbers. */
export function stagePositions(progress: SinkProgress, facts: StageFacts): readonly StagePosition[] {
  const { staged, importing, replaying, nextImport } = progress;
  const places = [...facts.ends].flatMap(([partition, end]): readonly StagePosition[] => {
    const { source, intervals } = entryOf(progress, partition);
    const { passed } = totalsOf(progress, partition);
    const upTo = (to: Offset): number => passed + countWanted(intervals, { from: source, to });
    const mapped = upTo(Math.max(source, facts.mapped.get(partition) ?? source));
    const patienceMs = facts.stagingIntervalMs + stagePatienceMs;
    return [
      { stage: 'map', partition, position: mapped, end: upTo(Math.max(source, end - 1)), patienceMs: mapPatienceMs },
      { stage: 'stage', partition, position: passed, end: mapped, patienceMs },
    ];
  });
  const isLoading = importing !== undefined || replaying !== undefined;
  const hasImport = staged.length > 0 || isLoading;
  const patienceMs = facts.importIntervalMs + (isLoading ? loadPatienceMs : importPatienceMs);
  const position = nextImport;
  return [
    ...places,
    { stage: 'import', partition: undefined, position, end: position + Number(hasImport), patienceMs },
  ];
}

/**
 * What is remembered after a look at the places of a sink. A place that moved or has no work begins anew; one that was
 * not seen stays as it was.
 */
export function standingsAfter(before: Standings, places: readonly StagePosition[], now: number): Standings {
  const seen = new Set(places.map(keyOf));
  const unseen = [...before].filter(([key]) => !seen.has(key));
  const standing = places
    .filter(({ position, end }) => position < end)
    .map((place) => {
      const key = keyOf(place);
      const known = before.get(key);
      const since = known?.position === place.position ? known.since : now;
      return [key, { position: place.position, since }] as const;
    });
  return new Map([...unseen, ...standing]);
}

/** Places that stay where they are for longer than their patience, though they have work and no status says why. */
export function standstills(
  standings: Standings,
  places: readonly StagePosition[],
  { now, explained }: { readonly now: number; readonly explained: readonly Explanation[] },
): readonly Standstill[] {
  return places.flatMap((place) => {
    const standing = standings.get(keyOf(place));
    if (standing === undefined || explained.some((one) => isExplainedBy(place, one))) return [];
    const forMs = now - standing.since;
    return forMs < place.patienceMs ? [] : [{ ...place, forMs }];
  });
}

/** A status of some partitions says nothing of the others, nor of a stage that has one place for all. */
function isExplainedBy({ stage, partition }: StagePosition, { role, partitions }: Explanation): boolean {
  if (role !== stage) return false;
  return partitions === undefined || (partition !== undefined && partitions.includes(partition));
}

function keyOf({ stage, partition }: StagePosition): string {
  return `${stage}/${partition ?? ''}`;
}
