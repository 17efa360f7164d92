import { z } from 'zod';
import type { DeadLetterFilter, LetterKey } from '../core/dead-letter.ts';
import type { SinkKey } from '../core/ids.ts';
import type { Interval } from '../core/progress/intervals.ts';
import {
  heldSlices,
  type Compressed,
  type ImportedStatistics,
  type LastImport,
  type PartitionEntry,
  type PartitionTotals,
  type PassedLetters,
  type Replay,
  type ReplayCounts,
  type ReplayedLetters,
  type RunningImport,
  type RunningReplay,
  type SinkProgress,
  type StagedObject,
  type StagedSlice,
} from '../core/progress/sink-progress.ts';
import {
  branchId,
  checksum,
  count,
  incarnation,
  name,
  positive,
  sinkId,
  partitionKey,
  sourceId,
  tableId,
  type FieldsOf,
} from './fields.ts';
import { DocumentKind } from './document-kind.ts';

const time = z.number();
/** A position that may stand before the first record. */
const position = z.int().min(-1);

const interval: z.ZodType<Interval> = z.looseObject({
  start: count,
  end: count.nullable(),
} satisfies FieldsOf<Interval>);

const entry: z.ZodType<PartitionEntry> = z.looseObject({
  sink: count,
  source: position,
  intervals: z.array(interval),
  torn: z.looseObject({ low: count, end: count, lost: count.exactOptional() }),
  epoch: count.exactOptional(),
  cut: count.exactOptional(),
} satisfies FieldsOf<PartitionEntry>);

const totals: z.ZodType<PartitionTotals> = z.looseObject({
  passed: count,
  unpacked: count.exactOptional(),
  rows: count,
  dead: count,
  filtered: count,
  holes: count,
  none: count,
  givenUp: count,
} satisfies FieldsOf<PartitionTotals>);

const stagedObject = z.looseObject({
  name,
  bytes: count,
  checksum: checksum.exactOptional(),
  compressed: z.looseObject({ as: z.literal('gzip'), bytes: count } satisfies FieldsOf<Compressed>).exactOptional(),
} satisfies FieldsOf<StagedObject>);

const sliceFields = {
  id: name,
  partition: count,
  mappingVersion: positive,
  from: position,
  to: count,
  rows: count,
  dead: count,
  rowsObject: stagedObject.exactOptional(),
  deadObject: stagedObject.exactOptional(),
  firstArrival: time,
  lastArrival: time,
  stagedAt: time,
  traceparents: z.array(z.string()).exactOptional(),
  together: positive.exactOptional(),
  failing: z.looseObject({ code: name, since: time, provenMs: time }).exactOptional(),
};
const damage = z.looseObject({ code: name, message: z.string() });
const slice: z.ZodType<StagedSlice> = z.looseObject(sliceFields);
const parked = z.looseObject({
  ...sliceFields,
  parkedAt: time,
  openedAt: time.exactOptional(),
  damage: damage.exactOptional(),
});

const importing: z.ZodType<RunningImport> = z.looseObject({
  number: positive,
  id: name,
  slices: z.array(slice),
  startedAt: time,
  openedAt: time.exactOptional(),
} satisfies FieldsOf<RunningImport>);

const replayed: z.ZodType<ReplayedLetters> = z.looseObject({
  rows: count,
  filtered: count,
  offsets: z.array(count),
} satisfies FieldsOf<ReplayedLetters>);

const letterKey: z.ZodType<LetterKey> = z.looseObject({
  partition: count,
  offset: count,
  eventId: z.string(),
} satisfies FieldsOf<LetterKey>);

const passedLetters: z.ZodType<PassedLetters> = z.looseObject({
  seen: count,
  refused: count,
  partial: count,
  after: letterKey,
} satisfies FieldsOf<PassedLetters>);

const letterFilter: z.ZodType<DeadLetterFilter> = z.looseObject({
  reason: z.string().exactOptional(),
  column: z.string().exactOptional(),
  eventId: z.string().exactOptional(),
  since: time.exactOptional(),
  until: time.exactOptional(),
} satisfies FieldsOf<DeadLetterFilter>);

const replay: z.ZodType<Replay> = z.looseObject({
  id: name,
  filter: letterFilter,
  limit: positive.exactOptional(),
  state: z.enum(['running', 'stopped', 'done', 'failed']),
  failure: z.looseObject({ code: name, message: z.string() }).exactOptional(),
  askedAt: time,
  endedAt: time.exactOptional(),
  matching: count,
  earlier: count.exactOptional(),
  nextImport: positive,
  after: letterKey.exactOptional(),
  counts: z.looseObject({
    seen: count,
    rows: count,
    filtered: count,
    refused: count,
    partial: count,
  } satisfies FieldsOf<ReplayCounts>),
  batches: count,
  abandoned: count,
} satisfies FieldsOf<Replay>);

const replaying: z.ZodType<RunningReplay> = z.looseObject({
  number: positive,
  id: name,
  replayId: name,
  passed: passedLetters,
  mappingVersion: positive,
  letters: z.record(partitionKey, replayed),
  rowsObject: stagedObject.exactOptional(),
  lettersObject: stagedObject,
  firstArrival: time,
  lastArrival: time,
  startedAt: time,
} satisfies FieldsOf<RunningReplay>);

const arrivals = { firstArrival: time.exactOptional(), lastArrival: time.exactOptional() };

const lastImport: z.ZodType<LastImport> = z.looseObject({
  number: positive,
  at: time,
  rows: count,
  dead: count,
  bytes: count,
  rowBytes: count.exactOptional(),
  storedRowBytes: count.exactOptional(),
  startedAt: time.exactOptional(),
  openedAt: time.exactOptional(),
  ...arrivals,
} satisfies FieldsOf<LastImport>);

/** Also of an incarnation whose progress is gone. */
export const importedStatistics: z.ZodType<ImportedStatistics> = z.looseObject({
  rows: count,
  dead: count,
  bytes: count,
  storedBytes: count.exactOptional(),
  ...arrivals,
  unsized: count,
  fromImport: positive,
} satisfies FieldsOf<ImportedStatistics>);

const schema: z.ZodType<SinkProgress> = z.looseObject({
  key: z.looseObject({ branchId, sourceId, sinkId }),
  incarnation,
  topics: z.looseObject({ source: name, sourceIdentity: name, sink: name, sinkIdentity: name }),
  mappingVersion: positive,
  entries: z.record(partitionKey, entry),
  totals: z.record(partitionKey, totals),
  staged: z.array(slice),
  importing: importing.exactOptional(),
  replaying: replaying.exactOptional(),
  replay: replay.exactOptional(),
  parked: z.array(parked),
  nextImport: positive,
  floor: time,
  open: z.boolean(),
  deleted: z.boolean(),
  dropped: z.array(tableId).exactOptional(),
  flush: z.record(partitionKey, count).exactOptional(),
  lastImport: lastImport.exactOptional(),
  imported: importedStatistics.exactOptional(),
  filesOpened: z.record(z.string(), time).exactOptional(),
  mappedWith: z.record(partitionKey, positive).exactOptional(),
  passedIntervals: z.record(partitionKey, z.array(interval)).exactOptional(),
  acknowledgedHoles: count.exactOptional(),
} satisfies FieldsOf<SinkProgress>);

/**
 * Documents of collection `progress`. Releases of format 1 take the bytes of a compressed object for its lines, each record for one event,
 * and the next number for free while no import runs: they must not work on a sink that has such an object, has met a record of several
 * events, or has a replay. Its document stays in format 2 from then on; one of a sink that has met none of these can still be written by
 * them.
 */
export const progressDocuments = new DocumentKind<SinkProgress>({
  collection: 'progress',
  schema,
  format: { version: 2, oldestWriter: 2 },
  needsFormat: (progress) => holdsCompressed(progress) || hasUnpacked(progress) || progress.replaying !== undefined,
});

function holdsCompressed(progress: SinkProgress): boolean {
  return heldSlices(progress).some(
    ({ rowsObject, deadObject }) => rowsObject?.compressed !== undefined || deadObject?.compressed !== undefined,
  );
}

function hasUnpacked({ totals }: SinkProgress): boolean {
  return Object.values(totals).some(({ unpacked = 0 }) => unpacked > 0);
}

const keyed = z.looseObject({ key: z.looseObject({ branchId, sourceId, sinkId }) });

/** What a document that may have any other shape says its sink is. */
export function sinkKeyNamedIn(value: unknown): SinkKey | undefined {
  return keyed.safeParse(value).data?.key;
}

const naming = z.looseObject({ topics: z.looseObject({ source: z.string() }) });

/** What a document that may have any other shape says its source's topic is. */
export function sourceTopicNamedIn(value: unknown): string | undefined {
  return naming.safeParse(value).data?.topics.source;
}
