import type { SinkKey } from '../ids.ts';
import { wholeDifference } from './conservation.ts';
import type { SinkMeasure } from './sink-measure.ts';

/** What sinks are ordered by, most first. */
export const rankings = [
  'lagEvents',
  'lagSeconds',
  'stagedEvents',
  'parkedEvents',
  'deadLetters',
  'holes',
  'givenUp',
  'difference',
] as const;

export type Ranking = (typeof rankings)[number];

/** How a sink stood at the last look. */
export interface SinkStanding extends Readonly<Record<Ranking, number>> {
  readonly key: SinkKey;
}

/** `deadLetters` are those that its document counts now: replayed ones are none any more. */
export function standingOf(key: SinkKey, measure: SinkMeasure, deadLetters: number): SinkStanding {
  return {
    key,
    lagEvents: measure.lagEvents,
    lagSeconds: measure.lagSeconds,
    stagedEvents: measure.stagedRows,
    parkedEvents: measure.aside.events,
    deadLetters,
    holes: measure.holes.ringing,
    givenUp: measure.aside.givenUp,
    difference: wholeDifference(measure.differences),
  };
}

/**
 * Those that have any of it, most first, then by name. Incarnations of one name are one: what they have adds up, of ages the
 * largest counts, as in the metrics.
 */
export function rankSinks(all: readonly SinkStanding[], by: Ranking): readonly SinkStanding[] {
  const byName = new Map<string, SinkStanding>();
  for (const one of all) {
    const name = nameOf(one);
    const other = byName.get(name);
    byName.set(name, other === undefined ? one : together(other, one));
  }
  return [...byName.values()]
    .filter((one) => one[by] > 0)
    .toSorted((one, other) => other[by] - one[by] || (nameOf(one) < nameOf(other) ? -1 : 1));
}

function together(one: SinkStanding, other: SinkStanding): SinkStanding {
  const sums = rankings.map((name) => [
    name,
    name === 'lagSeconds' ? Math.max(one[name], other[name]) : one[name] + other[name],
  ]);
  return { key: one.key, ...(Object.fromEntries(sums) as Record<Ranking, number>) };
}

function nameOf({ key: { branchId, sourceId, sinkId } }: SinkStanding): string {
  return `${branchId}/${sourceId}/${sinkId}`;
}
