import type { Measured } from './sides/loaded-side.ts';
import { totalOf } from './processor-time.ts';
import { median, spreadOf, type Spread } from './statistics.ts';

/** What an event costs a side, by the parts of its process. */
export interface SideCost {
  readonly side: string;
  /** Processor time of an event, all threads. */
  readonly microseconds: Spread;
  /** Of these, the median that was spent in the system. */
  readonly systemMicroseconds: number;
  /** Medians, the dearest first; empty where the machine does not tell threads apart. */
  readonly threads: readonly { readonly part: string; readonly microseconds: number }[];
  readonly perSecond: Spread;
  /** Processor time of the loader, share of the side's, median. */
  readonly loaderShare: number;
}

/** What is asked of a round. */
type Used = Pick<Measured, 'events' | 'used' | 'microseconds' | 'perSecond' | 'loaderShare'>;

/** Sums up the rounds of a side. */
export function sideCost(side: string, rounds: readonly Used[]): SideCost {
  const parts = new Set(rounds.flatMap(({ used }) => [...used.threads.keys()]));
  const threads = [...parts].map((part) => ({
    part,
    microseconds: median(rounds.map((round) => partMicroseconds(round, part))),
  }));
  return {
    side,
    microseconds: spreadOf(rounds.map(({ microseconds }) => microseconds)),
    systemMicroseconds: median(rounds.map(({ used, events }) => used.all.system / events)),
    threads: threads.toSorted((a, b) => b.microseconds - a.microseconds),
    perSecond: spreadOf(rounds.map(({ perSecond }) => perSecond)),
    loaderShare: median(rounds.map(({ loaderShare }) => loaderShare)),
  };
}

/** What a part of a side used for an event in a round. */
export function partMicroseconds({ used, events }: Pick<Used, 'used' | 'events'>, part: string): number {
  const times = used.threads.get(part);
  return times === undefined ? 0 : totalOf(times) / events;
}
