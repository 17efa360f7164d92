import { expect, test } from 'vitest';
import { allowed, endsAt, progressOf, sliceOf } from '../../../test/support/progress-of.ts';
import { seal } from '../progress/seal.ts';
import { entryOf } from '../progress/sink-progress.ts';
import { endsOfGone } from '../progress/source-ends.ts';
import { LagClock } from './lag-clock.ts';
import { measureSink, sumMeasures, type SinkMeasure } from './sink-measure.ts';

/** Two partitions; of the first, five offsets are staged: three rows, a dead letter, and one that was filtered. */
function begun() {
  const progress = progressOf(0, 0);
  const slice = sliceOf({ id: 'a', from: -1, to: 4, rows: 3, dead: 1 });
  const counts = { filtered: 1, holes: 0, none: 0 };
  const base = entryOf(progress, 0);
  return allowed(seal(progress, { partition: 0, base, sink: 5, source: 4, ...counts, slice, stamp: 1 }));
}

test('D4: what lags is staged, or not staged yet, of all partitions, and as old as the oldest of it', () => {
  const lag = new LagClock();
  const measured = (now: number) =>
    measureSink(begun(), { ends: endsAt(10, 2), ledger: undefined, lag, now, wall: 0, targetMs: 0 });
  expect(measured(1000)).toMatchObject({ lagEvents: 4 + 5 + 2, lagSeconds: 0, stagedRows: 4 });
  expect(measured(3000)).toMatchObject({ lagEvents: 11, lagSeconds: 2, differences: { document: 0, log: undefined } });
});

test('D4: of a topic that is gone only what is staged lags', () => {
  const facts = {
    ends: { durable: endsOfGone(begun()) },
    ledger: undefined,
    lag: new LagClock(),
    now: 0,
    wall: 0,
    targetMs: 0,
  };
  expect(measureSink(begun(), facts)).toMatchObject({ lagEvents: 4, stagedRows: 4 });
});

test('of several incarnations the events add up, and the oldest lag is told', () => {
  const differences = { document: 0, ledgerRows: 0, ledgerDead: 0, log: 0 };
  const one = (lagEvents: number, lagSeconds: number): SinkMeasure => ({
    lagEvents,
    lagSeconds,
    stagedRows: lagEvents,
    stagedSeconds: lagSeconds,
    targetSeconds: lagSeconds,
    differences,
    holes: { counted: 2, ringing: 1 },
    aside: { slices: 1, events: 2, oldestSeconds: lagSeconds, givenUp: 3 },
    replays: 1,
  });
  const holes = { counted: 4, ringing: 2 };
  const aside = { slices: 2, events: 4, oldestSeconds: 9, givenUp: 6 };
  expect(sumMeasures([one(3, 9), one(4, 5)])).toEqual({ ...one(7, 9), targetSeconds: 5, holes, aside, replays: 2 });
});
