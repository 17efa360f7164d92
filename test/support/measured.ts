import type { SinkMeasure } from '../../src/core/accounts/sink-measure.ts';

/** What a look at a sink finds whose numbers add up. */
export function noDifferences({
  lagEvents,
  ringing,
}: {
  readonly lagEvents: number;
  readonly ringing: number;
}): SinkMeasure {
  return {
    lagEvents,
    lagSeconds: 0,
    stagedRows: 0,
    stagedSeconds: 0,
    targetSeconds: 180,
    differences: { document: 0, ledgerRows: 0, ledgerDead: 0, log: 0 },
    holes: { counted: ringing, ringing },
    aside: { slices: 0, events: 0, oldestSeconds: 0, givenUp: 0 },
    replays: 0,
  };
}
