import type { Offset, Partition } from '../offset.ts';
import { countWanted } from '../progress/intervals.ts';
import type { LoadedCounts } from '../progress/ledger.ts';
import {
  entryOf,
  heldSlices,
  partitionsOf,
  totalsOf,
  type PartitionTotals,
  type SinkProgress,
} from '../progress/sink-progress.ts';
import type { Ends } from '../progress/source-ends.ts';

/** What the document alone says of one partition: every event that it has passed stands in exactly one number. */
export interface Account extends Omit<PartitionTotals, 'unpacked'> {
  readonly partition: Partition;
  /** Source offsets, and events beyond the first of records that hold several. */
  readonly passed: number;
  /** Rows and dead letters in staging, including parked ones and those of a running import. */
  readonly staged: number;
  /** `passed` minus the sum of everything that it must equal; anything but 0 is an alarm. */
  readonly difference: number;
  /**
   * Records that the log acknowledged and that no outcome accounts for; below 0 when it has more offsets than it acknowledged records.
   * Undefined where the log does not count them.
   */
  readonly logDifference: number | undefined;
}

/** Ends of the source's partitions, and how many records each acknowledged, where the log counts them. */
export interface LogCount {
  readonly end: Offset;
  readonly acknowledged?: number | undefined;
}

/** The numbers of D4 for one partition of one sink; every wanted event stands in exactly one of them. */
export interface Conservation extends Account {
  /** Events at wanted offsets below the durable end of the source topic, since the incarnation began. */
  readonly accepted: number;
  /** Wanted offsets that no seal has passed yet: how many events a record holds is known when it was mapped. */
  readonly inFlight: number;
}

/** Counts what the document says of one partition, whatever the log holds. */
export function accountOf(progress: SinkProgress, partition: Partition): Account {
  const totals = totalsOf(progress, partition);
  const staged = heldSlices(progress)
    .filter((slice) => slice.partition === partition)
    .reduce((sum, slice) => sum + slice.rows + slice.dead, 0);
  const { unpacked = 0, ...counts } = totals;
  const { rows, dead, filtered, holes, none, givenUp } = counts;
  const passed = counts.passed + unpacked;
  const difference = passed - (rows + dead + filtered + holes + none + givenUp + staged);
  return { ...counts, passed, partition, staged, difference, logDifference: undefined };
}

/**
 * Counts one partition; `end` is the durable end of its source partition. With the stable end instead, nobody would
 * count the events that were acknowledged behind an open transaction, and everything would look delivered. The number
 * stays exact: each of these offsets gets one outcome when the transaction ends, `none` where it was aborted.
 */
export function conserve(progress: SinkProgress, partition: Partition, { end, acknowledged }: LogCount): Conservation {
  const entry = entryOf(progress, partition);
  const account = accountOf(progress, partition);
  const inFlight = countWanted(entry.intervals, { from: entry.source, to: end - 1 });
  // A log that counts its records has one at each offset: an offset without a record is one that it lost, or that somebody passed over.
  const logDifference = acknowledged === undefined ? undefined : acknowledged + account.none - end;
  return { ...account, accepted: account.passed + inFlight, inFlight, logDifference };
}

/** Counts all partitions that the document knows, while the topic does not answer. */
export function accountAll(progress: SinkProgress): readonly Account[] {
  return partitionsOf(progress).map((partition) => accountOf(progress, partition));
}

/** Counts all partitions that the source topic has. */
export function conserveAll(
  progress: SinkProgress,
  ends: Ends,
  acknowledged?: ReadonlyMap<Partition, number>,
): readonly Conservation[] {
  return [...ends].map(([partition, end]) =>
    conserve(progress, partition, { end, acknowledged: acknowledged?.get(partition) }),
  );
}

/** Numbers of several partitions together. */
export type AccountSum = Omit<PartitionTotals, 'unpacked'> & Pick<Account, 'staged'>;
export type ConservationSum = AccountSum & Pick<Conservation, 'accepted' | 'inFlight'>;

export function sumAccounts(counts: readonly Account[]): AccountSum {
  const total = (name: keyof AccountSum): number => sum(counts.map((one) => one[name]));
  return {
    passed: total('passed'),
    rows: total('rows'),
    dead: total('dead'),
    filtered: total('filtered'),
    holes: total('holes'),
    none: total('none'),
    givenUp: total('givenUp'),
    staged: total('staged'),
  };
}

export function sumConservation(counts: readonly Conservation[]): ConservationSum {
  const total = (name: 'accepted' | 'inFlight'): number => sum(counts.map((one) => one[name]));
  return { ...sumAccounts(counts), accepted: total('accepted'), inFlight: total('inFlight') };
}

/** What the witnesses of a sink disagree about, by witness; 0 unless something is broken, undefined where it is not known now. */
export interface Differences {
  /** Offsets that the document passed and does not account for, of all partitions, absolute. */
  readonly document: number;
  /** What the document counts as imported and the table store did not load; below 0: what was loaded more often. */
  readonly ledgerRows: number | undefined;
  readonly ledgerDead: number | undefined;
  /** See `Conservation`; of all partitions, absolute. */
  readonly log: number | undefined;
}

export function differencesOf(counts: readonly Account[], ledger: LoadedCounts | undefined): Differences {
  const log = counts.map(({ logDifference }) => logDifference);
  const known = log.filter((one) => one !== undefined);
  return {
    document: sum(counts.map(({ difference }) => Math.abs(difference))),
    ledgerRows: ledger?.rows,
    ledgerDead: ledger?.dead,
    log: known.length < log.length ? undefined : sum(known.map(Math.abs)),
  };
}

/**
 * For several incarnations: absolute, so that one does not make up for another. What is known of only some of them
 * counts, too.
 */
export function sumDifferences(all: readonly Differences[]): Differences {
  const [first] = all;
  if (first !== undefined && all.length === 1) return first;
  const total = (values: readonly (number | undefined)[]): number | undefined => {
    const known = values.filter((one) => one !== undefined);
    return known.length === 0 ? undefined : sum(known.map(Math.abs));
  };
  return {
    document: sum(all.map(({ document }) => document)),
    ledgerRows: total(all.map(({ ledgerRows }) => ledgerRows)),
    ledgerDead: total(all.map(({ ledgerDead }) => ledgerDead)),
    log: total(all.map(({ log }) => log)),
  };
}

/** All that the witnesses disagree about, absolute; what is not known counts for nothing. */
export function wholeDifference({ document, ledgerRows = 0, ledgerDead = 0, log = 0 }: Differences): number {
  return document + Math.abs(ledgerRows) + Math.abs(ledgerDead) + log;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
