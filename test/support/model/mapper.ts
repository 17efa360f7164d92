import type { Incarnation } from '../../../src/core/ids.ts';
import { nextWanted, type Interval } from '../../../src/core/progress/intervals.ts';
import { entryOf, type PartitionEntry } from '../../../src/core/progress/sink-progress.ts';
import { isHeld } from './cut.ts';
import { mapped } from './mapped.ts';
import { found, type ModelOutcome, type Step, type World } from './world.ts';

/** What a mapper knows of a sink. */
interface Known {
  mappingVersion: number;
  intervals: readonly Interval[];
  torn: PartitionEntry['torn'];
  /** The last source offset that it has written an outcome for, or need not. */
  position: number;
  /** That the position was read in. */
  epoch: number | undefined;
  /** A later one, which is known to follow on the position. */
  agreed?: number;
}

const lateSteps = 40;

/** Rule 1: the owner of a source partition. Its configuration may be as old as a replica gets. */
export function* mapper(world: World, partition: number): Step {
  const known = new Map<Incarnation, Known>();
  let age = lateSteps + 1;
  yield;
  for (;;) {
    age += 1;
    if (world.settling || age > lateSteps || world.choose(4) === 0) {
      const everything = world.settling || age > lateSteps;
      yield* learn(world, { partition, known, everything });
      if (everything) age = 0;
    }
    const { stableEnd, end } = world.namedLog(partition);
    for (const [incarnation, sink] of known)
      if (sink.position >= end && !(yield* stillHeld(world, { partition, incarnation, sink })))
        known.delete(incarnation);
    const behind = [...known].filter(([, sink]) => wantedBelow(sink, stableEnd) !== undefined);
    const chosen = behind[behind.length === 0 ? 0 : world.choose(behind.length)];
    yield;
    if (chosen === undefined) continue;
    const [incarnation, sink] = chosen;
    if (world.remade !== undefined && world.rules.batchesCarryIdentity) {
      world.hit('batch of another topic');
      continue;
    }
    if (!(yield* mayFollow(world, { partition, incarnation, sink }))) {
      known.delete(incarnation);
      continue;
    }
    const batch = mapRange(world, { partition, incarnation, sink, most: 1 + world.choose(4) });
    const last = batch.at(-1);
    if (last === undefined) continue;
    // One request in flight: it is repeated until an answer comes.
    do {
      yield;
      world.say('   append', incarnation, partition, batch);
    } while (world.append(incarnation, partition, batch) === 'unclear');
    sink.position = last.to;
    sink.epoch = last.epoch;
  }
}

interface Mapping {
  readonly partition: number;
  readonly incarnation: Incarnation;
  readonly sink: Known;
}

function stillHeld(world: World, { sink, ...where }: Mapping): Generator<undefined, boolean, undefined> {
  return isHeld(world, { ...where, position: sink.position, epoch: sink.epoch });
}

/** What is read in another epoch than the position is mapped once it is known to follow on it. */
function* mayFollow(world: World, mapping: Mapping): Generator<undefined, boolean, undefined> {
  const { sink, partition } = mapping;
  const { epoch } = world.namedLog(partition).epochOf(nextWanted(sink.intervals, sink.position) ?? 0);
  if (!world.rules.comparesBatches || sink.epoch === undefined) return true;
  if (epoch === sink.epoch || epoch === sink.agreed) return true;
  if (!(yield* stillHeld(world, mapping))) return false;
  sink.agreed = epoch;
  return world.namedLog(partition).epochOf(nextWanted(sink.intervals, sink.position) ?? 0).epoch === epoch;
}

function wantedBelow({ intervals, position }: Known, end: number): number | undefined {
  const wanted = nextWanted(intervals, position);
  return wanted === undefined || wanted >= end ? undefined : wanted;
}

interface Learning {
  readonly partition: number;
  readonly known: Map<Incarnation, Known>;
  readonly everything: boolean;
}

/** Reads documents, each sink's in its own time; a sink that is met resumes where its document says. */
function* learn(world: World, { partition, known, everything }: Learning): Step {
  for (const incarnation of world.documents.keys()) {
    if (!everything && world.choose(2) === 0) continue;
    yield;
    const stored = world.read(incarnation);
    if (stored === undefined) continue;
    const entry = entryOf(stored.value, partition);
    const { intervals, torn } = entry;
    const { mappingVersion } = stored.value;
    const sink = known.get(incarnation);
    if (entry.cut !== undefined) {
      known.delete(incarnation);
      continue;
    }
    if (sink !== undefined) {
      Object.assign(sink, { mappingVersion, intervals });
      if (world.rules.isTornSince(sink.torn, entry) && entry.source < sink.position)
        Object.assign(sink, { position: entry.source, epoch: entry.epoch, agreed: undefined });
      sink.torn = torn;
      continue;
    }
    if (world.rules.growsTopics) world.growTopic(incarnation, world.partitions.length);
    const { position, epoch } = yield* resume(world, { incarnation, partition, entry });
    const isKnown =
      !world.rules.comparesOnResume || (yield* isHeld(world, { incarnation, partition, position, epoch }));
    if (isKnown) known.set(incarnation, { mappingVersion, intervals, torn, position, epoch });
  }
  for (const incarnation of known.keys()) if (!world.documents.has(incarnation)) known.delete(incarnation);
}

/** At the entry, or by the short cut behind the last outcome of the topic. */
function* resume(
  world: World,
  { incarnation, partition, entry }: { incarnation: Incarnation; partition: number; entry: PartitionEntry },
): Generator<undefined, Pick<Known, 'position' | 'epoch'>, undefined> {
  if (world.choose(2) === 1) return { position: world.rules.resumePosition(entry), epoch: entry.epoch };
  yield;
  const firstOffset = world.sinkLog(incarnation, partition)?.first ?? 0;
  yield;
  const last = world.sinkLog(incarnation, partition)?.last();
  const tail = last === undefined ? undefined : { lastTo: last.to, firstOffset };
  const position = world.rules.resumePosition(entry, tail);
  return { position, epoch: position === entry.source ? entry.epoch : last?.epoch };
}

interface MapRange {
  readonly partition: number;
  readonly incarnation: Incarnation;
  readonly sink: Known;
  readonly most: number;
}

/** Outcomes of one interval from the first wanted offset on; a run that retention took counts as one. */
function mapRange(world: World, { partition, incarnation, sink, most }: MapRange): readonly ModelOutcome[] {
  const source = world.namedLog(partition);
  const start = wantedBelow(sink, source.stableEnd);
  if (start === undefined) return [];
  const { mappingVersion } = sink;
  const interval = sink.intervals.find(({ start: from, end }) => from <= start && (end === null || start < end));
  const stop = Math.min(interval?.end ?? source.stableEnd, source.stableEnd);
  const outcomes: ModelOutcome[] = [];
  let offset = start;
  if (start < source.first) {
    offset = Math.min(source.first, stop);
    if (world.rules.writesLost) outcomes.push({ kind: 'lost', from: start - 1, to: offset - 1, mappingVersion });
    world.hit('lost run');
  }
  let before = offset - 1;
  // A batch is of one epoch.
  const { epoch, end: epochEnd } = source.epochOf(offset);
  for (const end = Math.min(offset + most, stop, epochEnd); offset < end; offset += 1) {
    const isEvent = found(source.at(offset), 'record');
    const kind = isEvent ? mapped({ incarnation, partition, offset, mappingVersion }) : 'none';
    if (kind === 'none' && !world.rules.writesNone) continue;
    const last = outcomes.at(-1);
    if (last?.kind === kind && (kind === 'filtered' || kind === 'none')) {
      outcomes[outcomes.length - 1] = { ...last, to: offset };
    } else {
      outcomes.push({ kind, from: before, to: offset, mappingVersion, epoch });
    }
    before = offset;
  }
  return outcomes;
}
