import { expect, test } from 'vitest';
import { allowed, progressOf } from '../../../../test/support/progress-of.ts';
import type { ImportNote } from '../../../core/import-note.ts';
import { askReplay } from '../../../core/progress/replay-order.ts';
import { noTotals, type Replay, type RunningReplay, type SinkProgress } from '../../../core/progress/sink-progress.ts';
import type { Letter } from './table-witness.ts';
import { leftBy, takenBy } from './trace-replayed.ts';

const note: ImportNote = {
  incarnation: progressOf(0).incarnation,
  number: 5,
  id: 'i',
  verdict: 'loaded',
  rows: 2,
  dead: 0,
  slices: 0,
  bytes: 9,
  mappingVersion: 3,
  startedAt: 10,
  finishedAt: 20,
  durationMs: 10,
  replay: { id: 'all', letters: 3, offsets: { 1: [4, 3, 2] } },
};
const placed = (partition: number, offset: number) => ({ partition, offset, id: 'e', item: 0 });

test('W6: the import of a replay that took a letter is known by the offsets in its note', () => {
  const facts = { progress: progressOf(0), notes: [note] };
  const taken = { replayId: 'all', import: { number: 5, at: 20 }, isRunning: false, mappingVersion: 3 };
  for (const offset of [4, 7, 9])
    expect(takenBy(facts, placed(1, offset), 'dead')).toEqual({ ...taken, becomes: undefined });
  for (const event of [placed(1, 5), placed(0, 4), placed(1, 3)]) expect(takenBy(facts, event, 'dead')).toBeUndefined();
  expect(takenBy({ ...facts, notes: [{ ...note, verdict: 'abandoned' }] }, placed(1, 4), undefined)).toBeUndefined();
  expect(takenBy({ ...facts, notes: [{ ...note, rows: 3 }] }, placed(1, 4), undefined)?.becomes).toBe('row');
  expect(takenBy({ ...facts, notes: [{ ...note, rows: 0 }] }, placed(1, 4), undefined)?.becomes).toBe('filtered');
});

test('W6: of a record that may hold several events, a note means those that the mapping refused', () => {
  const packed = { ...progressOf(0), totals: { 1: { ...noTotals, unpacked: 2 } } };
  const facts = { progress: packed, notes: [note] };
  expect(takenBy(facts, placed(1, 4), 'dead')).toMatchObject({ import: { number: 5 } });
  for (const tried of ['row', 'filtered', undefined] as const)
    expect(takenBy(facts, placed(1, 4), tried)).toBeUndefined();
  expect(takenBy({ ...facts, progress: progressOf(0) }, placed(1, 4), undefined)).toMatchObject({ replayId: 'all' });
});

test('W6: so is the one that runs, whose rows are there before the document counts them', () => {
  const replaying: RunningReplay = {
    number: 6,
    id: 'j',
    replayId: 'all',
    passed: { seen: 1, refused: 0, partial: 0, after: { partition: 0, offset: 8, eventId: 'e' } },
    mappingVersion: 3,
    letters: { 0: { rows: 1, filtered: 0, offsets: [8] } },
    lettersObject: { name: 'l', bytes: 1 },
    firstArrival: 1,
    lastArrival: 1,
    startedAt: 30,
  };
  const facts = { progress: { ...progressOf(0), replaying }, notes: [note] };
  expect(takenBy(facts, placed(0, 8), undefined)).toMatchObject({
    import: { number: 6, at: 30 },
    isRunning: true,
    becomes: 'row',
  });
  expect(takenBy(facts, placed(1, 4), undefined)).toMatchObject({ import: { number: 5 }, isRunning: false });
});

test('W6: a letter that a replay has left is told so only where it is certain that the replay has met it', () => {
  const letter: Letter = {
    incarnation: 1,
    sinkId: 's',
    partition: 1,
    offset: 5,
    eventId: 'e',
    arrivedAt: 100,
    mappingVersion: 1,
    reason: 'pathNotFound',
    column: 'n',
    message: 'm',
    place: '',
  };
  const counted: SinkProgress = { ...progressOf(0), nextImport: 4 };
  const after = { partition: 1, offset: 5, eventId: 'e' };
  const left = (change: Partial<Replay> = {}, loadedBy: number | undefined = 3) => {
    const { replay, ...rest } = allowed(askReplay(counted, { id: 'all', filter: {}, matching: 1, at: 200 }));
    if (replay === undefined) throw new Error('no replay runs');
    const progress = { ...rest, replay: { ...replay, after, ...change } };
    const by = loadedBy === 0 ? undefined : { number: loadedBy, at: 1 };
    return leftBy({ progress, notes: [] }, letter, by);
  };
  const has = { text: expect.stringContaining('looked at it and left it') as string, replay: { id: 'all' } };
  expect(left()).toEqual(has);
  expect(left({ after: { ...after, partition: 2, offset: 0 } })).toEqual(has);
  for (const filter of [{ reason: 'pathNotFound' }, { column: 'n' }, { eventId: 'e' }, { since: 100, until: 101 }])
    expect(left({ filter })).toEqual(has);
  const nothing = { text: '' };
  for (const filter of [{ reason: 'x' }, { column: 'x' }, { eventId: 'x' }, { since: 101 }, { until: 100 }])
    expect(left({ filter })).toEqual(nothing);
  for (const place of [{ partition: 0 }, { offset: 4 }, { eventId: 'd' }])
    expect(left({ after: { ...after, ...place } })).toEqual(nothing);
  // It came into the table later, or nobody knows when.
  expect(left({}, 4)).toEqual(nothing);
  expect(left({}, 0)).toEqual(nothing);
});
