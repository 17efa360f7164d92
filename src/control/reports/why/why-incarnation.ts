import {
  conserveAll,
  differencesOf,
  sumAccounts,
  accountAll,
  wholeDifference,
} from '../../../core/accounts/conservation.ts';
import { isWitnessed, ledgerDifference } from '../../../core/accounts/ledger-witness.ts';
import { isDelivered } from '../../../core/progress/flush.ts';
import type { IncarnationReport } from '../sink-report.ts';
import { sinkAlarms } from '../sink-alarms.ts';
import type { Finding } from './finding.ts';
import { whyFailing } from './why-failing.ts';
import { whyInLog, type Mapped } from './why-in-log.ts';
import { whyInStaging } from './why-in-staging.ts';
import { at, be, counted, listed } from './words.ts';

/** Why rows of one incarnation are not in the table yet. */
export interface IncarnationWhy {
  readonly incarnation: number;
  /** One sentence. */
  readonly verdict: string;
  /** Everything that was accepted is in the table or accounted for; undefined when that is not known now. */
  readonly isDelivered: boolean | undefined;
  /** Events that are not in the table yet; undefined when that is not known now. */
  readonly waiting: number | undefined;
  readonly findings: readonly Finding[];
  /** Milliseconds since the epoch. */
  readonly asOf: number;
}

export interface WhyFacts {
  readonly report: IncarnationReport;
  readonly mapped: Mapped;
  /** ISO time, and what was done: the sink takes nothing since then. */
  readonly closed?: { readonly at: string; readonly what: 'disabled' | 'deleted' };
}

/** What keeps the rows of an incarnation, what fails first; then what waits where, in the order of the way of an event. */
export function whyIncarnation({ report, mapped, closed }: WhyFacts): IncarnationWhy {
  const { progress, ends, statuses, now } = report;
  const delivered = 'unknown' in ends ? undefined : isDelivered(progress, ends);
  const counts = countsOf(report);
  const findings: readonly Finding[] = [
    ...('unknown' in ends ? [unknownEnds(ends.unknown)] : []),
    ...unwitnessed(report),
    ...statuses.map((status) => whyFailing(status, now)),
    ...alarms(report, counts.difference),
    ...whyInLog(report, mapped),
    ...whyInStaging(report),
    ...lost(counts),
    ...(closed === undefined ? [] : [closedSince(closed)]),
  ];
  return {
    incarnation: progress.incarnation,
    verdict: verdictOf({ ...counts, delivered, now, isWitnessed: isWitnessed(report), isClosed: closed !== undefined }),
    isDelivered: delivered,
    waiting: counts.inFlight === undefined ? undefined : counts.inFlight + counts.staged,
    findings,
    asOf: now,
  };
}

interface Counts {
  readonly inFlight: number | undefined;
  readonly staged: number;
  readonly dead: number;
  readonly filtered: number;
  readonly holes: number;
  readonly givenUp: number;
  readonly difference: number;
}

function countsOf({ progress, ends, acknowledged, witness }: IncarnationReport): Counts {
  const accounts = 'unknown' in ends ? undefined : conserveAll(progress, ends, acknowledged);
  const known = accounts ?? accountAll(progress);
  const inFlight = accounts?.reduce((sum, one) => sum + one.inFlight, 0);
  return {
    ...sumAccounts(known),
    inFlight,
    difference: wholeDifference(differencesOf(known, ledgerDifference(witness))),
  };
}

function alarms(report: IncarnationReport, difference: number): readonly Finding[] {
  return sinkAlarms(difference, report).map((text) => ({ kind: 'alarm', text }));
}

function unknownEnds(unknown: string): Finding {
  return { kind: 'unknown', text: `How much is accepted and not in staging yet is not known now: ${unknown}` };
}

function unwitnessed({ witness }: IncarnationReport): readonly Finding[] {
  switch (witness.kind) {
    case 'compared':
    case 'uncounted':
      return [];
    case 'away':
      return [{ kind: 'unknown', text: 'What is in the table is not known now: the table store does not answer.' }];
    case 'unfit':
      return [
        {
          kind: 'unknown',
          text: 'What was imported is not proven: the table store has another ledger of it, or none, as one that was lost or brought back.',
        },
      ];
    default:
      return witness satisfies never;
  }
}

function lost({ holes, givenUp }: Counts): readonly Finding[] {
  if (holes + givenUp === 0) return [];
  const parts = [
    ...(holes > 0
      ? [`${counted(holes, 'event')} went with the retention of the source before the sink took them (holes)`]
      : []),
    ...(givenUp > 0 ? [`${counted(givenUp, 'event')} could not be imported for a week (given up)`] : []),
  ];
  return [{ kind: 'lost', text: `Some will never be in the table: ${listed(parts)}.`, events: holes + givenUp }];
}

function closedSince({ at: time, what }: NonNullable<WhyFacts['closed']>): Finding {
  const text = `The sink is ${what} since ${time}: it takes nothing that was accepted later.`;
  return { kind: 'closed', text, since: Date.parse(time) };
}

interface Verdict extends Counts {
  readonly delivered: boolean | undefined;
  readonly isClosed: boolean;
  readonly isWitnessed: boolean;
  readonly now: number;
}

function verdictOf({ delivered, inFlight, staged, isClosed, isWitnessed: isProven, now, ...counts }: Verdict): string {
  const { dead, filtered, holes, givenUp } = counts;
  if (delivered === true) {
    const everything = isClosed ? 'Everything that was accepted for the sink' : 'Everything that was accepted';
    if (!isProven)
      return `${everything} was imported or accounted for as of ${at(now)}, and the table store does not witness it.`;
    if (dead + filtered + holes + givenUp === 0) return `${everything} is in the table as of ${at(now)}.`;
    const others = [
      ...(dead > 0 ? [counted(dead, 'dead letter')] : []),
      ...(filtered > 0 ? [`${filtered} filtered`] : []),
      ...(holes > 0 ? [`${holes} lost`] : []),
      ...(givenUp > 0 ? [`${givenUp} given up`] : []),
    ];
    return `${everything} is in the table as of ${at(now)}, or accounted for: ${listed(others)}.`;
  }
  if (inFlight === undefined)
    return staged === 0
      ? 'Nothing waits in staging; what waits before it is not known now.'
      : `${counted(staged, 'event')} ${be(staged)} in staging; what waits before it is not known now.`;
  const where = [
    ...(inFlight > 0 ? [`${inFlight} before staging`] : []),
    ...(staged > 0 ? [`${staged} in staging`] : []),
  ];
  return `${counted(inFlight + staged, 'event')} ${be(inFlight + staged)} not in the table yet: ${listed(where)}.`;
}
