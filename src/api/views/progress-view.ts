import { z } from 'zod';
import type { OpenSliceState } from '../../core/accounts/open-slice-state.ts';
import {
  accountAll,
  conserveAll,
  differencesOf,
  sumAccounts,
  wholeDifference,
  type Account,
  type AccountSum,
  type Differences,
} from '../../core/accounts/conservation.ts';
import { ledgerDifference } from '../../core/accounts/ledger-witness.ts';
import { isDelivered } from '../../core/progress/flush.ts';
import { entryOf, type SinkProgress, type StagedSlice } from '../../core/progress/sink-progress.ts';
import { isOld, type SinkStatus } from '../../core/sink-status.ts';
import { sumSlices } from '../../core/progress/slice-sum.ts';
import { sinkAlarms } from '../../control/reports/sink-alarms.ts';
import type { IncarnationReport, SinkReport } from '../../control/reports/sink-report.ts';
import type { TriggerState } from '../../core/trigger.ts';
import { triggerSchema, triggerView } from './trigger-view.ts';

const count = z.int();

const unknown = 'null while the log does not answer: `endsUnknown` says why';

const numbers = {
  accepted: count
    .nullable()
    .meta({ description: `Events that the sink was to take, since it was created; ${unknown}.` }),
  imported: count.meta({ description: 'Rows in the table.' }),
  dead: count.meta({ description: 'Dead letters in the dead letter table.' }),
  filtered: count,
  holes: count.meta({ description: 'Events that retention took before they were delivered.' }),
  none: count.meta({ description: 'Positions that hold no event, such as markers of transactions.' }),
  givenUp: count.meta({ description: 'Events that were dropped from staging.' }),
  staged: count.meta({ description: 'Rows and dead letters in staging, parked and running ones included.' }),
  inFlight: count.nullable().meta({ description: `Events that are not staged yet; ${unknown}.` }),
  difference: count.meta({
    description: 'What the witnesses disagree about, absolute, as far as they are known; anything but 0 is an alarm.',
  }),
};

const known = count.nullable();

const differences = z.object({
  document: count.meta({ description: 'Events that the sink has passed and that stand in none of the other numbers.' }),
  ledgerRows: known.meta({
    description:
      'Rows that are counted as imported and that the table store did not load; below 0: that it loaded more often. Null: not known now.',
  }),
  ledgerDead: known.meta({ description: 'The same for dead letters.' }),
  log: known.meta({
    description:
      'Events that the log acknowledged and that the sink has not seen, or offsets without one. Null: the log does not count, as on Kafka.',
  }),
});

const waiting = z.object({ slices: count, rows: count, dead: count, bytes: count.meta({ description: 'CSV bytes.' }) });

const damaged = z.object({
  partition: count,
  rows: count,
  dead: count,
  since: z.iso.datetime(),
  code: z.string(),
  message: z.string(),
});
const damagedShown = 20;

const status = z.object({
  role: z.enum(['map', 'stage', 'import']),
  code: z.string(),
  message: z.string(),
  since: z.iso.datetime(),
  lastTryAt: z.iso.datetime(),
  nextTryAt: z.iso.datetime(),
  attempts: count,
  old: z.literal(true).optional().meta({
    description:
      'The next try was due, and nobody has said what became of it: it takes long, or the process that said this is gone. It is left out after two minutes.',
  }),
});

const missingServer = z.object({
  process: z.string().meta({ description: 'The process that says so.' }),
  server: z.string().meta({ description: 'The part of the topology, with what it is: `log (kafka)`.' }),
  roles: z.array(z.string()).meta({ description: 'Roles of the process that need it.' }),
  message: z.string(),
  since: z.iso.datetime(),
});

const incarnationFields = {
  incarnation: z.int(),
  mappingVersion: z.int(),
  takesEvents: z.boolean().meta({ description: 'False while the sink is disabled, and when it is deleted.' }),
  delivered: z
    .boolean()
    .nullable()
    .meta({ description: `Everything accepted until now is in the table or accounted for; ${unknown}.` }),
  endsUnknown: z.string().optional().meta({
    description:
      'Why the ends of the source topic are not known now. What needs them is null; partitions that the sink has not met yet are missing; all other numbers are exact.',
  }),
  alarm: z.string().optional().meta({
    description:
      'Set when the numbers do not add up, when events were lost that nobody has acknowledged, when half of the retention is used by what the sink still needs, and when a stage does not move and says no reason.',
  }),
  totals: z.object(numbers),
  differences: differences.meta({ description: 'What each witness says; `difference` is their sum.' }),
  partitions: z.array(
    z.object({
      partition: count,
      ...numbers,
      position: count.meta({ description: 'The next offset of the source partition that is not sealed yet.' }),
      end: count.nullable().meta({
        description: `The end of the source partition now: all that was acknowledged lies below it; ${unknown}.`,
      }),
      open: triggerSchema.optional().meta({ description: 'The open slice, when this process stages it.' }),
    }),
  ),
  staged: waiting.extend({ triggers: triggerSchema.optional(), nextImportAt: z.iso.datetime().optional() }),
  importing: waiting.extend({ number: count, startedAt: z.iso.datetime() }).optional(),
  parked: waiting
    .extend({
      since: z.iso.datetime(),
      damaged: z
        .array(damaged)
        .optional()
        .meta({
          description: `Those that cannot be imported for what they hold, at most ${damagedShown}; the others wait for their table.`,
        }),
    })
    .optional(),
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
};
const incarnationSchema = z.object(incarnationFields);

export const progressSchema = z
  .object({
    projectId: z.int(),
    branchId: z.int(),
    sourceId: z.string(),
    sinkId: z.string(),
    ...incarnationFields,
    earlier: z.array(incarnationSchema).optional().meta({
      description:
        'What the sink accepted before it was deleted and came back, each time by itself, until all of it is delivered; none of it stands in the other numbers.',
    }),
    missingServers: z.array(missingServer).optional().meta({
      description:
        'Servers that processes of the installation cannot use now: what their roles do there waits, for this sink and any other.',
    }),
  })
  .meta({ id: 'SinkProgress' });

type IncarnationView = z.input<typeof incarnationSchema>;

export type ProgressView = z.input<typeof progressSchema>;

/** Where every event of a sink is, in exact numbers (D4). */
export function progressView(report: SinkReport, projectId: number): ProgressView {
  const { branchId, sourceId, sinkId } = report.progress.key;
  const own = incarnationView(report);
  const earlier = report.earlier.map(incarnationView);
  const rest = earlier.some(({ delivered }) => delivered === false) ? { earlier, delivered: false } : { earlier };
  const missingServers = report.missing.map(({ process, server, roles, message, since }) => ({
    process,
    server,
    roles: [...roles],
    message,
    since,
  }));
  return {
    projectId,
    branchId,
    sourceId,
    sinkId,
    ...own,
    ...(earlier.length === 0 ? {} : rest),
    ...(missingServers.length === 0 ? {} : { missingServers }),
  };
}

function incarnationView(report: IncarnationReport): IncarnationView {
  const { progress, ends, statuses } = report;
  const counts = countsOf(report);
  const found = differencesOf(counts, ledgerDifference(report.witness));
  const totals = totalsOf(counts, found);
  const alarms = sinkAlarms(totals.difference, report);
  const { importing, parked } = progress;
  return {
    incarnation: progress.incarnation,
    mappingVersion: progress.mappingVersion,
    takesEvents: progress.open,
    ...('unknown' in ends
      ? { delivered: null, endsUnknown: ends.unknown }
      : { delivered: isDelivered(progress, ends) }),
    ...(alarms.length === 0 ? {} : { alarm: alarms.join(' ') }),
    totals,
    differences: {
      document: found.document,
      ledgerRows: found.ledgerRows ?? null,
      ledgerDead: found.ledgerDead ?? null,
      log: found.log ?? null,
    },
    partitions: counts.map((one) => partitionView(one, report)),
    staged: stagedView(report),
    ...(importing === undefined
      ? {}
      : { importing: { ...sizeOf(importing.slices), number: importing.number, startedAt: iso(importing.startedAt) } }),
    ...(parked.length === 0 ? {} : { parked: parkedView(parked) }),
    ...lastImportView(report),
    flushRequested: progress.flush !== undefined,
    errors: statuses.map((one) => statusView(one, report.now)),
  };
}

function statusView(
  { incarnation: _, partitions: __, ...rest }: SinkStatus,
  now: number,
): IncarnationView['errors'][number] {
  return isOld(rest, now) ? { ...rest, old: true } : rest;
}

/** Without ends, of the partitions that the document knows. */
function countsOf({ progress, ends, acknowledged }: IncarnationReport): readonly Counts[] {
  if (!('unknown' in ends)) return conserveAll(progress, ends, acknowledged);
  return accountAll(progress).map((account) => ({ ...account, accepted: null, inFlight: null }));
}

function parkedView(parked: SinkProgress['parked']): ProgressView['parked'] {
  const shown = parked.flatMap(({ partition, rows, dead, parkedAt, failing, damage }) =>
    damage === undefined ? [] : [{ partition, rows, dead, since: iso(failing?.since ?? parkedAt), ...damage }],
  );
  return {
    ...sizeOf(parked),
    since: iso(Math.min(...parked.map(({ parkedAt }) => parkedAt))),
    ...(shown.length === 0 ? {} : { damaged: shown.slice(0, damagedShown) }),
  };
}

/** The document knows that there was one and what it loaded; the history knows more, and may have lost it. */
function lastImportView({ progress: { lastImport }, lastNote }: IncarnationReport): Pick<ProgressView, 'lastImport'> {
  if (lastImport === undefined) return {};
  const { number, at, rows, dead, bytes } = lastImport;
  const shown = { number, at: iso(at), rows, dead, bytes };
  if (lastNote === undefined || lastNote.number !== number) return { lastImport: shown };
  const { slices, mappingVersion, startedAt, durationMs } = lastNote;
  return { lastImport: { ...shown, slices, mappingVersion, startedAt: iso(startedAt), durationMs } };
}

function partitionView(
  one: Counts,
  { progress, ends, settings, openSlices }: IncarnationReport,
): ProgressView['partitions'][number] {
  const { partition } = one;
  const open = openSlices.find((slice) => slice.partition === partition);
  return {
    partition,
    ...numbersOf(one, differencesOf([one], undefined)),
    position: entryOf(progress, partition).source + 1,
    end: 'unknown' in ends ? null : (ends.get(partition) ?? 0),
    ...(open === undefined ? {} : { open: triggerView(openState(open), settings.staging, 0) }),
  };
}

/** On a clock that says 0 now. */
function openState({ rows, dead, bytes, ageMs }: OpenSliceState): TriggerState {
  return { count: rows + dead, bytes, slices: 0, openedAt: -ageMs };
}

function stagedView({ progress, settings, now }: IncarnationReport): ProgressView['staged'] {
  const { staged } = progress;
  const size = sizeOf(staged);
  if (staged.length === 0) return size;
  const first = Math.min(...staged.map(({ stagedAt }) => stagedAt));
  const state = {
    count: size.rows + size.dead,
    bytes: size.bytes,
    slices: size.slices,
    openedAt: Math.min(first, now),
  };
  const importAt = settings.target.spread(progress.incarnation).deadline(state, now);
  return {
    ...size,
    triggers: triggerView(state, settings.target, now),
    ...(importAt === undefined ? {} : { nextImportAt: iso(importAt) }),
  };
}

function sizeOf(slices: readonly StagedSlice[]): z.input<typeof waiting> {
  const { slices: count, rows, dead, bytes } = sumSlices(slices);
  return { slices: count, rows, dead, bytes };
}

type Numbers = ProgressView['totals'];

/** What needs the end of a partition is null when that is not known. */
type OfEnds = Readonly<Record<'accepted' | 'inFlight', number | null>>;
type Counts = Account & OfEnds;

function numbersOf(one: AccountSum & OfEnds, found: Differences): Numbers {
  const { accepted, rows, dead, filtered, holes, none, givenUp, staged, inFlight } = one;
  const difference = wholeDifference(found);
  return { accepted, imported: rows, dead, filtered, holes, none, givenUp, staged, inFlight, difference };
}

function totalsOf(counts: readonly Counts[], found: Differences): Numbers {
  const sumKnown = (name: keyof OfEnds): number | null =>
    counts.reduce<number | null>((total, { [name]: one }) => (total === null || one === null ? null : total + one), 0);
  return numbersOf({ ...sumAccounts(counts), accepted: sumKnown('accepted'), inFlight: sumKnown('inFlight') }, found);
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
