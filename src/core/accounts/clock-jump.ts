/** The wall clock of who takes samples went another way than time did. */
export interface ClockJump {
  /** What it said afterwards, milliseconds since the epoch. */
  readonly at: number;
  /** Above 0: forward; below 0: back. */
  readonly byMs: number;
}

/** A clock that is slewed, or a round that was late, makes less of a difference. */
const leastMs = 10_000;

/** What two clocks said at one moment. */
export interface BothClocks {
  readonly wall: number;
  readonly monotonic: number;
}

/** How far the wall clock jumped between two moments of one process; undefined when it did not. */
export function jumpBetween(before: BothClocks, after: BothClocks): ClockJump | undefined {
  const byMs = Math.round(after.wall - before.wall - (after.monotonic - before.monotonic));
  return Math.abs(byMs) < leastMs ? undefined : { at: after.wall, byMs };
}
