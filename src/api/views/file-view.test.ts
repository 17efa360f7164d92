import { describe, expect, test } from 'vitest';
import { allowed, madeAt as createdAt, progressOf, sliceOf } from '../../../test/support/progress-of.ts';
import { parseIncarnation } from '../../core/ids.ts';
import { importNote, type ImportNote } from '../../core/import-note.ts';
import { changeMapping } from '../../core/progress/switch.ts';
import { abandonImport, finishImport, startImport } from '../../core/progress/import.ts';
import { park, parkDamaged, unpark } from '../../core/progress/parked.ts';
import { requestFlush } from '../../core/progress/flush.ts';
import { emptyLevel, type Level } from '../../core/accounts/levels.ts';
import type { SinkProgress, StagedSlice } from '../../core/progress/sink-progress.ts';
import { clearStatistics } from '../../core/progress/statistics.ts';
import type { SinkStatus } from '../../core/sink-status.ts';
import { byState, failedOnly, newestFirst } from '../../control/reports/file-order.ts';
import { sinkFiles, type FileFacts } from '../../control/reports/sink-files.ts';
import { fileView } from './file-view.ts';

const at = (ms: number): string => new Date(ms).toISOString();
const slice = (id: string, arrival: number, more: Partial<StagedSlice> = {}): StagedSlice =>
  sliceOf({
    id,
    from: arrival,
    to: arrival + 1,
    firstArrival: arrival,
    lastArrival: arrival,
    stagedAt: arrival + 5,
    ...more,
  });

const facts = (progress: SinkProgress, more: Partial<FileFacts> = {}): FileFacts => ({
  progress,
  local: emptyLevel,
  notes: [],
  statuses: [],
  createdAt,
  ...more,
});
const staged = (progress: SinkProgress, ...slices: readonly StagedSlice[]): SinkProgress => ({
  ...progress,
  staged: slices,
});

function imported(
  progress: SinkProgress,
  ...slices: readonly StagedSlice[]
): { progress: SinkProgress; note: ImportNote } {
  const running = allowed(startImport(staged(progress, ...slices), { id: 'i', at: 500 }));
  const { importing } = running;
  if (importing === undefined) throw new Error('no import');
  const note = importNote(running, importing, { verdict: 'loaded', at: 600 });
  return { progress: allowed(finishImport(running, importing, 600)), note };
}

const failing = (more: Partial<SinkStatus> = {}): SinkStatus => ({
  incarnation: parseIncarnation(1),
  role: 'import',
  code: 'table.unavailable',
  message: 'The table store is away.',
  since: at(700),
  lastTryAt: at(700),
  nextTryAt: at(800),
  attempts: 3,
  ...more,
});

describe('files of a sink', () => {
  test('an open sink always has one that is being written; without events it holds nothing', () => {
    const [file, ...others] = sinkFiles(facts(progressOf(0)));
    expect(others).toEqual([]);
    expect(file === undefined ? file : fileView(file)).toEqual({
      state: 'writing',
      openedAt: at(createdAt),
      statistics: { total: null, levels: {} },
    });
    expect(sinkFiles(facts({ ...progressOf(0), open: false }))).toEqual([]);
  });

  test('the one that is written holds what is not staged and what is staged', () => {
    const local: Level = { rows: 2, dead: 0, bytes: 20, firstArrival: 300, lastArrival: 400 };
    const progress = staged(progressOf(0), slice('a', 200), slice('b', 100));
    expect(sinkFiles(facts(progress, { local }))).toMatchObject([
      { state: 'writing', openedAt: createdAt, levels: { local, staging: { rows: 2, bytes: 20 } } },
    ]);
    expect(sinkFiles(facts({ ...progress, open: false }, { local }))).toMatchObject([{ state: 'closing' }]);
    const asked = requestFlush(progress, new Map([[0, 1000]]));
    expect(sinkFiles(facts(asked, { local }))).toMatchObject([{ state: 'closing' }]);
  });

  test('slices of an older mapping version wait in a file of their own, which is closed', () => {
    const progress = allowed(
      changeMapping(staged(progressOf(0), slice('a', 100), slice('b', 200)), { mappingVersion: 2, at: 250 }),
    );
    const both = staged(progress, ...progress.staged, slice('c', 300, { mappingVersion: 2 }));
    expect(sinkFiles(facts(both))).toMatchObject([
      { state: 'closing', openedAt: createdAt, closingAt: 205, levels: { staging: { rows: 2 } } },
      { state: 'writing', openedAt: 250, levels: { staging: { rows: 1 } } },
    ]);
  });

  test('an import shows when it began and ended, from the history or, until that knows it, from the document', () => {
    const { progress, note } = imported(progressOf(0), slice('a', 100), slice('b', 200));
    const file = {
      state: 'imported',
      openedAt: createdAt,
      closingAt: 500,
      importingAt: 500,
      importedAt: 600,
      importNumber: 1,
      levels: { target: { rows: 2, dead: 0, bytes: 20, firstArrival: 100, lastArrival: 200 } },
    };
    expect(sinkFiles(facts(progress, { notes: [note] }))[0]).toEqual(file);
    expect(sinkFiles(facts(progress))[0]).toEqual(file);
  });

  test('the opening of a file does not move: not by what arrives, is staged or imported, and whoever tells', () => {
    const openings = (progress: SinkProgress, more: Partial<FileFacts> = {}) =>
      sinkFiles(facts(progress, more)).map(({ state, openedAt }) => [state, openedAt]);
    const local: Level = { rows: 2, dead: 0, bytes: 20, firstArrival: 300, lastArrival: 400 };
    const made = progressOf(0);
    const late = staged(made, slice('b', 200));
    const early = staged(made, slice('b', 200), slice('a', 100));
    for (const [progress, more] of [
      [made, {}],
      // Another process knows nothing of what this one holds.
      [made, { local }],
      [late, {}],
      [late, { local: undefined }],
      [early, { local }],
    ] as const)
      expect(openings(progress, more)).toEqual([['writing', createdAt]]);

    const running = allowed(startImport(early, { id: 'i', at: 500 }));
    const next = staged(running, slice('c', 450));
    const open = [
      ['importing', createdAt],
      ['writing', 500],
    ];
    expect(openings(running)).toEqual(open);
    expect(openings(next, { local })).toEqual(open);
    const { progress, note } = imported(made, ...early.staged);
    const waiting = staged(progress, slice('c', 450));
    for (const notes of [[], [note]])
      expect(openings(waiting, { local, notes })).toEqual([
        ['imported', createdAt],
        ['writing', 500],
      ]);

    expect(openings(allowed(abandonImport(next, { number: 1, id: 'i' })))).toEqual([['writing', createdAt]]);
    const changed = allowed(changeMapping(waiting, { mappingVersion: 2, at: 700 }));
    const both = staged(changed, slice('c', 450), slice('d', 650, { mappingVersion: 2 }));
    const closing = [
      ['imported', createdAt],
      ['closing', 500],
      ['writing', 700],
    ];
    expect(openings(both)).toEqual(closing);
    const older = allowed(startImport(both, { id: 'j', at: 800 }));
    expect(openings(older).slice(1)).toEqual([
      ['importing', 500],
      ['writing', 700],
    ]);
    const parked = allowed(park(both, { mappingVersion: 1, at: 800 }));
    expect(openings(parked).slice(1)).toEqual([
      ['importing', 500],
      ['writing', 700],
    ]);
    expect(openings(allowed(unpark(parked, 1)))).toEqual(closing);
  });

  test('of a document that an earlier version of the product left, or changes beside, it is told as well as it can be', () => {
    const { filesOpened: _, ...old } = staged(progressOf(0), slice('b', 200));
    expect(sinkFiles(facts(old))).toMatchObject([{ openedAt: createdAt }]);
    const lastImport = { number: 1, at: 600, startedAt: 500, rows: 1, dead: 0, bytes: 1 };
    expect(sinkFiles(facts({ ...old, lastImport }))[1]).toMatchObject({ state: 'writing', openedAt: 500 });
    const beside = { ...staged(progressOf(0), slice('b', 200)), lastImport };
    const running = allowed(startImport(beside, { id: 'j', at: 700 }));
    expect(sinkFiles(facts(running)).slice(1)).toMatchObject([
      { state: 'importing', openedAt: 500 },
      { state: 'writing', openedAt: 700 },
    ]);
  });

  test('D4: an import whose note is ahead of the document is the one that runs, and no second one', () => {
    const running = allowed(startImport(staged(progressOf(0), slice('a', 100)), { id: 'i', at: 500 }));
    const { importing } = running;
    const notes = importing === undefined ? [] : [importNote(running, importing, { verdict: 'loaded', at: 600 })];
    expect(sinkFiles(facts(running, { notes })).map(({ state }) => state)).toEqual(['importing', 'writing']);
  });

  test('an import that was given up is no file: its slices are in a later one', () => {
    const { progress, note } = imported(progressOf(0), slice('a', 100));
    const abandoned = { ...note, verdict: 'abandoned', number: 0 } as const;
    expect(sinkFiles(facts(progress, { notes: [abandoned, note] })).map(({ importNumber }) => importNumber)).toEqual([
      1,
      undefined,
    ]);
  });

  test('after clearing, only imports that began later are listed', () => {
    const first = imported(progressOf(0), slice('a', 100));
    const running = allowed(startImport(staged(first.progress, slice('b', 200)), { id: 'i', at: 700 }));
    const cleared = allowed(clearStatistics(running));
    const states = (progress: SinkProgress, notes: readonly ImportNote[]) =>
      sinkFiles(facts(progress, { notes })).map(({ state }) => state);
    expect(states(cleared, [first.note])).toEqual(['writing']);
    const done = allowed(finishImport(cleared, { number: 2, id: 'i' }, 800));
    expect(states(done, [first.note])).toEqual(['writing']);
    const later = imported(done, slice('c', 900));
    expect(states(later.progress, [first.note, later.note])).toEqual(['imported', 'writing']);
  });
});

describe('files that do not get on', () => {
  test('D6: a running import whose store is away says why, how often it was tried and when it is tried again', () => {
    const running = allowed(startImport(staged(progressOf(0), slice('a', 100)), { id: 'i', at: 500 }));
    const [file] = sinkFiles(facts(running, { statuses: [failing()] }));
    expect(file === undefined ? file : fileView(file)).toMatchObject({
      state: 'importing',
      retryAttempt: 3,
      retryReason: 'The table store is away.',
      retryAfter: at(800),
    });
  });

  test('D6: parked slices are a file whose import was refused; what is staged beside them gets on', () => {
    const parked = allowed(park(staged(progressOf(0), slice('a', 100)), { mappingVersion: 1, at: 300 }));
    const both = allowed(
      changeMapping(staged(parked, slice('b', 200, { mappingVersion: 2 })), { mappingVersion: 2, at: 350 }),
    );
    expect(sinkFiles(facts(both))).toMatchObject([
      {
        state: 'importing',
        importingAt: 300,
        retry: { attempt: 1, reason: 'the table does not fit mapping version 1' },
      },
      { state: 'writing', retry: undefined },
    ]);
    const statuses = [failing({ code: 'table.schemaMismatch', message: 'Columns differ.' })];
    expect(sinkFiles(facts(both, { statuses }))).toMatchObject([
      { retry: { attempt: 3, reason: 'Columns differ.', after: at(800) } },
      { retry: undefined },
    ]);
  });

  test('D6: a damaged slice is a file of its own, with its own reason, beside those that wait for their table', () => {
    const waiting = staged(progressOf(0), slice('a', 100), slice('b', 200));
    const damage = { code: 'table.invalidContent', message: 'The slice is cut off.' };
    const damaged = allowed(parkDamaged(waiting, { sliceId: 'b', at: 300, damage }));
    const both = allowed(park(damaged, { mappingVersion: 1, at: 400 }));
    const [cut, misfit] = sinkFiles(facts(both, { statuses: [failing({ code: 'table.notFound', message: 'Gone.' })] }));
    expect(cut).toMatchObject({ state: 'importing', importingAt: 300, retry: { reason: damage.message, attempt: 1 } });
    expect(misfit).toMatchObject({ state: 'importing', importingAt: 400, retry: { reason: 'Gone.', attempt: 3 } });
    const [told] = sinkFiles(facts(both, { statuses: [failing({ code: damage.code, message: damage.message })] }));
    expect(told?.retry).toMatchObject({ attempt: 3, after: at(800) });
  });

  test('what an import refuses to begin with, and what cannot be staged, stands at the file that waits', () => {
    const waiting = staged(progressOf(0), slice('a', 100));
    for (const role of ['import', 'stage'] as const)
      expect(sinkFiles(facts(waiting, { statuses: [failing({ role })] }))).toMatchObject([{ retry: { attempt: 3 } }]);
  });

  test('the list has imported files first and those that do not get on last, each group in the order of opening', () => {
    const one = imported(progressOf(0), slice('a', 400));
    const two = imported(one.progress, slice('b', 300));
    const parked = allowed(park(staged(two.progress, slice('c', 100)), { mappingVersion: 1, at: 700 }));
    const all = allowed(
      changeMapping(staged(parked, slice('d', 200, { mappingVersion: 2 })), { mappingVersion: 2, at: 750 }),
    );
    const files = sinkFiles(facts(all, { notes: [one.note, two.note] }));
    const shown = (list: typeof files) => list.map(({ state, openedAt }) => [state, openedAt]);
    expect(shown(byState(files))).toEqual([
      ['imported', createdAt],
      ['imported', 500],
      ['writing', 750],
      ['importing', 500],
    ]);
    expect(shown(newestFirst(files)).map(([, openedAt]) => openedAt)).toEqual([750, 500, 500, createdAt]);
    expect(shown(failedOnly(files))).toEqual([['importing', 500]]);
  });

  test('an arrival that no calendar has ends where the years do', () => {
    const [file] = sinkFiles(facts(staged(progressOf(0), slice('a', 100, { firstArrival: 9e15, lastArrival: 9e15 }))));
    const statistics = { total: { firstRecordAt: '9999-12-31T23:59:59.999Z' } };
    expect(file === undefined ? file : fileView(file)).toMatchObject({ statistics });
  });
});
