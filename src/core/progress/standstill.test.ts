import { describe, expect, it } from 'vitest';
import { allowed, progressOf, sliceOf } from '../../../test/support/progress-of.ts';
import { startImport } from './import.ts';
import { seal } from './seal.ts';
import { entryOf, type SinkProgress } from './sink-progress.ts';
import {
  standingsAfter,
  standstills,
  stagePositions,
  type Explanation,
  type Standings,
  type StageFacts,
} from './standstill.ts';

interface Look {
  /** Minutes. */
  readonly at: number;
  readonly progress: SinkProgress;
  /** End of the only source partition. */
  readonly end: number;
  /** Last source offset with an outcome. */
  readonly mapped?: number;
}

const minute = 60_000;
const hour = 60 * minute;

/** What stands still at the last look. */
function judge(
  looks: readonly Look[],
  {
    interval = minute,
    explained = [],
  }: { readonly interval?: number; readonly explained?: readonly Explanation[] } = {},
) {
  let standings: Standings = new Map();
  let found: readonly string[] = [];
  for (const { at, progress, end, mapped } of looks) {
    const facts: StageFacts = {
      ends: new Map([[0, end]]),
      mapped: mapped === undefined ? new Map() : new Map([[0, mapped]]),
      stagingIntervalMs: interval,
      importIntervalMs: interval,
    };
    const places = stagePositions(progress, facts);
    standings = standingsAfter(standings, places, at * minute);
    found = standstills(standings, places, { now: at * minute, explained }).map(({ stage }) => stage);
  }
  return found;
}

const fresh = progressOf(0);
const base = entryOf(fresh, 0);
const sealed = allowed(
  seal(fresh, {
    partition: 0,
    base,
    sink: 1,
    source: 9,
    filtered: 0,
    holes: 0,
    none: 0,
    slice: sliceOf({ id: 'a', from: -1, to: 9 }),
    stamp: 1,
  }),
);

describe('what stands still without a reason', () => {
  it('L4: a mapper that passes nothing for a minute, though there are events', () => {
    expect(judge([0, 0.5, 0.9].map((at) => ({ at, progress: fresh, end: 5 })))).toEqual([]);
    expect(judge([0, 0.5, 1].map((at) => ({ at, progress: fresh, end: 5 })))).toEqual(['map']);
    expect(judge([0, 0.5, 1].map((at) => ({ at, progress: fresh, end: 50, mapped: 10 * at })))).toEqual([]);
  });

  it('L4: a reader that seals nothing past its interval, though outcomes wait', () => {
    const looks = (...minutes: readonly number[]) => minutes.map((at) => ({ at, progress: fresh, end: 5, mapped: 4 }));
    expect(judge(looks(0, 1, 2.9))).toEqual([]);
    expect(judge(looks(0, 1, 3))).toEqual(['stage']);
  });

  it('L4: slices that nobody imports past their interval, and an import that does not end', () => {
    const looks = (progress: SinkProgress, ...minutes: readonly number[]) =>
      minutes.map((at) => ({ at, progress, end: 10 }));
    expect(judge(looks(sealed, 0, 5.9))).toEqual([]);
    expect(judge(looks(sealed, 0, 6))).toEqual(['import']);
    const running = allowed(startImport(sealed, { id: 'i', at: 0 }));
    expect(judge(looks(running, 0, 30))).toEqual([]);
    expect(judge(looks(running, 0, 31))).toEqual(['import']);
  });

  it('L4: a sink whose interval is an hour is not late before the hour is over', () => {
    const looks = [0, 10, 59].map((at) => ({ at, progress: fresh, end: 5, mapped: 4 }));
    expect(judge(looks, { interval: hour })).toEqual([]);
    expect(judge([...looks, { at: 62, progress: fresh, end: 5, mapped: 4 }], { interval: hour })).toEqual(['stage']);
    expect(
      judge(
        [0, 59, 64].map((at) => ({ at, progress: sealed, end: 10 })),
        { interval: hour },
      ),
    ).toEqual([]);
  });

  it('L4: an idle sink never stands still, and its first event begins the time anew', () => {
    const looks = [0, 100, 200].map((at) => ({ at, progress: fresh, end: 0 }));
    expect(judge(looks)).toEqual([]);
    expect(judge([...looks, { at: 300, progress: fresh, end: 1 }])).toEqual([]);
  });

  it('L4: a stage whose status says why it stopped is no alarm of its own', () => {
    const looks = [0, 10].map((at) => ({ at, progress: fresh, end: 5 }));
    expect(judge(looks, { explained: [{ role: 'map' }] })).toEqual([]);
    expect(judge(looks, { explained: [{ role: 'stage' }, { role: 'import' }] })).toEqual(['map']);
  });

  it('L4: a status of a partition says nothing of another one, nor of imports, which have one place for all', () => {
    const looks = [0, 10].map((at) => ({ at, progress: fresh, end: 5 }));
    expect(judge(looks, { explained: [{ role: 'map', partitions: [1, 0] }] })).toEqual([]);
    expect(judge(looks, { explained: [{ role: 'map', partitions: [1] }] })).toEqual(['map']);
    const staged = [0, 10].map((at) => ({ at, progress: sealed, end: 10 }));
    expect(judge(staged, { explained: [{ role: 'import', partitions: [0] }] })).toEqual(['import']);
    expect(judge(staged, { explained: [{ role: 'import' }] })).toEqual([]);
  });
});
