import type { Offset, Partition } from '../../../core/offset.ts';
import { countWanted } from '../../../core/progress/intervals.ts';
import { flushEnd } from '../../../core/progress/flush.ts';
import { entryOf, partitionsOf } from '../../../core/progress/sink-progress.ts';
import { awaitsMapping } from '../../../core/progress/seal.ts';
import { formatByteSize } from '../../../core/settings/byte-size.ts';
import { formatDuration } from '../../../core/settings/duration.ts';
import type { IncarnationReport } from '../sink-report.ts';
import type { Finding } from './finding.ts';
import { amounts, at, be, counted, partitionsText } from './words.ts';

/** Last source offset that the sink's topic has an outcome of, by partition; absent where nobody could tell. */
export type Mapped = ReadonlyMap<Partition, Offset>;

/** What is in flight in one partition, in wanted offsets. */
interface InFlight {
  readonly partition: Partition;
  /** No outcome yet, and it can be read. */
  readonly unmapped: number;
  /** Behind the stable end. */
  readonly behind: number;
  /** With an outcome, and not sealed. Undefined when nobody can tell mapped from unmapped. */
  readonly taken: number | undefined;
}

/** Why what is accepted is not in staging yet. */
export function whyInLog(report: IncarnationReport, mapped: Mapped): readonly Finding[] {
  const parts = inFlightOf(report, mapped);
  return [
    ...damagedLogs(report),
    ...transactions(parts),
    ...unmapped(parts),
    ...(parts.some(({ taken }) => taken !== 0) ? open(report, parts) : []),
  ];
}

function inFlightOf({ progress, ends, stable }: IncarnationReport, mapped: Mapped): readonly InFlight[] {
  if ('unknown' in ends) return [];
  const parts = [...ends].map(([partition, end]): InFlight => {
    const { source, intervals } = entryOf(progress, partition);
    const readable = stable?.get(partition) ?? end;
    const wanted = (from: Offset, to: Offset): number => countWanted(intervals, { from: Math.max(source, from), to });
    const to = mapped.get(partition);
    if (to === undefined && wanted(source, end - 1) > 0)
      return { partition, unmapped: 0, behind: wanted(readable - 1, end - 1), taken: undefined };
    const from = to ?? source;
    const behind = wanted(Math.max(from, readable - 1), end - 1);
    return {
      partition,
      behind,
      unmapped: wanted(from, end - 1) - behind,
      taken: wanted(source, end - 1) - wanted(from, end - 1),
    };
  });
  return parts.filter(({ unmapped: some, behind, taken }) => some > 0 || behind > 0 || taken !== 0);
}

function damagedLogs({ progress }: IncarnationReport): readonly Finding[] {
  return partitionsOf(progress).flatMap((partition): readonly Finding[] => {
    const { cut, torn, ...entry } = entryOf(progress, partition);
    if (cut !== undefined)
      return [
        {
          kind: 'cut',
          text: `Partition ${partition} of the source has lost what it held from offset ${cut} on, and the sink has taken some of that: nothing more of the partition is mapped for it.`,
          partitions: [partition],
          role: 'map',
        },
      ];
    if (!awaitsMapping({ ...entry, torn }, entry.source)) return [];
    return [
      {
        kind: 'torn',
        text: `The topic of the sink has lost outcomes of partition ${partition}: what comes behind offset ${entry.source} of the source is mapped again.`,
        partitions: [partition],
        role: 'map',
      },
    ];
  });
}

function transactions(parts: readonly InFlight[]): readonly Finding[] {
  const held = parts.filter(({ behind }) => behind > 0);
  if (held.length === 0) return [];
  const partitions = held.map(({ partition }) => partition);
  const events = sum(held.map(({ behind }) => behind));
  const text = `${counted(events, 'event')} of ${partitionsText(partitions)} ${be(events)} behind a transaction that a producer of the topic has open: nobody can read them before it ends.`;
  return [{ kind: 'transaction', text, partitions, events, role: 'map' }];
}

function unmapped(parts: readonly InFlight[]): readonly Finding[] {
  const waiting = parts.filter((one) => one.unmapped > 0);
  if (waiting.length === 0) return [];
  const partitions = waiting.map(({ partition }) => partition);
  const events = sum(waiting.map((one) => one.unmapped));
  const text = `${counted(events, 'event')} of ${partitionsText(partitions)} ${events === 1 ? 'waits' : 'wait'} to be mapped, which waits for no trigger.`;
  return [{ kind: 'unmapped', text, partitions, events, role: 'map' }];
}

/** What has an outcome, as far as that is known, and is not sealed. */
function open(report: IncarnationReport, parts: readonly InFlight[]): readonly Finding[] {
  const { progress, openSlices, settings, now } = report;
  const taking = parts.filter(({ taken }) => taken !== 0);
  const partitions = taking.map(({ partition }) => partition);
  const counts = taking.map(({ taken }) => taken);
  const known = counts.every((count) => count !== undefined) ? sum(counts) : undefined;
  const { count, sizeBytes, intervalMs } = settings.staging;
  const triggers = `${formatDuration(intervalMs)} after its first event at the latest, or with ${counted(count, 'event')} or ${formatByteSize(sizeBytes)}`;
  // One that was sealed a moment ago is in the document.
  const shown = openSlices.filter(
    ({ partition, to }) => partitions.includes(partition) && to > entryOf(progress, partition).source,
  );
  const found = { kind: 'open', partitions, role: 'stage', ...(known === undefined ? {} : { events: known }) } as const;
  const what =
    known === undefined
      ? `What is accepted of ${partitionsText(partitions)} waits to be mapped or staged`
      : `${counted(known, 'event')} of ${partitionsText(partitions)} ${be(known)} mapped and not in staging yet`;
  if (partitions.some((partition) => flushEnd(progress, partition) !== undefined))
    return [{ ...found, text: `${what}; a flush asks for them, so slices are closed without a trigger.`, nextAt: now }];
  if (shown.length === 0) return [{ ...found, text: `${what}: a slice is closed ${triggers}.` }];
  const held = amounts([
    [sum(shown.map(({ rows }) => rows)), 'row'],
    [sum(shown.map(({ dead }) => dead)), 'dead letter'],
  ]);
  const deadlines = shown.map(
    ({ rows, dead, bytes, ageMs }) =>
      settings.staging.deadline({ count: rows + dead, bytes, slices: 0, openedAt: now - ageMs }, now) ?? now,
  );
  const nextAt = Math.round(Math.min(...deadlines));
  const slices = shown.length === 1 ? 'an open slice' : `${shown.length} open slices`;
  const next = shown.length === 1 ? 'It is closed' : 'The first is closed';
  return [
    {
      ...found,
      text: `${what}: ${slices} ${shown.length === 1 ? 'has' : 'have'} ${held}. ${next} at ${at(nextAt)}: ${triggers}.`,
      nextAt,
      since: Math.round(now - Math.max(...shown.map(({ ageMs }) => ageMs))),
    },
  ];
}

function sum(numbers: readonly (number | undefined)[]): number {
  return numbers.reduce<number>((total, one = 0) => total + one, 0);
}
