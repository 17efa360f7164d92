import type { Incarnation } from '../../../src/core/ids.ts';
import { flushEnd } from '../../../src/core/progress/flush.ts';
import { entryOf, isRefused, sameEntry } from '../../../src/core/progress/sink-progress.ts';
import { Held } from './held.ts';
import { sealHeld } from './seal-held.ts';
import { Violation } from './violation.ts';
import { lease, type ModelOutcome, type Step, type Stored, type World } from './world.ts';

export interface Reading {
  readonly world: World;
  readonly incarnation: Incarnation;
  readonly partition: number;
  /** How far this owner's wall clock is behind. */
  readonly skew: number;
  /** The document that the entry was seen in last. */
  document: Stored;
  held: Held;
}

/** Rules 2 and 3: an owner of a sink partition. Whenever it returns to the outer loop it starts again from the document. */
export function* reader(world: World, incarnation: Incarnation, partition: number): Step {
  const skew = world.faults ? (world.choose(4) * lease) / 2 : 0;
  for (;;) {
    yield;
    const document = world.read(incarnation);
    if (document === undefined || !world.topics.has(incarnation)) return;
    const held = new Held(entryOf(document.value, partition));
    yield* readOn({ world, incarnation, partition, skew, document, held });
  }
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
    const batch: ModelOutcome[] = [];
    for (let at = sink; at < Math.min(topic.end, sink + 1 + world.choose(3)); at += 1) {
      const outcome = topic.at(at);
      if (outcome !== undefined) batch.push(outcome);
    }
    const goesOn = batch.length === 0 ? yield* idle(reading) : yield* takeBatch(reading, batch);
    if (!goesOn) return;
  }
}

/** Nothing came: a trigger, a flush, or a look at the document. */
function* idle(reading: Reading): Generator<undefined, boolean, undefined> {
  const { world, incarnation, partition, held, document } = reading;
  const asked = world.settling || flushEnd(document.value, partition) !== undefined;
  const isMoved = held.source !== held.entry.source || (held.sink !== held.entry.sink && world.choose(8) === 0);
  if (isMoved && (asked || world.choose(3) === 0)) return yield* sealHeld(reading);
  if (!asked && world.choose(3) !== 0) return true;
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
      const verdict = world.rules.judge({ source: held.source, intervals, torn, fresh }, outcome);
      if (verdict.kind === 'needsFreshDocument') {
        if (!(yield* lookAgain(reading))) return false;
        fresh = true;
        continue;
      }
      const isOtherVersion = held.mappingVersion !== undefined && held.mappingVersion !== outcome.mappingVersion;
      const isDue = isOtherVersion || (held.source !== held.entry.source && world.choose(6) === 0);
      if ((verdict.kind === 'take' || verdict.kind === 'hole') && isDue) {
        if (!(yield* sealHeld(reading))) return false;
        continue;
      }
      isTaken = true;
      apply(reading, outcome, verdict);
    }
  }
  return true;
}

type Verdict = Exclude<ReturnType<World['rules']['judge']>, { kind: 'needsFreshDocument' }>;

function apply({ world, held, incarnation, partition }: Reading, outcome: ModelOutcome, verdict: Verdict): void {
  world.hit(verdict.kind);
  if (verdict.kind === 'gap') {
    const where = `${incarnation}/${partition} after ${held.source}`;
    throw new Violation(
      `gap alarm: ${where} on ${JSON.stringify(outcome)}, missing ${JSON.stringify(verdict.missing)}`,
    );
  }
  if (verdict.kind === 'hole') {
    held.holes.push(...verdict.runs);
    held.source = verdict.source;
  }
  const own = verdict.kind === 'hole' ? verdict.outcome : verdict;
  if (own.kind === 'take') {
    held.take(outcome, own.runs);
    held.source = own.source;
  }
  held.sink += 1;
}

/** A linearizable read; false when the entry has changed. */
function* lookAgain(reading: Reading): Generator<undefined, boolean, undefined> {
  const { world, incarnation, partition, held } = reading;
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
  const { world, incarnation, partition, held, document } = reading;
  if (held.source !== held.entry.source) {
    yield* sealHeld(reading);
    return;
  }
  yield;
  const sourceEnd = world.sourceLog(partition).end;
  const after = world.rules.tear(document.value, { partition, base: held.entry, low, sourceEnd });
  if (isRefused(after)) return;
  yield;
  world.compareAndSet(incarnation, document, { value: after, shadows: document.shadows });
  world.hit('tear');
}
