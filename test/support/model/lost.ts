import type { Incarnation } from '../../../src/core/ids.ts';
import { inside } from '../../../src/core/progress/intervals.ts';
import { wantedRest } from '../../../src/core/progress/forgo.ts';
import { entryOf, isRefused, sameEntry, type PartitionEntry } from '../../../src/core/progress/sink-progress.ts';
import { Violation } from './violation.ts';
import type { Shadow, Step, World } from './world.ts';

/**
 * The importer of a deleted incarnation whose source topic is lost: what it wants and nobody can deliver are holes. It looks twice, and each
 * look is a request for the document, the source and the topic of outcomes.
 */
export function* forgoLost(world: World): Step {
  yield;
  const incarnations = [...world.documents.keys()];
  const incarnation = incarnations[world.choose(Math.max(1, incarnations.length))];
  if (incarnation === undefined) return;
  const partition = world.choose(world.partitions.length);
  const base = yield* look(world, { incarnation, partition });
  if (base === undefined) return;
  for (let pause = world.choose(8); pause > 0; pause -= 1) yield;
  const again = yield* look(world, { incarnation, partition });
  if (again === undefined || !sameEntry(base, again)) return;
  yield;
  const document = world.read(incarnation);
  if (document === undefined) return;
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

interface Place {
  readonly incarnation: Incarnation;
  readonly partition: number;
}

/** The entry when nobody can deliver what it wants: the source is lost, and all of the sink's topic is passed. */
function* look(
  world: World,
  { incarnation, partition }: Place,
): Generator<undefined, PartitionEntry | undefined, undefined> {
  yield;
  const document = world.read(incarnation);
  if (document === undefined) return undefined;
  const entry = entryOf(document.value, partition);
  if (wantedRest(entry) === undefined) return undefined;
  yield;
  if (world.remade === undefined) return undefined;
  yield;
  const end = world.sinkLog(incarnation, partition)?.end ?? 0;
  if (world.rules.readsOwnTopic && entry.sink < end) return undefined;
  if (document.value.deleted) requireUnreachable(world, { incarnation, partition, entry });
  return entry;
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
