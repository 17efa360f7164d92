import { describe, expect, test } from 'vitest';
import { allowed, progressOf, sliceOf } from '../../../test/support/progress-of.ts';
import { compareWithLedger } from '../accounts/ledger-witness.ts';
import { accountOf } from '../accounts/conservation.ts';
import { startImport } from './import.ts';
import { abandonReplay, finishReplay, hasTakenAll, startReplay, type ReplayBatch } from './replay.ts';
import { askReplay, endReplay, passLetters, stopReplay } from './replay-order.ts';
import { namedObjects } from './seal.ts';
import { noTotals, totalsOf, type SinkProgress } from './sink-progress.ts';
import { standingsAfter, stagePositions } from './standstill.ts';
import { clearStatistics, importedCounts, importedStatistics } from './statistics.ts';
import { isSpent } from './switch.ts';

const batch: ReplayBatch = {
  id: 'r1',
  replayId: 'all',
  from: undefined,
  passed: { seen: 7, refused: 2, partial: 1, after: { partition: 3, offset: 4, eventId: 'e' } },
  mappingVersion: 1,
  letters: { 0: { rows: 2, filtered: 1, offsets: [5, 1, 2] }, 3: { rows: 1, filtered: 0, offsets: [4] } },
  rowsObject: { name: 'r1.rows', bytes: 30 },
  lettersObject: { name: 'r1.letters', bytes: 12 },
  firstArrival: 50,
  lastArrival: 70,
  at: 9,
  stamp: 100,
};
const attempt = { number: 4, id: 'r1' };

/** A document that has counted dead letters in two partitions. */
const counted: SinkProgress = {
  ...allowed(askReplay(progressOf(0), { id: 'all', filter: {}, matching: 9, at: 3 })),
  nextImport: 4,
  totals: { 0: { ...noTotals, passed: 10, rows: 6, dead: 4 }, 3: { ...noTotals, passed: 1, dead: 1 } },
};
const running = allowed(startReplay(counted, batch));

describe('replays of dead letters', () => {
  test('D3: a replay takes the next number, alone: no import runs beside it, and no other replay', () => {
    expect(running.replaying).toMatchObject({ ...attempt, startedAt: 9, mappingVersion: 1 });
    const waiting = { ...counted, staged: [sliceOf({ id: 'a', from: 10, to: 12 })] };
    const importing = allowed(startImport(waiting, { id: 'i', at: 1 }));
    expect(startReplay(importing, batch)).toHaveProperty('reason', 'an import runs');
    expect(startReplay(running, batch)).toHaveProperty('reason', 'an import runs');
    const replaying = allowed(startReplay(waiting, batch));
    expect(startImport(replaying, { id: 'i', at: 1 })).toHaveProperty('reason', 'a replay runs');
  });

  test('D7: its rows are of the mapping in use when it starts', () => {
    expect(startReplay({ ...counted, mappingVersion: 2 }, batch)).toMatchObject({ outdated: true });
  });

  test('D2: a replay whose stamp lies below the floor is refused, for its objects may be gone', () => {
    expect(startReplay({ ...counted, floor: 101 }, batch)).toMatchObject({ code: 'stage.outrun' });
    expect(startReplay({ ...counted, floor: 100 }, batch)).not.toHaveProperty('reason');
  });

  test('D2: the objects of a replay that runs are needed', () => {
    expect([...namedObjects(running)]).toEqual(['r1.rows', 'r1.letters']);
  });

  test('D4: a replay takes no more letters of a partition than it has counted', () => {
    const few = { ...counted, totals: { ...counted.totals, 0: { ...noTotals, passed: 2, dead: 2 } } };
    expect(startReplay(few, batch)).toHaveProperty('reason', expect.stringContaining('partition 0 has counted 2'));
  });

  test('a deleted incarnation starts none, and is not spent while one runs', () => {
    expect(startReplay({ ...counted, deleted: true }, batch)).toHaveProperty('reason');
    expect(isSpent({ ...running, deleted: true, open: false }, [])).toBe(false);
    const done = allowed(finishReplay({ ...running, deleted: true, open: false }, attempt));
    expect(isSpent(done, [])).toBe(true);
  });

  test('a batch that names no letter, or rows that it does not have, is a bug', () => {
    const { rowsObject: _, ...without } = batch;
    for (const wrong of [
      { ...batch, letters: {} },
      without,
      { ...batch, letters: { 0: { rows: 0, filtered: 1, offsets: [5] } } },
    ])
      expect(() => startReplay(counted, wrong)).toThrow('does not fit');
  });

  test('D4: letters are counted as dead until the replay is finished, then as what they became, and the sum holds all the time', () => {
    const done = allowed(finishReplay(running, attempt));
    for (const partition of [0, 3])
      for (const document of [counted, running, done]) expect(accountOf(document, partition).difference).toBe(0);
    expect(running.totals).toEqual(counted.totals);
    expect(accountOf(running, 0)).toMatchObject({ dead: 4, staged: 0 });
    expect(totalsOf(done, 0)).toMatchObject({ rows: 8, filtered: 1, dead: 1 });
    expect(totalsOf(done, 3)).toMatchObject({ rows: 1, filtered: 0, dead: 0 });
    expect(done).toMatchObject({ nextImport: 5 });
    expect(done).not.toHaveProperty('replaying');
  });

  test('D4: the ledger agrees before, while it runs, when it has loaded and when it was given up', () => {
    const row = (number: number, rows: number, dead: number) =>
      ({ number, id: number === 4 ? 'r1' : '', verdict: 'loaded', loaded: { rows, dead } }) as const;
    const same = { kind: 'compared', difference: { rows: 0, dead: 0 } };
    expect(compareWithLedger(counted, row(3, 6, 5))).toEqual(same);
    expect(compareWithLedger(running, row(3, 6, 5))).toEqual(same);
    expect(compareWithLedger(running, row(4, 9, 1))).toEqual(same);
    expect(compareWithLedger(allowed(finishReplay(running, attempt)), row(4, 9, 1))).toEqual(same);
    const abandoned = { ...row(4, 6, 5), verdict: 'abandoned' } as const;
    expect(compareWithLedger(running, abandoned)).toEqual(same);
    expect(compareWithLedger(allowed(abandonReplay(running, attempt)), abandoned)).toEqual(same);
    // Loaded, and the letters left where they were.
    expect(compareWithLedger(running, row(4, 9, 5))).toMatchObject({ difference: { rows: 0, dead: -4 } });
  });

  test('D3: a verdict ends its own attempt only', () => {
    for (const other of [
      { ...attempt, number: 3 },
      { ...attempt, id: 'r2' },
    ]) {
      expect(finishReplay(running, other)).toMatchObject({ outdated: true });
      expect(abandonReplay(running, other)).toMatchObject({ outdated: true });
    }
    const done = allowed(finishReplay(running, attempt));
    expect(finishReplay(done, attempt)).toMatchObject({ outdated: true });
    expect(abandonReplay(done, attempt)).toMatchObject({ outdated: true });
  });

  test('D2: a replay that was given up leaves the letters as they are, and its number is gone', () => {
    const { replaying: _, ...same } = running;
    const replay = { ...running.replay, abandoned: 1 };
    expect(allowed(abandonReplay(running, attempt))).toEqual({ ...same, nextImport: 5, replay });
  });

  test('D3: letters that were not all there, each once, are not taken', () => {
    expect(hasTakenAll({ named: 3, deleted: 3 })).toBe(true);
    expect(hasTakenAll({ named: 3, deleted: 2 })).toBe(false);
    expect(hasTakenAll({ named: 3, deleted: 4 })).toBe(false);
  });

  test('statistics count its rows, bytes and arrivals, and never fewer dead letters than none', () => {
    const before = { ...counted, imported: { ...importedStatistics(counted), bytes: 60, unsized: 0 } };
    const done = allowed(finishReplay(allowed(startReplay(before, batch)), attempt));
    expect(done.imported).toMatchObject({ rows: 9, dead: 1, bytes: 90, firstArrival: 50, lastArrival: 70 });
    expect(importedCounts(done)).toEqual({ rows: 9, dead: 1 });
    const cleared = allowed(clearStatistics(running));
    expect(cleared.imported).toMatchObject({ fromImport: 5 });
    expect(allowed(finishReplay(cleared, attempt)).imported).toMatchObject({ rows: 3, dead: 0 });
  });

  test('one replay of a sink runs at a time, and none of a deleted one', () => {
    const order = { id: 'b', filter: {}, matching: 0, at: 4 };
    expect(askReplay(counted, order)).toHaveProperty('reason', 'a replay runs');
    expect(askReplay({ ...progressOf(0), deleted: true }, order)).toHaveProperty('reason');
    const stopped = allowed(stopReplay(counted, { at: 5 }));
    expect(stopped.replay).toMatchObject({ state: 'stopped', endedAt: 5 });
    expect(stopReplay(stopped, { at: 6 })).toHaveProperty('reason', 'no replay runs');
    expect(allowed(askReplay(stopped, order)).replay).toMatchObject({ id: 'b', state: 'running', askedAt: 4 });
  });

  test('a replay that was stopped begins no batch, and counts the one that runs', () => {
    expect(startReplay(allowed(stopReplay(counted, { at: 5 })), batch)).toHaveProperty('reason');
    const stopped = allowed(stopReplay(running, { at: 5 }));
    expect(allowed(finishReplay(stopped, attempt)).replay).toMatchObject({
      state: 'stopped',
      after: batch.passed.after,
      counts: { seen: 7, rows: 3, filtered: 1, refused: 2, partial: 1 },
      batches: 1,
    });
  });

  test('D4: each batch is counted once in its replay, with the place that it reaches', () => {
    const done = allowed(finishReplay(running, attempt));
    expect(done.replay?.counts).toEqual({ seen: 7, rows: 3, filtered: 1, refused: 2, partial: 1 });
    expect(startReplay(done, batch)).toMatchObject({ outdated: true });
    const passed = { ...batch.passed, seen: 2, after: { partition: 3, offset: 9, eventId: 'f' } };
    expect(passLetters(done, { id: 'all', from: undefined, passed })).toMatchObject({ outdated: true });
    const on = allowed(passLetters(done, { id: 'all', from: batch.passed.after, passed }));
    expect(on.replay).toMatchObject({ after: passed.after, counts: { seen: 9, rows: 3 } });
    expect(passLetters(on, { id: 'another', from: passed.after, passed })).toMatchObject({ outdated: true });
    const ended = allowed(endReplay(on, { id: 'all', at: 8 }));
    expect(ended.replay).toMatchObject({ state: 'done', endedAt: 8 });
    expect(endReplay(ended, { id: 'all', at: 9 })).toMatchObject({ outdated: true });
    expect(passLetters(ended, { id: 'all', from: passed.after, passed })).toMatchObject({ outdated: true });
    const failure = { code: 'table.notFound', message: 'm' };
    expect(allowed(endReplay(on, { id: 'all', at: 8, failure })).replay).toMatchObject({ state: 'failed', failure });
  });

  test('a replay that does not end is a standstill of the import', () => {
    const facts = { ends: new Map(), mapped: new Map(), stagingIntervalMs: 1, importIntervalMs: 1 };
    expect([...standingsAfter(new Map(), stagePositions(counted, facts), 0)]).toEqual([]);
    expect([...standingsAfter(new Map(), stagePositions(running, facts), 0).keys()]).toEqual(['import/']);
  });
});
