import type { SinkProgress } from './sink-progress.ts';

/** What of a sink does not go its way. */
export interface Aside {
  /** Slices that wait aside, because they do not fit their table or could not be imported even alone. */
  readonly slices: number;
  /** Their rows and dead letters. */
  readonly events: number;
  /** How long the oldest of them has waited; 0 when there is none. */
  readonly oldestSeconds: number;
  /** Events that were given up since the incarnation began, though nobody asked for it. */
  readonly givenUp: number;
}

/** `now` in milliseconds since the epoch. What goes with a table that its owner dropped is no loss. */
export function asideOf({ parked, totals, dropped }: SinkProgress, now: number): Aside {
  const since = parked.reduce((oldest, { parkedAt }) => Math.min(oldest, parkedAt), now);
  return {
    slices: parked.length,
    events: parked.reduce((sum, { rows, dead }) => sum + rows + dead, 0),
    oldestSeconds: (now - since) / 1000,
    givenUp: dropped === undefined ? Object.values(totals).reduce((sum, { givenUp }) => sum + givenUp, 0) : 0,
  };
}

/** Of all incarnations of a sink. */
export function sumAside(all: readonly Aside[]): Aside {
  const sum = (pick: (one: Aside) => number): number => all.reduce((total, one) => total + pick(one), 0);
  return {
    slices: sum(({ slices }) => slices),
    events: sum(({ events }) => events),
    oldestSeconds: Math.max(0, ...all.map(({ oldestSeconds }) => oldestSeconds)),
    givenUp: sum(({ givenUp }) => givenUp),
  };
}
