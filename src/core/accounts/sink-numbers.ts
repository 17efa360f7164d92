import { entryOf, partitionsOf, type SinkProgress } from '../progress/sink-progress.ts';
import { closedEnds } from '../progress/flush.ts';
import type { Ends } from '../progress/source-ends.ts';
import { conserveAll, sumConservation } from './conservation.ts';

/** What became of the events that an incarnation of a sink was to take; each stands in exactly one number beside `accepted`. */
export interface SinkNumbers {
  /**
   * Events at offsets of its intervals below the end of the source topic, counted from positions alone: offsets passed and offsets still to
   * be passed, without those that hold no event, and with the events beyond the first of records that hold several.
   */
  readonly accepted: number;
  readonly imported: number;
  readonly staged: number;
  readonly inFlight: number;
  readonly filtered: number;
  readonly dead: number;
  readonly holes: number;
  readonly givenUp: number;
}

/** In the order in which people read them. */
export const numberNames = [
  'accepted',
  'imported',
  'staged',
  'inFlight',
  'filtered',
  'dead',
  'holes',
  'givenUp',
] as const satisfies readonly (keyof SinkNumbers)[];

export const noNumbers: SinkNumbers = {
  accepted: 0,
  imported: 0,
  staged: 0,
  inFlight: 0,
  filtered: 0,
  dead: 0,
  holes: 0,
  givenUp: 0,
};

/** `accepted` less all others: 0 unless something is broken. Above 0: events that nobody accounts for; below 0: counted twice. */
export function differenceOf(numbers: SinkNumbers): number {
  const { accepted, imported, staged, inFlight, filtered, dead, holes, givenUp } = numbers;
  return accepted - (imported + staged + inFlight + filtered + dead + holes + givenUp);
}

/** Of several sinks together. */
export function sumNumbers(all: readonly SinkNumbers[]): SinkNumbers {
  const total = (name: keyof SinkNumbers): number => all.reduce((sum, one) => sum + one[name], 0);
  return {
    accepted: total('accepted'),
    imported: total('imported'),
    staged: total('staged'),
    inFlight: total('inFlight'),
    filtered: total('filtered'),
    dead: total('dead'),
    holes: total('holes'),
    givenUp: total('givenUp'),
  };
}

/**
 * Counts an incarnation at one moment. `durable` are ends of its source topic that were read before the document: what was
 * accepted since is counted the next time, and an interval that was closed since ends above them, so that `accepted` never
 * says more than there was. A deleted incarnation wants nothing beyond its own ends, whatever became of the topic.
 */
export function countSink(progress: SinkProgress, durable: Ends): SinkNumbers {
  const ends = new Map(progress.deleted ? closedEnds(progress) : durable);
  // A partition that was added after the ends were read.
  for (const partition of partitionsOf(progress))
    if (!ends.has(partition)) ends.set(partition, entryOf(progress, partition).source + 1);
  const { accepted, none, rows, staged, inFlight, filtered, dead, holes, givenUp } = sumConservation(
    conserveAll(progress, ends),
  );
  return { accepted: accepted - none, imported: rows, staged, inFlight, filtered, dead, holes, givenUp };
}
