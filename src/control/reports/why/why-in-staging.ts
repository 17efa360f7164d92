import { wantsImport } from '../../../core/progress/flush.ts';
import { failureKind } from '../../../core/progress/failure-kind.ts';
import { limits } from '../../../core/limits.ts';
import { sliceCount } from '../../../core/progress/seal.ts';
import { sumSlices } from '../../../core/progress/slice-sum.ts';
import type { ParkedSlice, StagedSlice } from '../../../core/progress/sink-progress.ts';
import { formatByteSize } from '../../../core/settings/byte-size.ts';
import { formatDuration } from '../../../core/settings/duration.ts';
import { sentence } from '../../errors/sentence.ts';
import { importStatus } from '../sink-files.ts';
import type { IncarnationReport } from '../sink-report.ts';
import type { Finding } from './finding.ts';
import { actionOf } from './why-failing.ts';
import { amounts, at, be, counted } from './words.ts';

/** Why what is in staging is not in the table yet. */
export function whyInStaging(report: IncarnationReport): readonly Finding[] {
  return [...importing(report), ...replaying(report), ...parked(report), ...staged(report), ...full(report)];
}

function importing({ progress: { importing: running } }: IncarnationReport): readonly Finding[] {
  if (running === undefined) return [];
  const { number, slices, startedAt } = running;
  const text = `Import ${number} of ${contentOf(slices)} has run since ${at(startedAt)}.`;
  return [{ kind: 'importing', text, role: 'import', events: eventsOf(slices), since: startedAt }];
}

/** What waits in staging takes turns with its batches. */
function replaying({ progress: { replay, replaying: batch } }: IncarnationReport): readonly Finding[] {
  if (replay === undefined || (replay.state !== 'running' && batch === undefined)) return [];
  const { askedAt, matching, counts } = replay;
  const state =
    replay.state === 'running' ? 'runs' : `has ended (${replay.state}), and the batch that it began is finished`;
  const soFar = `${counts.seen} of ${matching} looked at, ${counted(counts.rows, 'row')} made of them`;
  const text = `A replay of dead letters that was asked for at ${at(askedAt)} ${state}: ${soFar}. Imports take turns with its batches.`;
  return [{ kind: 'replaying', text, role: 'import', events: Math.max(0, matching - counts.seen), since: askedAt }];
}

/** Slices that wait for their table together, and each one that waits for itself. */
function parked({ progress, statuses }: IncarnationReport): readonly Finding[] {
  const status = importStatus(statuses, progress, 'parked');
  const tried = status === undefined ? {} : { nextAt: Date.parse(status.nextTryAt) };
  const next = status === undefined ? '' : ` It is tried again at ${status.nextTryAt}.`;
  const misfits = Map.groupBy(
    progress.parked.filter(({ damage }) => damage === undefined),
    ({ mappingVersion }) => mappingVersion,
  );
  const waiting = [...misfits].map(([version, slices]): Finding => {
    const since = sinceOf(slices);
    const what = `${contentOf(slices)} of mapping version ${version} ${be(slices.length)} parked since ${at(since)}, because the table does not fit that version`;
    const text = `${what}.${next}${givenUpText(slices)}`;
    const isTold = status !== undefined && failureKind(status.code) === 'misfit';
    const told = isTold ? { ...tried, ...codeOf(status.code) } : {};
    return { kind: 'parked', text, role: 'import', events: eventsOf(slices), since, ...told };
  });
  const damaged = progress.parked.flatMap((slice): readonly Finding[] => {
    if (slice.damage === undefined) return [];
    const { code, message } = slice.damage;
    const since = sinceOf([slice]);
    const what = `${contentOf([slice])} of partition ${slice.partition}, behind offset ${slice.from} up to ${slice.to}, is parked since ${at(since)}`;
    const isTold = status?.code === code;
    const text = `${what}: ${sentence(message)}${isTold ? next : ''}${givenUpText([slice])}`;
    const found = { role: 'import', events: eventsOf([slice]), partitions: [slice.partition] } as const;
    return [{ kind: 'parked', text, ...found, since, ...(isTold ? tried : {}), ...codeOf(code) }];
  });
  return [...waiting, ...damaged];
}

function codeOf(code: string): Pick<Finding, 'code' | 'action'> {
  const action = actionOf(code);
  return { code, ...(action === undefined ? {} : { action }) };
}

function sinceOf(slices: readonly ParkedSlice[]): number {
  return Math.min(...slices.map(({ failing, parkedAt }) => failing?.since ?? parkedAt));
}

/** What fails for itself is given up when that lasts; by the wall clock that is no sooner than this. */
function givenUpText(slices: readonly ParkedSlice[]): string {
  const failing = slices.flatMap(({ failing: one }) => (one === undefined ? [] : [one.since]));
  if (failing.length === 0) return '';
  return ` It is given up, and counted, if that lasts until ${at(Math.min(...failing) + limits.stagedAgeMs)}.`;
}

function staged(report: IncarnationReport): readonly Finding[] {
  const { progress, statuses, settings, now } = report;
  const { staged: slices } = progress;
  if (slices.length === 0) return [];
  const since = Math.min(...slices.map(({ stagedAt }) => stagedAt));
  const found = { kind: 'staged', role: 'import', events: eventsOf(slices), since } as const;
  const what = `${contentOf(slices)} ${be(slices.length)} in staging since ${at(since)}`;
  if (progress.importing !== undefined) return [{ ...found, text: `${what}, for the import after the running one.` }];
  if (importStatus(statuses, progress, 'staged') !== undefined)
    return [{ ...found, text: `${what}, until importing goes on.` }];
  if (slices[0]?.together !== undefined)
    return [{ ...found, text: `${what}: an import of them was given up, and they are tried in smaller ones now.` }];
  if (wantsImport(progress)) return [{ ...found, text: `${what}: a flush asks for them now.`, nextAt: now }];
  const { rows, dead, bytes } = sumSlices(slices);
  const state = { count: rows + dead, bytes, slices: slices.length, openedAt: Math.min(since, now) };
  const { target } = settings;
  const nextAt = Math.round(target.spread(progress.incarnation).deadline(state, now) ?? now);
  const cause = target.due(state, now);
  if (cause !== undefined || nextAt <= now)
    return [
      { ...found, text: `${what}: their import is due (${cause ?? 'interval'}), and begins any moment.`, nextAt },
    ];
  const triggers = `${counted(target.count, 'event')}, ${formatByteSize(target.sizeBytes)} or ${counted(target.slices, 'slice')}`;
  const text = `${what}. The next import begins at ${at(nextAt)} at the latest (interval ${formatDuration(target.intervalMs)}), or with ${triggers}.`;
  return [{ ...found, text, nextAt }];
}

function full({ progress }: IncarnationReport): readonly Finding[] {
  if (sliceCount(progress) < limits.stagedSlices) return [];
  const text = `${limits.stagedSlices} slices wait for their import, which is all that a sink may hold: staging waits until some are imported, and the log keeps the events.`;
  return [{ kind: 'failing', text, role: 'stage', ...codeOf('stage.full') }];
}

function eventsOf(slices: readonly StagedSlice[]): number {
  return slices.reduce((sum, { rows, dead }) => sum + rows + dead, 0);
}

/** `3 slices with 40 rows and 2 dead letters`. */
function contentOf(slices: readonly StagedSlice[]): string {
  const { rows, dead } = sumSlices(slices);
  const content = amounts([
    [rows, 'row'],
    [dead, 'dead letter'],
  ]);
  return `${counted(slices.length, 'slice')} with ${content}`;
}
