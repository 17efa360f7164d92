import { isOnlyLate } from '../core/sink-status.ts';
import { printable } from './printable.ts';
import { tableText, type Cell, type Reader } from './print.ts';
import { relativeTime } from './relative-time.ts';
import type { NumbersShape, ProgressShape } from './progress-shape.ts';

interface NumberColumn {
  readonly field: keyof NumbersShape;
  readonly title: string;
  /** A person sees it only when it is not 0. */
  readonly rare: boolean;
}

const numbers: readonly NumberColumn[] = [
  { field: 'accepted', title: 'accepted', rare: false },
  { field: 'imported', title: 'rows', rare: false },
  { field: 'staged', title: 'staged', rare: false },
  { field: 'inFlight', title: 'in flight', rare: false },
  { field: 'dead', title: 'dead', rare: false },
  { field: 'filtered', title: 'filtered', rare: true },
  { field: 'holes', title: 'holes', rare: true },
  { field: 'givenUp', title: 'given up', rare: true },
  { field: 'none', title: 'none', rare: true },
  { field: 'difference', title: 'missing', rare: false },
];

/** A line a sink, and one for each time that it was deleted and still has to deliver; below the table, why a sink does not get on. */
export function progressText(found: readonly ProgressShape[], reader: Reader, now = Date.now()): string {
  const sinks = found.flatMap(withEarlier);
  const { human } = reader;
  const when = (at: string): string => (human ? relativeTime(Date.parse(at) - now) : at);
  const shown = numbers.filter(({ field, rare }) => !human || !rare || sinks.some(({ totals }) => totals[field] !== 0));
  const rows = sinks.map((sink): readonly Cell[] => [
    `${sink.sourceId}/${sink.sinkId}`,
    ...shown.map(({ field }) => sink.totals[field] ?? '?'),
    importText(sink, when),
  ]);
  const head = ['sink', ...shown.map(({ title }) => title), 'import'];
  return [tableText({ head, rows, empty: '' }, reader), ...sinks.flatMap(troubleLines), ...missingLines(found)].join(
    '\n',
  );
}

/** What a sink accepted before it was deleted is on its way apart from what it accepts since. */
function withEarlier({ earlier = [], ...sink }: ProgressShape): readonly ProgressShape[] {
  const { sourceId, sinkId } = sink;
  return [sink, ...earlier.map((one) => ({ ...one, sourceId, sinkId: `${sinkId} (deleted)` }))];
}

function importText(
  { importing, staged, lastImport, takesEvents }: ProgressShape,
  when: (at: string) => string,
): string {
  if (importing !== undefined) return `number ${importing.number} began ${when(importing.startedAt)}`;
  if (staged.nextImportAt !== undefined) return `next ${when(staged.nextImportAt)}`;
  if (lastImport !== undefined) return `last ${when(lastImport.at)}`;
  return takesEvents ? 'none yet' : 'disabled';
}

function troubleLines({ sourceId, sinkId, alarm, endsUnknown, errors, parked }: ProgressShape): readonly string[] {
  const lines = errors.map(
    ({ role, code, message, since, nextTryAt, old = false }) =>
      `${role} ${old ? 'was ' : ''}${isOnlyLate({ code }) ? 'late' : 'stopped'} since ${since}: ${printable(message)} (${code}); ${old ? `the next try was due ${nextTryAt}, and takes long, or the process that said this is gone` : `next try ${nextTryAt}`}`,
  );
  if (parked !== undefined) lines.push(...parkedLines(parked));
  if (endsUnknown !== undefined)
    lines.unshift(`what was accepted and is in flight is not known now: ${printable(endsUnknown)}`);
  if (alarm !== undefined) lines.unshift(printable(alarm));
  return lines.map((line) => `${sourceId}/${sinkId}: ${line}`);
}

/** Of the whole installation: once, however many sinks are shown. */
function missingLines(found: readonly ProgressShape[]): readonly string[] {
  const lines = found.flatMap(({ missingServers = [] }) =>
    missingServers.map(
      ({ process, server, roles, message, since }) =>
        `${roles.join(', ')} of ${printable(process)} without ${server} since ${since}: ${printable(message)}`,
    ),
  );
  return [...new Set(lines)];
}

function parkedLines({
  slices,
  rows,
  dead,
  since,
  damaged = [],
}: NonNullable<ProgressShape['parked']>): readonly string[] {
  const alone = damaged.map(
    (slice) =>
      `${slice.rows + slice.dead} events of partition ${slice.partition} are parked since ${slice.since}: ${printable(slice.message)} (${slice.code})`,
  );
  if (slices <= damaged.length) return alone;
  if (alone.length > 0) return [...alone, `${slices - damaged.length} more slices are parked since ${since}`];
  return [`${rows + dead} events are parked since ${since}: the table does not fit their mapping`];
}
