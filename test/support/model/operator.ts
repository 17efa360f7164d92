import { defaultBranch, parseIncarnation, parseSinkId, parseSourceId } from '../../../src/core/ids.ts';
import type { Incarnation } from '../../../src/core/ids.ts';
import { requestFlush } from '../../../src/core/progress/flush.ts';
import { giveUp } from '../../../src/core/progress/import.ts';
import { beginProgress, isRefused, type SinkProgress } from '../../../src/core/progress/sink-progress.ts';
import { changeMapping, isSpent } from '../../../src/core/progress/switch.ts';
import { checkSwitched } from './check.ts';
import { followVerdict, giveUpImport } from './importer.ts';
import { ModelLog } from './model-log.ts';
import type { ModelOutcome, Step, World } from './world.ts';

const mostIncarnations = 5;

/** The partitions as the metadata show them now, one request each. */
function* readEnds(world: World): Generator<undefined, ReadonlyMap<number, number>, undefined> {
  const ends = new Map<number, number>();
  for (const partition of world.partitions) {
    yield;
    ends.set(partition, world.sourceLog(partition).end);
  }
  return ends;
}

export function* create(world: World, name: number): Step {
  yield;
  if (world.sinks.has(name) || world.incarnations >= mostIncarnations) return;
  world.incarnations += 1;
  const incarnation = parseIncarnation(world.incarnations);
  const isBackfill = world.choose(4) === 0;
  const starts = new Map(yield* readEnds(world));
  if (isBackfill) for (const [p, end] of starts) starts.set(p, Math.max(world.sourceLog(p).first, end - 3));
  yield;
  if (world.rules.ledgerRowMade) world.tables.ledger.set(incarnation, { number: 0, id: '', verdict: 'loaded' });
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
  const value = beginProgress({ key, incarnation, topics, mappingVersion: 1, starts });
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
  const began = world.source.map(({ end }) => end);
  const early = rules.documentBeforeEnds ? undefined : yield* readEnds(world);
  yield;
  const document = world.read(incarnation);
  if (document === undefined) return false;
  const { value, shadows } = document;
  const isDone = what === 'delete' ? value.deleted : value.open === (what === 'enable');
  if (isDone || value.deleted) return false;
  const ends = early ?? (yield* readEnds(world));
  const deleted = what === 'delete';
  const after = what === 'enable' ? rules.open(value, ends) : rules.close(value, ends, { deleted });
  if (isRefused(after)) return after.outdated;
  yield;
  const answer = world.compareAndSet(incarnation, document, { value: after, shadows });
  if (answer === 'ok') checkSwitched(world, { before: value, after, began });
  world.say(what, incarnation, [...ends], answer);
  return answer !== 'ok';
}

export function* change(world: World, name: number): Step {
  yield;
  const incarnation = world.sinks.get(name);
  if (incarnation === undefined) return;
  yield* transit(world, incarnation, (value) => changeMapping(value, value.mappingVersion + 1));
}

export function* flush(world: World, name: number): Step {
  yield;
  const incarnation = world.sinks.get(name);
  if (incarnation === undefined) return;
  const ends = yield* readEnds(world);
  yield* transit(world, incarnation, (value) => requestFlush(value, ends));
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

/** Seven days are over for a slice that the table refuses. */
export function* giveSliceUp(world: World, incarnation: Incarnation): Step {
  for (let tries = 0; tries < 6; tries += 1) {
    yield;
    const document = world.read(incarnation);
    if (document === undefined) return;
    const { value } = document;
    const isBad = ({ id }: { readonly id: string }): boolean => world.tables.poisoned.has(id);
    if (value.importing?.slices.some(isBad)) {
      const running = value.importing;
      const verdict = yield* giveUpImport(world, incarnation, running);
      if (verdict !== undefined) yield* followVerdict(world, incarnation, { running, verdict });
      continue;
    }
    const bad = [...value.staged, ...value.parked].find(isBad);
    if (bad === undefined) return;
    const after = giveUp(value, bad.id);
    if (isRefused(after)) return;
    yield;
    const shadows = [...document.shadows, { kind: 'givenUp' as const, partition: bad.partition, sliceId: bad.id }];
    if (world.compareAndSet(incarnation, document, { value: after, shadows }) !== 'ok') continue;
    world.hit('given up');
    return;
  }
}
