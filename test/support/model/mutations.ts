import type { LedgerPosition } from '../../../src/core/progress/ledger.ts';
import { entryOf, type SinkProgress } from '../../../src/core/progress/sink-progress.ts';
import type { Ends } from '../../../src/core/progress/source-ends.ts';
import { knownEnd } from '../../../src/core/progress/switch.ts';
import { productRules, type Rules } from './rules.ts';

/** A rule of the protocol, taken away. */
export interface Mutation {
  readonly rule: string;
  readonly rules: Rules;
  /** The history of seed 2 that is tried first, where those before it notice nothing. */
  readonly near: number;
}

function without(rule: string, changed: Partial<Rules>, near = 0): Mutation {
  return { rule, rules: { ...productRules, ...changed }, near };
}

/** Puts the positions of enabled partitions at their ends, as an enable that "starts here" would. */
function movePositions(opened: SinkProgress, ends: Ends): SinkProgress {
  const entries = { ...opened.entries };
  for (const [partition, end] of ends) {
    const entry = entryOf(opened, partition);
    entries[partition] = { ...entry, source: Math.max(entry.source, end - 1) };
  }
  return { ...opened, entries };
}

const unmade: LedgerPosition = { number: 0, id: '', verdict: 'loaded' };

/**
 * Each of them must make the model find a violation: that is what each rule is for. Not here: an outcome dropped as outside
 * against an old document. It costs time only, because the entry has changed and the seal after it is refused. Nor a mapper that resumes
 * without asking for the end of its epoch: it asks with the first batch of another one.
 */
export const mutations: readonly Mutation[] = [
  without('a seal compares the entry', {
    seal: (progress, change) => productRules.seal(progress, { ...change, base: entryOf(progress, change.partition) }),
  }),
  without('a stamp below the floor is refused', {
    seal: (progress, change) => productRules.seal(progress, { ...change, stamp: Number.POSITIVE_INFINITY }),
  }),
  without('the clean-up raises the floor', {
    raiseFloor: () => ({ kind: 'refused', reason: 'never raised', outdated: false }),
  }),
  without('a run is clipped to the intervals', {
    judge: (position, outcome) => {
      const verdict = productRules.judge(position, outcome);
      if (verdict.kind !== 'take') return verdict;
      const from = Math.max(outcome.from, position.source);
      return { ...verdict, runs: [{ from, to: outcome.to }], source: outcome.to };
    },
  }),
  without('a run counts from the position on', {
    judge: (position, outcome) => {
      const verdict = productRules.judge(position, outcome);
      return verdict.kind === 'take' ? { ...verdict, runs: [{ from: outcome.from, to: verdict.source }] } : verdict;
    },
  }),
  without(
    'a gap is judged against a fresh document',
    {
      judge: (position, outcome) => {
        const early = productRules.judge({ ...position, fresh: true }, outcome);
        return early.kind === 'gap' ? early : productRules.judge(position, outcome);
      },
    },
    522,
  ),
  without('repeats are dropped', {
    judge: (position, outcome) => {
      const verdict = productRules.judge(position, outcome);
      return verdict.kind === 'repeat' ? { kind: 'take', runs: [outcome], source: position.source } : verdict;
    },
  }),
  without('a gap that nobody has noted is not passed over', {
    judge: (position, outcome) =>
      productRules.judge({ ...position, awaits: true, torn: { low: 0, end: Number.POSITIVE_INFINITY } }, outcome),
  }),
  without('a gap is noted', { notesGaps: false }, 571),
  without('what stands behind a gap is not taken', {
    judge: (position, outcome) => {
      const verdict = productRules.judge(position, outcome);
      return verdict.kind === 'ahead' ? productRules.judge({ ...position, source: outcome.from }, outcome) : verdict;
    },
  }),
  without(
    'a torn topic is marked',
    {
      tear: (progress, change) => productRules.tear(progress, { ...change, sourceEnd: 0 }),
    },
    917,
  ),
  without('a mapper goes back when a topic was torn', { isTornSince: () => false }),
  without('the short cut needs a whole topic', {
    resumePosition: (entry, tail) => Math.max(entry.source, tail?.lastTo ?? 0),
  }),
  without('a mapper resumes at the entry', {
    resumePosition: (entry) => Math.max(entry.source, (entry.intervals.at(-1)?.start ?? 0) - 1),
  }),
  without('enabling never moves the position', {
    open: (progress, ends) => {
      const opened = productRules.open(progress, ends);
      return 'kind' in opened ? opened : movePositions(opened, ends.stable);
    },
  }),
  without('enabling keeps the intervals that are not passed', {
    open: (progress, ends) => {
      const opened = productRules.open(progress, ends);
      if ('kind' in opened) return opened;
      const entries = Object.fromEntries(
        Object.entries(opened.entries).map(([partition, entry]) => [
          partition,
          { ...entry, intervals: entry.intervals.slice(-1) },
        ]),
      );
      return { ...opened, entries };
    },
  }),
  without('disabling ends at the end of the topic', {
    close: (progress, { stable, durable }, options) => {
      const known = (partition: number): number => knownEnd(entryOf(progress, partition));
      const early = [...durable].map(([partition, end]) => [partition, Math.max(known(partition), end - 1)] as const);
      return productRules.close(progress, { stable, durable: new Map(early) }, options);
    },
  }),
  without('enabling begins at the end of the topic', {
    open: (progress, { stable, durable }) => {
      const late = (ends: Ends): Ends => new Map([...ends].map(([partition, end]) => [partition, end + 1]));
      return productRules.open(progress, { stable: late(stable), durable: late(durable) });
    },
  }),
  without('closing takes the durable end', {
    close: (progress, { stable }, options) => productRules.close(progress, { stable, durable: stable }, options),
  }),
  without('opening takes the stable end', {
    open: (progress, { durable }) => productRules.open(progress, { stable: durable, durable }),
  }),
  without('the topic of a sink grows with its source', { growsTopics: false }),
  without('the document is read before the ends', { documentBeforeEnds: false }, 3389),
  without('a batch carries the identity of its topic', { batchesCarryIdentity: false }),
  without('the identity of the source is looked at after its ends', { identityAfterEnds: false }, 399),
  without('a mapper that meets another epoch asks whether the source still has what was mapped', {
    comparesBatches: false,
  }),
  without('a reader sees other events at offsets that were taken', { readersSeeOtherEvents: false }, 1130),
  without('what was read at the end of an epoch has gone', {
    cutBelow: (place, found) => productRules.cutBelow({ ...place, position: place.position - 1 }, found),
  }),
  without('what retention took gets an outcome', { writesLost: false }),
  without('offsets without a record get an outcome', { writesNone: false }),
  without('only the clean-up deletes objects', { leavesObjects: false }),
  without('slices of a partition are sealed in their order', { sealsInOrder: false }),
  without('of slices that are sealed at once each stamp is looked at', { looksAtEachStamp: false }, 844),
  without(
    'a slice that cannot be sealed takes with it those that follow',
    {
      dropsWhatFollows: false,
      comparesEachEntry: false,
    },
    595,
  ),
  without('a reader waits for its slices behind before it looks at the document', { settlesBeforeLooking: false }, 555),
  without('an import takes slices of one mapping version', {
    startImport: (progress, start) => {
      const after = productRules.startImport(progress, start);
      if ('kind' in after || after.importing === undefined) return after;
      return { ...after, importing: { ...after.importing, slices: progress.staged }, staged: [] };
    },
  }),
  without('the ledger moves by one', {
    judgeLedger: (row, attempt) => {
      const move = productRules.judgeLedger(row, attempt);
      return move.kind === 'mismatch' && row !== undefined ? { kind: 'move' } : move;
    },
  }),
  without('the ledger remembers an import', {
    judgeLedger: (row) => (row === undefined ? { kind: 'mismatch' } : { kind: 'move' }),
  }),
  without('only a deleted incarnation gives up what it wants', {
    forgo: (progress, change) => {
      const after = productRules.forgo({ ...progress, deleted: true }, change);
      return 'kind' in after ? after : { ...after, deleted: progress.deleted };
    },
  }),
  without('all of the topic of a sink is passed before anything is given up', { readsOwnTopic: false }),
  without(
    'a missing ledger row refuses',
    {
      judgeLedger: (row, attempt) => productRules.judgeLedger(row ?? unmade, attempt),
    },
    4293,
  ),
  without('an import is given up in the ledger first', { ledgerBeforeGivingUp: false }),
  without('an import that ran is not finished under another number', {
    finishImport: (progress, attempt, at) => productRules.finishImport(progress, progress.importing ?? attempt, at),
  }),
  without('an import that was given up puts its slices back', {
    abandonImport: (progress, attempt) => {
      const after = productRules.abandonImport(progress, attempt);
      return 'kind' in after ? after : { ...after, staged: progress.staged };
    },
  }),
  without('an import that was given up is tried by smaller ones', {
    abandonImport: (progress, attempt) => {
      const after = productRules.abandonImport(progress, attempt);
      return 'kind' in after ? after : { ...after, staged: after.staged.map(({ together: _, ...slice }) => slice) };
    },
  }),
  without('only a slice that has failed alone is parked for its content', { parksAlone: false }),
  without('a slice that is parked for its content is tried again', { triesDamagedAgain: false }),
  without('giving up needs the time that was proven', {
    hasLasted: (failing, now, forMs) => failing !== undefined && now - failing.since >= (forMs ?? 0),
  }),
  without('a replay takes the letters that it names, or loads nothing', { hasTakenAll: () => true }, 729),
  without(
    'a replay starts while nothing is imported',
    {
      startReplay: (progress, batch) => {
        const { importing, ...rest } = progress;
        const after = productRules.startReplay(rest, batch);
        return 'kind' in after || importing === undefined ? after : { ...after, importing };
      },
    },
    1409,
  ),
  without(
    'a replay is made of the mapping in use',
    {
      startReplay: (progress, batch) =>
        productRules.startReplay(progress, { ...batch, mappingVersion: progress.mappingVersion }),
    },
    4890,
  ),
  without(
    'the stamp of a replay is above the floor',
    {
      startReplay: (progress, batch) =>
        productRules.startReplay(progress, { ...batch, stamp: Number.POSITIVE_INFINITY }),
    },
    1389,
  ),
  without('letters that were replayed are dead no more', {
    finishReplay: (progress, attempt) => {
      const after = productRules.finishReplay(progress, attempt);
      if ('kind' in after) return after;
      const totals = Object.entries(after.totals).map(([partition, counts]) => [
        partition,
        { ...counts, dead: progress.totals[partition]?.dead ?? counts.dead },
      ]);
      return { ...after, totals: Object.fromEntries(totals) as SinkProgress['totals'] };
    },
  }),
  without(
    'a replay that ran is not finished under another number',
    {
      finishReplay: (progress, attempt) => productRules.finishReplay(progress, progress.replaying ?? attempt),
    },
    4577,
  ),
  without('a replay that was given up takes its number with it', {
    abandonReplay: (progress, attempt) => {
      const after = productRules.abandonReplay(progress, attempt);
      return 'kind' in after ? after : { ...after, nextImport: progress.nextImport };
    },
  }),
  without('whoever removes something looks whose the stores are', { looksAtMark: false }),
];
