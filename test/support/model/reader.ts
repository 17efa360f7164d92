import type { Incarnation } from '../../../src/core/ids.ts';
import { flushEnd } from '../../../src/core/progress/flush.ts';
import { entryOf, isRefused, sameEntry } from '../../../src/core/progress/sink-progress.ts';
import { lostSource } from '../../../src/core/progress/forgo.ts';
import { advance, awaitsMapping } from '../../../src/core/progress/seal.ts';
import { Behind } from './behind.ts';
import { writeCut } from './cut.ts';
import { Held } from './held.ts';
import { Violation } from './violation.ts';
import type { ModelLog } from './model-log.ts';
import { lease, type ModelOutcome, type Step, type Stored, type World } from './world.ts';

/** Slices behind that a reader leaves, at most, when it closes another one. */
const most = 3;

export interface Reading {
  readonly world: World;
  readonly incarnation: Incarnation;
  readonly partition: number;
  /** How far this owner's wall clock is behind. */
  readonly skew: number;
  /** The document that the entry was seen in last. */
  document: Stored;
  held: Held;
  readonly behind: Behind;
}

/** Rules 2 and 3: an owner of a sink partition. Whenever it returns to the outer loop it starts again from the document. */
export function* reader(world: World, incarnation: Incarnation, partition: number): Step {
  const skew = world.faults ? (world.choose(4) * lease) / 2 : 0;
  for (;;) {
    yield;
    const document = world.read(incarnation);
    if (document === undefined || !world.topics.has(incarnation)) return;
    const held = new Held(entryOf(document.value, partition));
    yield* sideBySide({ world, incarnation, partition, skew, document, held, behind: new Behind(world) });
  }
}

/** Reads on while slices are sealed. Ends when the reader has to start again; what is under way then is aborted. */
function* sideBySide(reading: Reading): Step {
  const { world, behind } = reading;
  const reads = readOn(reading);
  for (;;) {
    const { works } = behind;
    const work = works.length === 0 ? undefined : works[world.choose(works.length + 1)];
    if (work !== undefined) behind.step(work);
    else if (reads.next().done === true) return;
    if (behind.isLost) return;
    yield;
  }
}

/** Begins to seal what is held and goes on from the entry as it will be. */
function closeBehind(reading: Reading): void {
  const { entry, sink, source, epoch } = reading.held;
  reading.behind.add(reading);
  reading.held = new Held(advance(entry, { sink, source, epoch }));
}

/** Waits until no more than `left` slices are behind. */
function* settled({ behind }: Reading, left = 0): Step {
  while (behind.count > left) yield;
}

/** Seals all that is held. */
function* sealHeld(reading: Reading): Step {
  yield* settled(reading);
  closeBehind(reading);
  yield* settled(reading);
}

/** Ends when the reader has to start again. */
function* readOn(reading: Reading): Step {
  const { world, incarnation, partition } = reading;
  for (;;) {
    yield;
    const topic = world.sinkLog(incarnation, partition);
    if (topic === undefined) return;
    const { sink } = reading.held;
    if (sink < topic.first) {
      yield* tearTopic(reading, topic.first);
      return;
    }
    if (sink < topic.end && topic.at(sink) === undefined) {
      if (world.choose(2) === 1 && isShownLater(reading, topic)) {
        reading.held.sink += 1;
        continue;
      }
      yield* tearTopic(reading, sink + 1);
      return;
    }
    const batch: ModelOutcome[] = [];
    for (let at = sink; at < Math.min(topic.end, sink + 1 + world.choose(3)); at += 1) {
      const outcome = topic.at(at);
      if (outcome === undefined) break;
      batch.push(outcome);
    }
    const goesOn = batch.length === 0 ? yield* idle(reading) : yield* takeBatch(reading, batch);
    if (!goesOn) return;
  }
}

/**
 * A log that leaves offsets out does not say what it lost: a later outcome shows it. Where none does yet, the model waits for none, and
 * the reader learns it at once, as from a log that leaves none out.
 */
function isShownLater({ held }: Reading, topic: ModelLog<ModelOutcome>): boolean {
  const isAwaiting = awaitsMapping(held.entry, held.source);
  for (let at = held.sink + 1; at < topic.end; at += 1) {
    const later = topic.at(at);
    if (later !== undefined && later.from > held.source && !(isAwaiting && later.to < held.entry.torn.end)) return true;
  }
  return false;
}

/** Nothing came: a trigger, a flush, or a look at the document. */
function* idle(reading: Reading): Generator<undefined, boolean, undefined> {
  const { world, incarnation, partition, held, document } = reading;
  const asked = world.settling || flushEnd(document.value, partition) !== undefined;
  const isMoved = held.source !== held.entry.source || (held.sink !== held.entry.sink && world.choose(8) === 0);
  if (isMoved && (asked || world.choose(3) === 0)) {
    if (!asked && reading.behind.hasRoom && world.choose(2) === 0) closeBehind(reading);
    else yield* sealHeld(reading);
    return true;
  }
  if (!asked && world.choose(3) !== 0) return true;
  if (reading.behind.count > 0) {
    yield* settled(reading);
    return true;
  }
  if (!isMoved) return false;
  yield;
  const now = world.read(incarnation);
  if (now === undefined || !sameEntry(entryOf(now.value, partition), held.entry)) return false;
  reading.document = now;
  return true;
}

function* takeBatch(reading: Reading, batch: readonly ModelOutcome[]): Generator<undefined, boolean, undefined> {
  const { world } = reading;
  let fresh = false;
  for (const outcome of batch) {
    for (let isTaken = false; !isTaken;) {
      const { held } = reading;
      const { intervals, torn } = held.entry;
      if (isOfOtherEvents(reading, outcome)) {
        yield* meetOtherEvents(reading, outcome.from + 1);
        return false;
      }
      const awaits = awaitsMapping(held.entry, held.source);
      const verdict = world.rules.judge({ source: held.source, intervals, torn, awaits, fresh }, outcome);
      if (verdict.kind === 'needsFreshDocument') {
        if (!(yield* lookAgain(reading))) return false;
        fresh = true;
        continue;
      }
      const isOtherVersion = held.mappingVersion !== undefined && held.mappingVersion !== outcome.mappingVersion;
      const isDue = isOtherVersion || (held.source !== held.entry.source && world.choose(4) === 0);
      if ((verdict.kind === 'take' || verdict.kind === 'hole') && isDue) {
        yield* settled(reading, Math.min(world.choose(most + 2), most - 1));
        closeBehind(reading);
        continue;
      }
      if (verdict.kind === 'gap') {
        yield* meetGap(reading, outcome, verdict);
        return false;
      }
      isTaken = true;
      apply(reading, outcome, verdict);
    }
  }
  return true;
}

/** Of offsets that were taken, read in a later epoch than the position: the source has given them out again. */
function isOfOtherEvents({ world, held }: Reading, { kind, from, epoch = 0 }: ModelOutcome): boolean {
  if (!world.rules.readersSeeOtherEvents || from >= held.source || held.entry.cut !== undefined) return false;
  return held.epoch !== undefined && kind !== 'lost' && kind !== 'none' && epoch > held.epoch;
}

/** What is held is sealed first; then it starts again from the document. */
function* meetOtherEvents(reading: Reading, cut: number): Step {
  const { world, incarnation, partition } = reading;
  yield* sealHeld(reading);
  yield* writeCut(world, { incarnation, partition, cut });
  world.hit('cut seen by a reader');
}

type Verdict = Exclude<ReturnType<World['rules']['judge']>, { kind: 'needsFreshDocument' }>;

/** Without damage there is none: it would stop the sink for what nobody has lost. */
function* meetGap(reading: Reading, outcome: ModelOutcome, gap: Extract<Verdict, { kind: 'gap' }>): Step {
  const { world, incarnation, partition, held } = reading;
  world.hit('gap');
  const where = `${incarnation}/${partition}`;
  if (!world.damagedSink.has(where)) {
    const what = `${where} after ${held.source} on ${JSON.stringify(outcome)}, missing ${JSON.stringify(gap.missing)}`;
    throw new Violation(`gap alarm: ${what}`);
  }
  const isLost = (gap.missing.at(-1)?.to ?? 0) < world.sourceLog(partition).first;
  if (world.rules.notesGaps) yield* tearTopic(reading, isLost ? held.sink : held.sink + 1);
}

function apply(reading: Reading, outcome: ModelOutcome, verdict: Exclude<Verdict, { kind: 'gap' }>): void {
  const { world, incarnation, partition, held } = reading;
  const before = held.source;
  world.hit(verdict.kind);
  if (verdict.kind === 'hole') {
    held.holes.push(...verdict.runs);
    held.source = verdict.source;
  }
  const own = verdict.kind === 'hole' ? verdict.outcome : verdict;
  if (own.kind === 'take') {
    held.take(outcome, own.runs);
    held.source = own.source;
    noteTaken(world, `${incarnation}/${partition}`, { ...outcome, to: own.source });
  }
  if (held.source !== before) held.epoch = outcome.epoch;
  held.sink += 1;
}

function noteTaken({ takenEpochs }: World, where: string, { kind, to, epoch }: ModelOutcome): void {
  if (epoch === undefined || kind === 'none') return;
  const taken = takenEpochs.get(where) ?? new Map<number, number>();
  takenEpochs.set(where, taken.set(to, epoch));
}

/** A linearizable read; false when the entry has changed. */
function* lookAgain(reading: Reading): Generator<undefined, boolean, undefined> {
  const { world, incarnation, partition, held, behind } = reading;
  if (!world.rules.settlesBeforeLooking && behind.count > 0) return true;
  yield* settled(reading);
  yield;
  const now = world.read(incarnation, { fresh: true });
  if (now === undefined || !sameEntry(entryOf(now.value, partition), held.entry)) {
    world.hit('stale verdict');
    return false;
  }
  reading.document = now;
  return true;
}

function* tearTopic(reading: Reading, low: number): Step {
  const { world, incarnation, partition, held } = reading;
  if (held.source !== held.entry.source) {
    yield* sealHeld(reading);
    return;
  }
  yield* settled(reading);
  yield;
  const { document } = reading;
  const lost = lostSource(held.entry);
  const { stableEnd: sourceEnd, first: sourceFirst } = lost ?? world.namedLog(partition);
  if (lost === undefined && world.remade !== undefined && world.rules.identityAfterEnds) return;
  const after = world.rules.tear(document.value, { partition, base: held.entry, low, sourceEnd, sourceFirst });
  if (isRefused(after)) return;
  yield;
  world.compareAndSet(incarnation, document, { value: after, shadows: document.shadows });
  world.hit('tear');
}
