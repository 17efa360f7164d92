import type { ImportNote } from '../../core/import-note.ts';
import { failureKind } from '../../core/progress/failure-kind.ts';
import { wantsImport } from '../../core/progress/flush.ts';
import { openingOf } from '../../core/progress/openings.ts';
import { holdsAny, levelOfSlices, type Level, type Levels } from '../../core/accounts/levels.ts';
import type { ParkedSlice, SinkProgress, StagedSlice } from '../../core/progress/sink-progress.ts';
import { importedStatistics } from '../../core/progress/statistics.ts';
import type { SinkStatus } from '../../core/sink-status.ts';

/** Why a file does not get on. */
interface FileRetry {
  readonly attempt: number;
  readonly reason: string;
  /** ISO time; absent when nobody has said when. */
  readonly after?: string;
}

/** What is imported together, from the first event to the table. Times in milliseconds since the epoch. */
export interface SinkFile {
  readonly state: 'writing' | 'closing' | 'importing' | 'imported';
  /** The same in all states, whoever tells: it goes by nothing that arrives or is staged later. */
  readonly openedAt: number;
  readonly closingAt?: number;
  readonly importingAt?: number;
  readonly importedAt?: number;
  /** Absent until an import has begun. */
  readonly importNumber?: number;
  readonly retry?: FileRetry | undefined;
  readonly levels: Levels;
}

export interface FileFacts {
  readonly progress: SinkProgress;
  /** Undefined when it cannot be told. */
  readonly local: Level | undefined;
  /** How imports ended, ascending; the last one may be missing. */
  readonly notes: readonly ImportNote[];
  /** What is not stale. */
  readonly statuses: readonly SinkStatus[];
  /** When the sink was created. */
  readonly createdAt: number;
}

/** The files of a sink, by state: imported ones, the one that is being imported, parked ones, staged ones, the active one. */
export function sinkFiles(facts: FileFacts): readonly SinkFile[] {
  return [...importedFiles(facts), ...runningFiles(facts), ...parkedFiles(facts), ...waitingFiles(facts)];
}

/**
 * Those that began after the statistics were cleared. A note may be ahead of the document, in which the import still
 * runs.
 */
function importedFiles({ progress, notes }: FileFacts): readonly SinkFile[] {
  const { lastImport } = progress;
  const { fromImport } = importedStatistics(progress);
  if (lastImport === undefined || lastImport.number < fromImport) return [];
  const loaded = notes.filter(
    // A batch of a replay took no file.
    ({ verdict, number, replay }) =>
      verdict === 'loaded' && replay === undefined && number >= fromImport && number <= lastImport.number,
  );
  const files = loaded.map((note) => importedFile({ ...note, at: note.finishedAt }));
  const { startedAt } = lastImport;
  const isNoted = startedAt === undefined || loaded.some(({ number }) => number === lastImport.number);
  return isNoted ? files : [...files, importedFile({ ...lastImport, startedAt })];
}

type Imported = Pick<ImportNote, 'number' | 'rows' | 'dead' | 'bytes' | 'startedAt' | 'openedAt'> &
  Pick<ImportNote, 'rowBytes' | 'storedRowBytes' | 'firstArrival' | 'lastArrival'> & { readonly at: number };

function importedFile({ number, rows, dead, bytes, rowBytes, startedAt, at, ...rest }: Imported): SinkFile {
  const { firstArrival, lastArrival, storedRowBytes } = rest;
  return {
    state: 'imported',
    openedAt: rest.openedAt ?? firstArrival ?? startedAt,
    closingAt: startedAt,
    importingAt: startedAt,
    importedAt: at,
    importNumber: number,
    levels: {
      target: {
        rows,
        dead,
        // A note of an earlier version of the product does not know the rows' share.
        bytes: rowBytes ?? bytes,
        ...(storedRowBytes === undefined ? {} : { storedBytes: storedRowBytes }),
        ...(firstArrival === undefined ? {} : { firstArrival }),
        ...(lastArrival === undefined ? {} : { lastArrival }),
      },
    },
  };
}

function runningFiles({ progress, statuses }: FileFacts): readonly SinkFile[] {
  const { importing } = progress;
  if (importing === undefined || importing.number < importedStatistics(progress).fromImport) return [];
  const { slices, startedAt, number, openedAt } = importing;
  return [
    {
      state: 'importing',
      openedAt: openedAt ?? firstArrivalOf(slices),
      closingAt: startedAt,
      importingAt: startedAt,
      importNumber: number,
      retry: retryOf(importStatus(statuses, progress, 'running')),
      levels: { staging: levelOfSlices(slices) },
    },
  ];
}

/** An import of them was tried: they did not fit their table, or one could not be imported even alone. */
function parkedFiles({ progress, statuses }: FileFacts): readonly SinkFile[] {
  const groups = Map.groupBy(progress.parked, ({ mappingVersion, damage, id }) =>
    damage === undefined ? `version ${mappingVersion}` : `slice ${id}`,
  );
  const status = importStatus(statuses, progress, 'parked');
  return [...groups.values()].map((slices) => {
    const told = slices[0]?.damage;
    const reason = told?.message ?? `the table does not fit mapping version ${slices[0]?.mappingVersion}`;
    const isOfThese = status !== undefined && (told === undefined) === (failureKind(status.code) === 'misfit');
    return parkedFile(slices, (isOfThese ? retryOf(status) : undefined) ?? { attempt: 1, reason });
  });
}

function parkedFile(slices: readonly ParkedSlice[], retry: FileRetry): SinkFile {
  const parkedAt = Math.min(...slices.map((slice) => slice.parkedAt));
  const levels = { staging: levelOfSlices(slices) };
  return {
    state: 'importing',
    openedAt: Math.min(...slices.map(({ openedAt, firstArrival }) => openedAt ?? firstArrival)),
    closingAt: parkedAt,
    importingAt: parkedAt,
    retry,
    levels,
  };
}

/** What is staged, by mapping version, the newest together with what is not staged yet. */
function waitingFiles(facts: FileFacts): readonly SinkFile[] {
  const { progress, statuses } = facts;
  const runs = versionRuns(progress.staged);
  const last = runs.at(-1);
  const isActive = last?.[0]?.mappingVersion === progress.mappingVersion;
  const closed = isActive ? runs.slice(0, -1) : runs;
  const retry = retryOf(importStatus(statuses, progress, 'staged'));
  const files = closed.map((slices, index): SinkFile => ({
    state: 'closing',
    openedAt: openingOf(progress, slices[0]?.mappingVersion ?? 0) ?? firstArrivalOf(slices),
    closingAt: Math.max(...slices.map(({ stagedAt }) => stagedAt)),
    retry: index === 0 ? retry : undefined,
    levels: { staging: levelOfSlices(slices) },
  }));
  const active = activeFile(facts, { slices: isActive ? last : [], retry: files.length === 0 ? retry : undefined });
  return active === undefined ? files : [...files, active];
}

interface Active {
  readonly slices: readonly StagedSlice[];
  readonly retry: FileRetry | undefined;
}

/** The one that takes events; a closed sink has none when nothing waits. */
function activeFile(
  { progress, local, statuses, createdAt }: FileFacts,
  { slices, retry }: Active,
): SinkFile | undefined {
  if (!progress.open && slices.length === 0 && !holdsAny(local)) return undefined;
  const levels = { local, staging: levelOfSlices(slices) };
  const isClosing = !progress.open || wantsImport(progress);
  const blocked = retry ?? retryOf(statuses.find(({ role }) => role === 'stage'));
  return {
    state: isClosing ? 'closing' : 'writing',
    openedAt: openingOf(progress, progress.mappingVersion) ?? createdAt,
    retry: blocked,
    levels,
  };
}

/** Staged slices next to each other that one mapping version made. */
function versionRuns(slices: readonly StagedSlice[]): readonly (readonly StagedSlice[])[] {
  const runs: StagedSlice[][] = [];
  for (const slice of slices) {
    const run = runs.at(-1);
    if (run?.[0]?.mappingVersion === slice.mappingVersion) run.push(slice);
    else runs.push([slice]);
  }
  return runs;
}

/** A sink has one report of the import: it speaks of parked slices, of the running import, or of what would be imported next. */
export function importStatus(
  statuses: readonly SinkStatus[],
  { parked, importing }: Pick<SinkProgress, 'parked' | 'importing'>,
  of: 'parked' | 'running' | 'staged',
): SinkStatus | undefined {
  const status = statuses.find(({ role }) => role === 'import');
  if (status === undefined) return undefined;
  const kind = failureKind(status.code);
  // What cannot be read, or is too much, is that of a running import first.
  const isOfSlices = kind === 'misfit' || kind === 'damage' || importing === undefined;
  const isOfParked =
    isOfSlices && parked.some(({ damage }) => (damage === undefined ? kind === 'misfit' : damage.code === status.code));
  const concerns = isOfParked ? 'parked' : importing === undefined ? 'staged' : 'running';
  return concerns === of ? status : undefined;
}

function retryOf(status: SinkStatus | undefined): FileRetry | undefined {
  return status === undefined
    ? undefined
    : { attempt: status.attempts, reason: status.message, after: status.nextTryAt };
}

function firstArrivalOf(slices: readonly StagedSlice[]): number {
  return Math.min(...slices.map(({ firstArrival }) => firstArrival));
}
