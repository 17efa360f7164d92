import type { Incarnation } from '../../../src/core/ids.ts';
import { nextWanted, type Interval } from '../../../src/core/progress/intervals.ts';
import { entryOf, type PartitionEntry } from '../../../src/core/progress/sink-progress.ts';
import { mapped } from './mapped.ts';
import { found, type ModelOutcome, type Step, type World } from './world.ts';

/** What a mapper knows of a sink. */
interface Known {
  mappingVersion: number;
  intervals: readonly Interval[];
  torn: PartitionEntry['torn'];
  /** The last source offset that it has written an outcome for, or need not. */
  position: number;
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
    const { stableEnd } = world.namedLog(partition);
    const behind = [...known].filter(([, sink]) => wantedBelow(sink, stableEnd) !== undefined);
    const chosen = behind[behind.length === 0 ? 0 : world.choose(behind.length)];
    yield;
    if (chosen === undefined) continue;
    const [incarnation, sink] = chosen;
    if (world.remade !== undefined && world.rules.batchesCarryIdentity) {
      world.hit('batch of another topic');
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
  }
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
    if (sink !== undefined) {
      const position = world.rules.isTornSince(sink.torn, entry)
        ? Math.min(sink.position, entry.source)
        : sink.position;
      Object.assign(sink, { mappingVersion, intervals, torn, position });
      continue;
    }
    if (world.rules.growsTopics) world.growTopic(incarnation, world.partitions.length);
    if (world.choose(2) === 1) {
      known.set(incarnation, { mappingVersion, intervals, torn, position: world.rules.resumePosition(entry) });
    } else {
      yield;
      const firstOffset = world.sinkLog(incarnation, partition)?.first ?? 0;
      yield;
      const last = world.sinkLog(incarnation, partition)?.last();
      const tail = last === undefined ? undefined : { lastTo: last.to, firstOffset };
      known.set(incarnation, { mappingVersion, intervals, torn, position: world.rules.resumePosition(entry, tail) });
    }
  }
  for (const incarnation of known.keys()) if (!world.documents.has(incarnation)) known.delete(incarnation);
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
  for (const end = Math.min(offset + most, stop); offset < end; offset += 1) {
    const isEvent = found(source.at(offset), 'record');
    const kind = isEvent ? mapped({ incarnation, partition, offset, mappingVersion }) : 'none';
    if (kind === 'none' && !world.rules.writesNone) continue;
    const last = outcomes.at(-1);
    if (last?.kind === kind && (kind === 'filtered' || kind === 'none')) {
      outcomes[outcomes.length - 1] = { ...last, to: offset };
    } else {
      outcomes.push({ kind, from: before, to: offset, mappingVersion });
    }
    before = offset;
  }
  return outcomes;
}
