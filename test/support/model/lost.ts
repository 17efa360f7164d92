import type { Incarnation } from '../../../src/core/ids.ts';
import { inside } from '../../../src/core/progress/intervals.ts';
import { lostSource, wantedRest } from '../../../src/core/progress/forgo.ts';
import { entryOf, isRefused, sameEntry, type PartitionEntry } from '../../../src/core/progress/sink-progress.ts';
import { Violation } from './violation.ts';
import type { Shadow, Step, Stored, World } from './world.ts';

/**
 * The importer of a deleted incarnation whose source topic is lost: what it wants and nobody can deliver are holes. It
 * looks twice, and each look is a request for the document, the source and the topic of outcomes.
 */
export function* forgoLost(world: World): Step {
  yield;
  const incarnations = [...world.documents.keys()];
  const incarnation = incarnations[world.choose(Math.max(1, incarnations.length))];
  if (incarnation === undefined) return;
  const partition = world.choose(world.partitions.length);
  const before = yield* look(world, { incarnation, partition });
  if (before === undefined) return;
  for (let pause = world.choose(8); pause > 0; pause -= 1) yield;
  const loss = yield* look(world, { incarnation, partition });
  if (loss === undefined || !sameEntry(before.base, loss.base)) return;
  yield;
  const document = world.read(incarnation);
  if (document === undefined) return;
  const { base, low } = loss;
  if (low !== undefined) {
    yield* passOwnTopic(world, document, { incarnation, partition, base, low });
    return;
  }
  const after = world.rules.forgo(document.value, { partition, base });
  if (isRefused(after)) return;
  if (!document.value.deleted)
    throw new Violation(`forgone: ${incarnation}/${partition} gives up what it wants, and is not deleted`);
  const shadows = [...document.shadows, ...holesOf(base, partition)];
  yield;
  const answer = world.compareAndSet(incarnation, document, { value: after, shadows });
  world.say('forgo', incarnation, partition, base, answer);
  world.hit('forgone');
}

/** Its reader begins again at the first offset of the topic of outcomes, and counts as holes what is missing there. */
function* passOwnTopic(
  world: World,
  document: Stored,
  { incarnation, ...change }: Place & { readonly base: PartitionEntry; readonly low: number },
): Step {
  const value = world.rules.forgoMapping(document.value, change);
  if (isRefused(value)) return;
  yield;
  const answer = world.compareAndSet(incarnation, document, { value, shadows: document.shadows });
  world.say('forgo mapping', incarnation, change.partition, change.low, answer);
  world.hit('mapping forgone');
}

/** What nobody can deliver any more of an entry; `low` while not all of its own topic is passed. */
interface Loss {
  readonly base: PartitionEntry;
  readonly low: number | undefined;
}

interface Place {
  readonly incarnation: Incarnation;
  readonly partition: number;
}

/** The entry when nobody maps what it wants: the source is lost. */
function* look(world: World, { incarnation, partition }: Place): Generator<undefined, Loss | undefined, undefined> {
  yield;
  const document = world.read(incarnation);
  if (document === undefined) return undefined;
  const entry = entryOf(document.value, partition);
  if (wantedRest(entry) === undefined) return undefined;
  yield;
  if (world.remade === undefined) return undefined;
  yield;
  const { first, end } = world.sinkLog(incarnation, partition) ?? { first: 0, end: 0 };
  const isPassed = first >= end || (entry.sink >= end && lostSource(entry) !== undefined);
  if (world.rules.readsOwnTopic && !isPassed) return { base: entry, low: first };
  if (document.value.deleted) requireUnreachable(world, { incarnation, partition, entry });
  return { base: entry, low: undefined };
}

/** Truth: no outcome that the reader has not passed covers an offset that is wanted. */
function requireUnreachable(
  world: World,
  { incarnation, partition, entry }: Place & { readonly entry: PartitionEntry },
): void {
  const topic = world.sinkLog(incarnation, partition);
  if (topic === undefined || !world.documents.has(incarnation)) return;
  const wanted = offsetsOf(entry);
  for (let at = Math.max(entry.sink, topic.first); at < topic.end; at += 1) {
    const outcome = topic.at(at);
    const offset = wanted.find((one) => outcome !== undefined && one > outcome.from && one <= outcome.to);
    if (offset !== undefined)
      throw new Violation(`forgone: ${incarnation}/${partition} offset ${offset}, but its topic has it at ${at}`);
  }
}

function holesOf(entry: PartitionEntry, partition: number): readonly Shadow[] {
  return offsetsOf(entry).map((offset) => ({ kind: 'hole', isForgone: true, partition, offset }));
}

function offsetsOf({ intervals, source }: PartitionEntry): readonly number[] {
  return inside(intervals, { from: source, to: Number.POSITIVE_INFINITY }).flatMap(({ from, to }) =>
    Array.from({ length: to - from }, (_, index) => from + 1 + index),
  );
}
