import { z } from 'zod';
import type { ImportNote } from '../../core/import-note.ts';
import type { Conservation } from '../../core/progress/conservation.ts';
import { isDelivered } from '../../core/progress/flush.ts';
import { entryOf, type SinkProgress, type StagedSlice } from '../../core/progress/sink-progress.ts';
import type { Ends } from '../../core/progress/switch.ts';
import type { EffectiveSettings } from '../../core/settings/effective.ts';
import type { SinkStatus } from '../../core/sink-status.ts';
import type { OpenSlice } from '../dependencies.ts';
import { deadlineView, triggerSchema, triggerView } from './trigger-view.ts';

const count = z.int();

const numbers = {
  accepted: count.meta({ description: 'Events that the sink was to take, since it was created.' }),
  imported: count.meta({ description: 'Rows in the table.' }),
  dead: count.meta({ description: 'Dead letters in the dead letter table.' }),
  filtered: count,
  holes: count.meta({ description: 'Events that retention took before they were delivered.' }),
  none: count.meta({ description: 'Positions that hold no event, such as markers of transactions.' }),
  givenUp: count.meta({ description: 'Events that were dropped from staging.' }),
  staged: count.meta({ description: 'Rows and dead letters in staging, parked and running ones included.' }),
  inFlight: count.meta({ description: 'Events that are not staged yet.' }),
  difference: count.meta({ description: 'What is missing in the sum; anything but 0 is an alarm.' }),
};

const waiting = z.object({ slices: count, rows: count, dead: count, bytes: count.meta({ description: 'CSV bytes.' }) });

const status = z.object({
  role: z.enum(['map', 'stage', 'import']),
  code: z.string(),
  message: z.string(),
  since: z.iso.datetime(),
  lastTryAt: z.iso.datetime(),
  nextTryAt: z.iso.datetime(),
  attempts: count,
});

export const progressSchema = z
  .object({
    projectId: z.int(),
    branchId: z.int(),
    sourceId: z.string(),
    sinkId: z.string(),
    incarnation: z.int(),
    mappingVersion: z.int(),
    takesEvents: z.boolean().meta({ description: 'False while the sink is disabled.' }),
    delivered: z.boolean().meta({ description: 'Everything accepted until now is in the table or accounted for.' }),
    alarm: z.string().optional().meta({ description: 'Set when the numbers do not add up.' }),
    totals: z.object(numbers),
    partitions: z.array(
      z.object({
        partition: count,
        ...numbers,
        position: count.meta({ description: 'The next offset of the source partition that is not sealed yet.' }),
        end: count.meta({ description: 'The end of the source partition now.' }),
        open: triggerSchema.optional().meta({ description: 'The open slice, when this process stages it.' }),
      }),
    ),
    staged: waiting.extend({ triggers: triggerSchema.optional(), nextImportAt: z.iso.datetime().optional() }),
    importing: waiting.extend({ number: count, startedAt: z.iso.datetime() }).optional(),
    parked: waiting.extend({ since: z.iso.datetime() }).optional(),
    lastImport: z
      .object({
        number: count,
        at: z.iso.datetime(),
        rows: count,
        dead: count,
        bytes: count,
        slices: count.optional(),
        mappingVersion: count.optional(),
        startedAt: z.iso.datetime().optional(),
        durationMs: count.optional(),
      })
      .optional()
      .meta({
        description: 'The last import that loaded; what is optional is absent when the history does not have it.',
      }),
    flushRequested: z.boolean(),
    errors: z
      .array(status)
      .meta({ description: 'Why a role does not serve the sink, since when, and when it tries again.' }),
  })
  .meta({ id: 'SinkProgress' });

export type ProgressView = z.input<typeof progressSchema>;

export interface ProgressFacts {
  readonly projectId: number;
  readonly progress: SinkProgress;
  readonly ends: Ends;
  readonly counts: readonly Conservation[];
  readonly settings: EffectiveSettings;
  readonly statuses: readonly SinkStatus[];
  readonly openSlices: readonly OpenSlice[];
  /** What the history says about the last import of the document; undefined when it says nothing. */
  readonly lastNote: ImportNote | undefined;
  /** Wall time, milliseconds. */
  readonly now: number;
}

/** Where every event of a sink is, in exact numbers (D4). */
export function progressView(facts: ProgressFacts): ProgressView {
  const { progress, ends, counts, statuses, projectId } = facts;
  const { branchId, sourceId, sinkId } = progress.key;
  const totals = sumOf(counts.map(numbersOf));
  const { importing, parked } = progress;
  return {
    projectId,
    branchId,
    sourceId,
    sinkId,
    incarnation: progress.incarnation,
    mappingVersion: progress.mappingVersion,
    takesEvents: progress.open,
    delivered: isDelivered(progress, ends),
    ...(counts.some(({ difference }) => difference !== 0)
      ? { alarm: 'The numbers do not add up: keep the data folder and report it.' }
      : {}),
    totals,
    partitions: counts.map((one) => partitionView(one, facts)),
    staged: stagedView(facts),
    ...(importing === undefined
      ? {}
      : { importing: { ...sizeOf(importing.slices), number: importing.number, startedAt: iso(importing.startedAt) } }),
    ...(parked.length === 0
      ? {}
      : { parked: { ...sizeOf(parked), since: iso(Math.min(...parked.map(({ parkedAt }) => parkedAt))) } }),
    ...lastImportView(facts),
    flushRequested: progress.flush !== undefined,
    errors: statuses.map(({ incarnation: _, ...rest }) => rest),
  };
}

/** The document knows that there was one and what it loaded; the history knows more, and may have lost it. */
function lastImportView({ progress: { lastImport }, lastNote }: ProgressFacts): Pick<ProgressView, 'lastImport'> {
  if (lastImport === undefined) return {};
  const { number, at, rows, dead, bytes } = lastImport;
  const shown = { number, at: iso(at), rows, dead, bytes };
  if (lastNote === undefined || lastNote.number !== number) return { lastImport: shown };
  const { slices, mappingVersion, startedAt, durationMs } = lastNote;
  return { lastImport: { ...shown, slices, mappingVersion, startedAt: iso(startedAt), durationMs } };
}

function partitionView(
  one: Conservation,
  { progress, ends, settings, openSlices }: ProgressFacts,
): ProgressView['partitions'][number] {
  const { partition } = one;
  const open = openSlices.find((slice) => slice.partition === partition);
  return {
    partition,
    ...numbersOf(one),
    position: entryOf(progress, partition).source + 1,
    end: ends.get(partition) ?? 0,
    ...(open === undefined
      ? {}
      : {
          open: triggerView({ count: open.rows + open.dead, bytes: open.bytes, ageMs: open.ageMs }, settings.staging),
        }),
  };
}

function stagedView({ progress, settings, now }: ProgressFacts): ProgressView['staged'] {
  const { staged } = progress;
  const size = sizeOf(staged);
  if (staged.length === 0) return size;
  const first = Math.min(...staged.map(({ stagedAt }) => stagedAt));
  const state = { count: size.rows + size.dead, bytes: size.bytes, ageMs: Math.max(0, now - first) };
  return {
    ...size,
    triggers: triggerView(state, settings.target),
    nextImportAt: deadlineView(state, { conditions: settings.target, now }),
  };
}

function sizeOf(slices: readonly StagedSlice[]): z.input<typeof waiting> {
  const size = { slices: slices.length, rows: 0, dead: 0, bytes: 0 };
  for (const { rows, dead, rowsObject, deadObject } of slices) {
    size.rows += rows;
    size.dead += dead;
    size.bytes += (rowsObject?.bytes ?? 0) + (deadObject?.bytes ?? 0);
  }
  return size;
}

type Numbers = ProgressView['totals'];

function numbersOf({
  accepted,
  rows,
  dead,
  filtered,
  holes,
  none,
  givenUp,
  staged,
  inFlight,
  difference,
}: Conservation): Numbers {
  return { accepted, imported: rows, dead, filtered, holes, none, givenUp, staged, inFlight, difference };
}

function sumOf(all: readonly Numbers[]): Numbers {
  const sum = (pick: (one: Numbers) => number): number => all.reduce((total, one) => total + pick(one), 0);
  return {
    accepted: sum((one) => one.accepted),
    imported: sum((one) => one.imported),
    dead: sum((one) => one.dead),
    filtered: sum((one) => one.filtered),
    holes: sum((one) => one.holes),
    none: sum((one) => one.none),
    givenUp: sum((one) => one.givenUp),
    staged: sum((one) => one.staged),
    inFlight: sum((one) => one.inFlight),
    difference: sum((one) => one.difference),
  };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
