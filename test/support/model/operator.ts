import { defaultBranch, parseIncarnation, parseSinkId, parseSourceId } from '../../../src/core/ids.ts';
import type { Incarnation } from '../../../src/core/ids.ts';
import { requestFlush } from '../../../src/core/progress/flush.ts';
import { MillraceError } from '../../../src/core/millrace-error.ts';
import { beginProgress, isRefused, type Refused, type SinkProgress } from '../../../src/core/progress/sink-progress.ts';
import type { Ends, SourceEnds } from '../../../src/core/progress/source-ends.ts';
import { changeMapping, isSpent, lastEnds } from '../../../src/core/progress/switch.ts';
import { checkSwitched } from './check.ts';
import { ModelLog } from './model-log.ts';
import type { ModelOutcome, Step, World } from './world.ts';

const mostIncarnations = 5;

/** The partitions as the metadata show them now, one request for each end; undefined when they are another topic's. */
function* readEnds(world: World): Generator<undefined, SourceEnds | undefined, undefined> {
  if (world.remade !== undefined && !world.rules.identityAfterEnds) return undefined;
  const { restores } = world;
  const stable = new Map<number, number>();
  const durable = new Map<number, number>();
  for (const partition of world.partitions) {
    yield;
    stable.set(partition, world.namedLog(partition).stableEnd);
    yield;
    durable.set(partition, world.namedLog(partition).end);
  }
  yield;
  if ((world.remade !== undefined || world.restores !== restores) && world.rules.identityAfterEnds) {
    world.hit('ends of another topic');
    return undefined;
  }
  return { stable, durable };
}

export function* create(world: World, name: number): Step {
  yield;
  if (world.sinks.has(name) || world.incarnations >= mostIncarnations) return;
  world.incarnations += 1;
  const incarnation = parseIncarnation(world.incarnations);
  const isBackfill = world.choose(4) === 0;
  const ends = yield* readEnds(world);
  if (ends === undefined) return;
  const starts = new Map(ends.stable);
  if (isBackfill) for (const [p, end] of starts) starts.set(p, Math.max(world.sourceLog(p).first, end - 3));
  yield;
  if (world.rules.ledgerRowMade) world.tables.makeLedger(incarnation);
  yield;
  if (world.sinks.has(name)) return;
  world.sinks.set(name, incarnation);
  world.topics.set(
    incarnation,
    world.partitions.map(() => new ModelLog<ModelOutcome>()),
  );
  world.intervals.set(
    incarnation,
    world.partitions.map(() => new Map<number, number | null>()),
  );
  const key = { branchId: defaultBranch, sourceId: parseSourceId('model'), sinkId: parseSinkId(`sink-${name}`) };
  const topics = { source: 'source', sourceIdentity: '1', sink: `sink.${incarnation}`, sinkIdentity: '1' };
  const value = beginProgress({ key, incarnation, topics, mappingVersion: 1, starts, at: world.clock });
  world.begin(incarnation, { value, shadows: [] });
  world.say('created', incarnation, [...starts]);
}

export type Switch = 'enable' | 'disable' | 'delete';

export function* switchSink(world: World, name: number, what: Switch): Step {
  yield;
  const incarnation = world.sinks.get(name);
  if (incarnation === undefined) return;
  while (yield* trySwitch(world, incarnation, what));
  if (what !== 'delete' || world.sinks.get(name) !== incarnation) return;
  yield;
  if (world.sinks.get(name) === incarnation) world.sinks.delete(name);
}

/** The document, then the ends, then the compare-and-set. True: start over. */
function* trySwitch(world: World, incarnation: Incarnation, what: Switch): Generator<undefined, boolean, undefined> {
  const { rules } = world;
  const began = world.source.map(({ stableEnd, end }) => ({ stable: stableEnd, durable: end }));
  const early = rules.documentBeforeEnds ? undefined : yield* readEnds(world);
  yield;
  const document = world.read(incarnation);
  if (document === undefined) return false;
  const { value, shadows } = document;
  const isDone = what === 'delete' ? value.deleted : value.open === (what === 'enable');
  if (isDone || value.deleted) return false;
  const ends = early ?? (yield* readEnds(world));
  if (ends === undefined) return false;
  const after = switched(world, what, { value, ends });
  if (after === undefined) return false;
  if (isRefused(after)) return after.outdated;
  yield;
  const answer = world.compareAndSet(incarnation, document, { value: after, shadows });
  if (answer === 'ok') checkSwitched(world, { before: value, after, began });
  world.say(what, incarnation, [...ends.stable], [...ends.durable], answer);
  return answer !== 'ok';
}

/** Undefined when it stops with an alarm, because the source has lost what the sink has taken; that keeps nobody from deleting it. */
function switched(
  world: World,
  what: Switch,
  { value, ends }: { readonly value: SinkProgress; readonly ends: SourceEnds },
): SinkProgress | Refused | undefined {
  const { rules } = world;
  try {
    if (what === 'enable') return rules.open(value, ends);
    if (what === 'disable') return rules.close(value, ends, { deleted: false });
    return rules.close(value, lastEnds(value, ends, outcomeEnds(world, value.incarnation)), { deleted: true });
  } catch (thrown) {
    const { code } = MillraceError.fromUnknown(thrown);
    if (code !== 'progress.logCut' && code !== 'progress.logBehind') throw thrown;
    world.hit('switch of a source that was cut');
    return undefined;
  }
}

/** Behind the highest offset with an outcome in each partition of the sink's topic. */
function outcomeEnds(world: World, incarnation: Incarnation): Ends {
  return new Map(
    world.partitions.map((partition) => {
      const log = world.sinkLog(incarnation, partition);
      let end = 0;
      for (let at = log?.first ?? 0; at < (log?.end ?? 0); at += 1) end = Math.max(end, (log?.at(at)?.to ?? -1) + 1);
      return [partition, end] as const;
    }),
  );
}

export function* change(world: World, name: number): Step {
  yield;
  const incarnation = world.sinks.get(name);
  if (incarnation === undefined) return;
  yield* transit(world, incarnation, (value) =>
    changeMapping(value, { mappingVersion: value.mappingVersion + 1, at: world.clock }),
  );
}

export function* flush(world: World, name: number): Step {
  yield;
  const incarnation = world.sinks.get(name);
  if (incarnation === undefined) return;
  const ends = yield* readEnds(world);
  if (ends === undefined) return;
  yield* transit(world, incarnation, (value) => requestFlush(value, ends.durable));
  world.hit('flush');
}

function* transit(
  world: World,
  incarnation: Incarnation,
  transition: (value: SinkProgress) => SinkProgress | { readonly kind: 'refused' },
): Step {
  yield;
  const document = world.read(incarnation);
  if (document === undefined) return;
  const after = transition(document.value);
  if ('kind' in after) return;
  yield;
  world.compareAndSet(incarnation, document, { value: after, shadows: document.shadows });
}

/** Removes one deleted incarnation that has nothing left to do. */
export function* purge(world: World): Step {
  yield;
  const living = new Set(world.sinks.values());
  for (const [incarnation, document] of world.documents) {
    const partitions = Object.keys(document.value.entries).map(Number);
    if (living.has(incarnation) || !isSpent(document.value, partitions)) continue;
    yield;
    if (world.documents.get(incarnation) !== document) return;
    world.say('purge', incarnation);
    world.hit('purge');
    world.graves.set(incarnation, document);
    world.documents.delete(incarnation);
    yield;
    world.topics.delete(incarnation);
    yield;
    world.tables.ledger.delete(incarnation);
    return;
  }
}
