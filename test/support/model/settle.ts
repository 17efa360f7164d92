import { nextWanted } from '../../../src/core/progress/intervals.ts';
import { entryOf } from '../../../src/core/progress/sink-progress.ts';
import { isTransient } from './actions.ts';
import { check } from './check.ts';
import { collector } from './collector.ts';
import type { ModelLog } from './model-log.ts';
import { replayable } from './replayer.ts';
import { addActor, everyone, owners, runActor, slots } from './scheduler.ts';
import { Violation } from './violation.ts';
import { keptSteps, lease, mostStaged, type ModelOutcome, type Step, type World } from './world.ts';

/** How a history ends: with late requests first, with the owners that live, or with new owners. */
export type Ending = 0 | 1 | 2;

/**
 * The trouble is over: everything must come to rest and be right. Then late requests arrive and zombies wake, which must
 * change nothing, and the collector must leave no object behind.
 */
export function quiesce(world: World, ending: Ending): void {
  world.say('---- quiet, ending', ending);
  world.faults = false;
  world.settling = true;
  world.restoreSource();
  for (const partition of world.partitions)
    while (world.sourceLog(partition).openTransactions > 0) world.endTransaction(partition, 0, 'commit');
  // A log that ends below what it had is seen when it grows, or is read behind its end.
  for (const partition of world.partitions) {
    const log = world.sourceLog(partition);
    for (let left = log.isCut ? 6 : 0; left > 0; left -= 1) {
      log.append(true);
      world.kept[partition]?.push(true);
    }
  }
  world.tables.misfits.clear();
  for (const { name, actor } of everyone(world)) if (isTransient(name) || ending !== 1) actor.asleep = true;
  if (ending === 0) actLate(world);
  // What is damaged holds up nothing else, and is not given up for a clock that is set; once it is whole, it comes back by itself.
  for (const { name, actor } of everyone(world)) if (!actor.asleep) runActor(world, name, { actor, steps: 30 });
  world.wallAhead += keptSteps;
  settle(world);
  world.tables.poisoned.clear();
  settle(world);
  const zombies = everyone(world).filter(({ actor }) => actor.asleep);
  actLate(world);
  for (const { name, actor } of zombies) {
    actor.asleep = false;
    world.say('zombie wakes', name, actor.id);
    runActor(world, name, { actor, steps: 60 });
  }
  settle(world);
  for (let rounds = 0; rounds < 2; rounds += 1) {
    world.clock += 3 * lease;
    runToEnd(collector(world));
  }
  check(world);
  if (world.objects.size > 0) throw new Violation(`object: never collected ${[...world.objects.keys()].join(', ')}`);
}

/** Steps an actor that ends by itself. */
export function runToEnd(step: Step): void {
  while (step.next().done !== true);
}

function actLate(world: World): void {
  const requests = world.late;
  world.late = [];
  for (const { what, act } of requests) {
    world.say('late', what);
    act();
  }
}

function isSettled(world: World): boolean {
  for (const { value } of world.documents.values()) {
    const { staged, parked, importing, replaying, flush } = value;
    if (staged.length > 0 || importing !== undefined || replaying !== undefined) return false;
    if (replayable(world, value).length > 0) return false;
    if (!parked.every(({ id }) => world.tables.poisoned.has(id))) return false;
    // What was asked for may have gone before anybody mapped it.
    const isCut = world.source.some((log) => log.isCut);
    if (flush !== undefined && parked.length === 0 && !isCut) return false;
    if (parked.length >= mostStaged) continue;
    for (const partition of world.partitions) {
      const { intervals, source, sink, cut } = entryOf(value, partition);
      const wanted = nextWanted(intervals, source);
      // Of a source that was cut nothing more is mapped; what is mapped is taken.
      if (cut !== undefined && !hasOutcomeOf(world.sinkLog(value.incarnation, partition), sink, wanted)) continue;
      if (wanted !== undefined && wanted < world.sourceLog(partition).end) return false;
    }
  }
  return true;
}

function hasOutcomeOf(topic: ModelLog<ModelOutcome> | undefined, sink: number, wanted: number | undefined): boolean {
  if (topic === undefined || wanted === undefined) return false;
  for (let at = sink; at < topic.end; at += 1) if ((topic.at(at)?.to ?? -1) >= wanted) return true;
  return false;
}

function settle(world: World): void {
  const longest = Math.max(...world.partitions.map((partition) => world.sourceLog(partition).end));
  for (let rounds = 20 * (30 + longest); rounds > 0; rounds -= 1) {
    if (isSettled(world)) return;
    for (const slot of slots(world)) {
      if (owners(world, slot).every((actor) => actor.asleep)) addActor(world, slot);
      for (const actor of owners(world, slot).filter(({ asleep }) => !asleep)) {
        runActor(world, slot.name, { actor, steps: 4 });
      }
    }
  }
  throw new Violation(`no progress: ${describe(world)}`);
}

function describe(world: World): string {
  const lines = [...world.documents.values()].flatMap(({ value }) =>
    world.partitions.map((partition) => {
      const { sink, source, intervals } = entryOf(value, partition);
      const topic = world.sinkLog(value.incarnation, partition);
      const log = world.sourceLog(partition);
      return (
        `${value.incarnation}/${partition} s=${source} n=${sink} of ${topic?.first}..${topic?.end} ` +
        `${JSON.stringify(intervals)} source ${log.first}..${log.end} staged=${value.staged.length} ` +
        `parked=${value.parked.length} importing=${value.importing?.number} ` +
        `ledger=${JSON.stringify(world.tables.ledger.get(value.incarnation))}`
      );
    }),
  );
  return lines.join('; ');
}
