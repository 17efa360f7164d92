import type { Checksum } from '../checksum.ts';
import type { DeadLetterFilter, LetterKey } from '../dead-letter.ts';
import type { ErrorCode } from '../error-catalogue.ts';
import type { Incarnation, SinkKey } from '../ids.ts';
import type { Offset, Partition } from '../offset.ts';
import type { TableId } from '../table-id.ts';
import type { Interval } from './intervals.ts';
import type { PackedOffsets } from './packed-offsets.ts';

/** Where one partition of a sink stands. Everything up to `source` is decided; outcomes below `sink` are not read again. */
export interface PartitionEntry {
  /** First offset of the sink topic that is not taken yet. */
  readonly sink: Offset;
  /** Last source offset taken; always inside an interval, or just before the first one. */
  readonly source: Offset;
  /** In order, not overlapping; only the last may be open. Passed ones are forgotten. */
  readonly intervals: readonly Interval[];
  /**
   * The sink topic lost outcomes below `low`, which is where reading went on: mappers map again what comes after
   * `source`. Outcomes from there on that end below `end` are passed over until the lost ones have come back. What lies
   * below `lost`, the source had lost as well: a gap below it is a hole. Absent: nothing is lost.
   */
  readonly torn: { readonly low: Offset; readonly end: Offset; readonly lost?: Offset };
  /** Epoch of the source partition that `source` was read in; absent where its log counts none, and where nothing was read. */
  readonly epoch?: number;
  /**
   * The source partition lost what it held from this offset on, and the sink already has outcomes for some of it, so
   * these offsets mean something else by now. Nothing more of the partition is mapped. Absent: no such loss.
   */
  readonly cut?: Offset;
}

/**
 * Counts of source offsets, exact; of a record that holds several events, each counts. `rows` and `dead` are counted when they are in the
 * table.
 */
export interface PartitionTotals {
  /** Source offsets. */
  readonly passed: number;
  /** Events beyond the first of records that hold several; absent: no such record was met. */
  readonly unpacked?: number;
  readonly rows: number;
  readonly dead: number;
  readonly filtered: number;
  readonly holes: number;
  readonly none: number;
  readonly givenUp: number;
}

/** How the bytes of an object in its store were made of its lines. */
export interface Compressed {
  readonly as: 'gzip';
  /** In the store. */
  readonly bytes: number;
}

export interface StagedObject {
  readonly name: string;
  /** Of its lines, before compression. */
  readonly bytes: number;
  /** Of the lines as the stage took them, before compression; absent in a slice of an earlier version of the product. */
  readonly checksum?: Checksum;
  /** Absent: the store has the lines as they are. */
  readonly compressed?: Compressed;
}

/** Rows and dead letters of one partition and one mapping version, waiting in staging. At least one count is not 0. */
export interface StagedSlice {
  /** Unique within the incarnation. */
  readonly id: string;
  readonly partition: Partition;
  readonly mappingVersion: number;
  /** Covers the source offsets (from, to]. */
  readonly from: Offset;
  readonly to: Offset;
  readonly rows: number;
  readonly dead: number;
  readonly rowsObject?: StagedObject;
  readonly deadObject?: StagedObject;
  /** Arrival of the first and the last event, milliseconds since the epoch. */
  readonly firstArrival: number;
  readonly lastArrival: number;
  /** When it was sealed, milliseconds since the epoch. */
  readonly stagedAt: number;
  /** Its spans in the traces of its events, as W3C Trace Context writes them; nothing is decided by it. Absent: none. */
  readonly traceparents?: readonly string[];
  /** An import with it takes at most so many slices, because a larger one was given up; absent: as many as an import may take. */
  readonly together?: number;
  /** Absent while nothing has failed that is the slice's own affair. */
  readonly failing?: LastingFailure;
}

/**
 * How long a slice has failed for one cause, as it was seen and written down. By two clocks: the one on the wall jumps, and a process
 * sees only what happens while it runs.
 */
export interface LastingFailure {
  /** Code of the error. */
  readonly code: string;
  /** First failure, milliseconds since the epoch. */
  readonly since: number;
  /** Time between failures that followed each other, each measured by the monotonic clock of a process that saw both. */
  readonly provenMs: number;
}

/** An import as the ledger knows it. */
export interface ImportAttempt {
  readonly number: number;
  /** Tells this attempt from another one under the same number, as after a restore. */
  readonly id: string;
}

export interface RunningImport extends ImportAttempt {
  /** Never changes while the import runs. */
  readonly slices: readonly StagedSlice[];
  readonly startedAt: number;
  /** When the file that it takes was opened; absent in one that an earlier version of the product started. */
  readonly openedAt?: number;
}

/** What the dead letters of one partition become that a replay takes. */
export interface ReplayedLetters {
  readonly rows: number;
  readonly filtered: number;
  /** Where they stand in the source. */
  readonly offsets: PackedOffsets;
}

/** Letters of a replay that were looked at, and what became of them. */
export interface ReplayCounts {
  readonly seen: number;
  /** They are rows of the table now. */
  readonly rows: number;
  /** The mapping does not want them any more. */
  readonly filtered: number;
  /** The mapping refuses them still: they stay. */
  readonly refused: number;
  /** They do not keep all of their event: they stay. */
  readonly partial: number;
}

/** What somebody asked for: dead letters of the incarnation, mapped by the mapping in use. The last one is kept. */
export interface Replay {
  readonly id: string;
  readonly filter: DeadLetterFilter;
  /** It ends when it has looked at so many; absent: at all. */
  readonly limit?: number;
  readonly state: 'running' | 'stopped' | 'done' | 'failed';
  /** Why it failed. */
  readonly failure?: { readonly code: string; readonly message: string };
  /** Milliseconds since the epoch. */
  readonly askedAt: number;
  readonly endedAt?: number;
  /** Letters that the filter took when it was asked for. */
  readonly matching: number;
  /** Those that it took besides, which earlier incarnations of the sink left: they are not replayed. Absent: none. */
  readonly earlier?: number;
  /** Letters of imports below this number were in their table when it was asked for. */
  readonly nextImport: number;
  /** The last letter that was looked at. */
  readonly after?: LetterKey;
  readonly counts: ReplayCounts;
  readonly batches: number;
  /** Batches that were given up, one after the other. */
  readonly abandoned: number;
}

/** How far a batch of letters goes, and those of it that stay as they are. */
export interface PassedLetters extends Pick<ReplayCounts, 'seen' | 'refused' | 'partial'> {
  readonly after: LetterKey;
}

/**
 * An import that puts rows in the place of dead letters. Until it is finished the letters are counted as dead, and it is not counted as
 * staged. Never changes while it runs.
 */
export interface RunningReplay extends ImportAttempt {
  /** Of the replay that it is a batch of. */
  readonly replayId: string;
  /** The batch that it was made of, with the letters that stay. */
  readonly passed: PassedLetters;
  /** The mapping that made its rows. */
  readonly mappingVersion: number;
  /** By partition; at least one letter. */
  readonly letters: Readonly<Record<string, ReplayedLetters>>;
  /** Absent when no letter becomes a row. */
  readonly rowsObject?: StagedObject;
  /** Names the letters, a line each. */
  readonly lettersObject: StagedObject;
  /** Arrival of the first and the last event, milliseconds since the epoch. */
  readonly firstArrival: number;
  readonly lastArrival: number;
  readonly startedAt: number;
}

export interface ParkedSlice extends StagedSlice {
  /** Milliseconds since the epoch. */
  readonly parkedAt: number;
  /** When the file that it was a part of was opened; absent in one that an earlier version of the product parked. */
  readonly openedAt?: number;
  /** Why this slice failed when it was imported alone; absent: its mapping version does not fit the table. */
  readonly damage?: { readonly code: string; readonly message: string };
}

/** Summary of the last finished import, for people. */
export interface LastImport {
  readonly number: number;
  readonly at: number;
  readonly rows: number;
  readonly dead: number;
  readonly bytes: number;
  /** The rest is absent in a document of an earlier version of the product. CSV bytes of the rows alone. */
  readonly rowBytes?: number;
  /** What these took in staging; absent: as many. */
  readonly storedRowBytes?: number;
  readonly startedAt?: number;
  /** When the file that it took was opened. */
  readonly openedAt?: number;
  /** Arrival of its first and its last event. */
  readonly firstArrival?: number;
  readonly lastArrival?: number;
}

/** What was imported since the statistics were last cleared, for people: nothing is decided by it. */
export interface ImportedStatistics {
  readonly rows: number;
  readonly dead: number;
  /** CSV bytes of the rows. */
  readonly bytes: number;
  /** What these took in staging; absent: as many. */
  readonly storedBytes?: number;
  /** Arrival of the first and the last event, dead letters included; absent while none is known. */
  readonly firstArrival?: number;
  readonly lastArrival?: number;
  /** Those of `rows` that an earlier version of the product imported: their bytes and arrivals are not known. */
  readonly unsized: number;
  /** Imports before this one were cleared. */
  readonly fromImport: number;
}

/** The topics of an incarnation. Another identity under the same name means that offsets began anew: the sink stops with an alarm. */
export interface SinkTopics {
  readonly source: string;
  readonly sourceIdentity: string;
  readonly sink: string;
  readonly sinkIdentity: string;
}

/**
 * The document that makes delivery exactly once: one per incarnation of a sink, changed only by compare-and-set, by the
 * transitions of this folder (`docs/spec/delivery.md`).
 */
export interface SinkProgress {
  readonly key: SinkKey;
  readonly incarnation: Incarnation;
  readonly topics: SinkTopics;
  /** The mapping that new outcomes are made with. */
  readonly mappingVersion: number;
  /** By partition number. A partition that is not here was added later: read entries through `entryOf`. */
  readonly entries: Readonly<Record<string, PartitionEntry>>;
  readonly totals: Readonly<Record<string, PartitionTotals>>;
  /** In the order of sealing. */
  readonly staged: readonly StagedSlice[];
  readonly importing?: RunningImport;
  /** Never beside `importing`: both have the number `nextImport`. */
  readonly replaying?: RunningReplay;
  /** Absent: none was ever asked for. */
  readonly replay?: Replay;
  readonly parked: readonly ParkedSlice[];
  /** Number of the next import; the ledger stands one below it, or at it while an import runs. */
  readonly nextImport: number;
  /** A slice whose stamp lies below it is refused. */
  readonly floor: number;
  readonly open: boolean;
  readonly deleted: boolean;
  /** Tables that went with the source: what waits for them is given up, whatever stands under their names by now. */
  readonly dropped?: readonly TableId[];
  /** Close and import without waiting for triggers what lies below these ends, by partition. */
  readonly flush?: Readonly<Record<string, Offset>>;
  readonly lastImport?: LastImport;
  /** Absent before the first import, and in a document of an earlier version of the product; read it through `importedStatistics`. */
  readonly imported?: ImportedStatistics;
  /**
   * When the file that takes the slices of a mapping version was opened, by version, for people; the newest versions. Absent in a document
   * of an earlier version of the product; read it through `openingOf`.
   */
  readonly filesOpened?: Readonly<Record<string, number>>;
  /**
   * By partition the mapping version of the last outcome that was taken. Absent where none was, and in a document of an earlier version
   * of the product; what has not been taken is of no older one, unless a mapper wrote it that had not seen the newer.
   */
  readonly mappedWith?: Readonly<Record<string, number>>;
  /**
   * By partition the intervals that its entry has forgotten, in order, the last ones of many; for people, nothing is decided by it.
   * Absent where there is none, and in a document of an earlier version of the product; read it through `knownIntervals`.
   */
  readonly passedIntervals?: Readonly<Record<string, readonly Interval[]>>;
  /** How many holes an operator has acknowledged, by clearing the statistics; absent: none. */
  readonly acknowledgedHoles?: number;
}

export const noTotals: PartitionTotals = { passed: 0, rows: 0, dead: 0, filtered: 0, holes: 0, none: 0, givenUp: 0 };

const notTorn = { low: 0, end: 0 };
const addedWhileOpen: PartitionEntry = { sink: 0, source: -1, intervals: [{ start: 0, end: null }], torn: notTorn };
const addedWhileClosed: PartitionEntry = { sink: 0, source: -1, intervals: [], torn: notTorn };

/** The entry of a partition. One that the document does not name was added later: it starts at 0 if the sink is open. */
export function entryOf(progress: SinkProgress, partition: Partition): PartitionEntry {
  return progress.entries[partition] ?? (progress.open ? addedWhileOpen : addedWhileClosed);
}

/** The partitions that the document names: the sink has met them. */
export function partitionsOf({ entries }: SinkProgress): readonly Partition[] {
  return Object.keys(entries).map(Number);
}

/** All slices that the document holds, wherever they wait. */
export function heldSlices({ staged, parked, importing }: SinkProgress): readonly StagedSlice[] {
  return [...staged, ...parked, ...(importing?.slices ?? [])];
}

export function totalsOf(progress: SinkProgress, partition: Partition): PartitionTotals {
  return progress.totals[partition] ?? noTotals;
}

/** Equality of entries as the protocol compares them: by value. */
export function sameEntry(a: PartitionEntry, b: PartitionEntry): boolean {
  return (
    a.sink === b.sink &&
    a.source === b.source &&
    a.torn.low === b.torn.low &&
    a.torn.end === b.torn.end &&
    a.torn.lost === b.torn.lost &&
    a.cut === b.cut &&
    sameIntervals(a.intervals, b.intervals)
  );
}

function sameIntervals(a: readonly Interval[], b: readonly Interval[]): boolean {
  return a.length === b.length && a.every((one, index) => one.start === b[index]?.start && one.end === b[index]?.end);
}

/** A transition that the document does not allow. */
export interface Refused {
  readonly kind: 'refused';
  /** For logs. */
  readonly reason: string;
  /** The transition was made from old knowledge: read document, entry or ends again and start over. Else it stays refused. */
  readonly outdated: boolean;
  /** Set when the refusal is a failure that people are told: starting over may end in the same one. */
  readonly code?: ErrorCode;
}

export function refused(reason: string, code?: ErrorCode): Refused {
  return { kind: 'refused', reason, outdated: false, ...(code === undefined ? {} : { code }) };
}

export function outdated(reason: string): Refused {
  return { kind: 'refused', reason, outdated: true };
}

export function isRefused(result: object): result is Refused {
  return 'kind' in result && result.kind === 'refused';
}

export interface Beginning {
  readonly key: SinkKey;
  readonly incarnation: Incarnation;
  readonly topics: SinkTopics;
  readonly mappingVersion: number;
  /** Where the first interval of each partition starts: the stable end of the source topic, or earlier for a backfill. */
  readonly starts: ReadonlyMap<Partition, Offset>;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** The document of a sink that takes events from `starts` on. */
export function beginProgress({ key, incarnation, topics, mappingVersion, starts, at }: Beginning): SinkProgress {
  const entries: Record<string, PartitionEntry> = {};
  for (const [partition, start] of starts) {
    entries[partition] = { sink: 0, source: start - 1, intervals: [{ start, end: null }], torn: notTorn };
  }
  return {
    key,
    incarnation,
    topics,
    mappingVersion,
    entries,
    totals: {},
    staged: [],
    parked: [],
    nextImport: 1,
    floor: 0,
    open: true,
    deleted: false,
    filesOpened: { [mappingVersion]: at },
  };
}
