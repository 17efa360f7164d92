import { forgoLost } from './lost.ts';
import { change, create, flush, purge, switchSink } from './operator.ts';
import { addActor, collecting, everyone, intruding, owners, pick, runActor, slots } from './scheduler.ts';
import { keptSteps, lease, type Step, type World } from './world.ts';

/** What may happen next in a random history. */
export const actions = {
  step(world: World): void {
    const busy = [...world.actors].filter(([name, actors]) => isTransient(name) && actors.length > 0);
    const places = [...slots(world), ...busy.map(([name]) => ({ name, make: nothing }))];
    const slot = pick(world, places);
    const place = owners(world, slot);
    if (place.length === 0) addActor(world, slot);
    const actor = pick(world, place);
    if (!actor.asleep) runActor(world, slot.name, { actor, steps: 2 ** world.choose(5) });
  },
  produce(world: World): void {
    const partition = pick(world, world.partitions);
    for (let left = 1 + world.choose(3); left > 0; left -= 1) {
      // False: a transaction marker, an aborted or a compacted record.
      const isEvent = world.choose(6) !== 0;
      world.namedLog(partition).append(isEvent);
      if (world.remade === undefined) world.kept[partition]?.push(isEvent);
    }
    world.say('produce', partition, 'end', world.namedLog(partition).end);
  },
  /** The source topic is deleted and made again under its name, and grows; or what was before is restored. */
  remake(world: World): void {
    const restored = world.remade !== undefined;
    if (restored) world.restoreSource();
    else world.remade = new Map();
    world.say(restored ? 'source restored' : 'source made anew');
    world.hit('source made anew');
    if (restored) return;
    for (const partition of world.partitions)
      for (let left = world.choose(12); left > 0; left -= 1) world.namedLog(partition).append(true);
  },
  /** A producer begins a transaction, writes into one, or ends it. */
  transact(world: World): void {
    const partition = pick(world, world.partitions);
    const log = world.sourceLog(partition);
    if (world.remade !== undefined) return;
    const open = log.openTransactions;
    const what = world.choose(5);
    if (open === 0 || (what === 0 && open < 2)) log.begin();
    else if (what < 3) log.extend(world.choose(open));
    else {
      world.endTransaction(partition, world.choose(open), what === 3 ? 'commit' : 'abort');
      return;
    }
    world.kept[partition]?.push(true);
    world.say('in a transaction', partition, 'stable', log.stableEnd, 'end', log.end);
  },
  /** Somebody else leads a partition of the source: one that has all of it, or one that has lost its end. */
  elect(world: World): void {
    const partition = pick(world, world.partitions);
    const log = world.sourceLog(partition);
    if (world.remade !== undefined || log.openTransactions > 0) return;
    const from = Math.max(log.first, log.end - world.choose(5));
    if (from < log.end) world.hit('source cut');
    log.elect(from);
    const kept = world.kept[partition];
    if (kept !== undefined) kept.length = from;
    world.say('elected', partition, 'from', from);
  },
  crash(world: World): void {
    withActor(world, 'crash', ({ name, actor }) => {
      const place = owners(world, { name });
      place.splice(place.indexOf(actor), 1);
    });
  },
  rebalance(world: World): void {
    const slot = pick(world, slots(world));
    if (owners(world, slot).length < 3) world.say('owner', slot.name, addActor(world, slot).id);
  },
  sleep(world: World): void {
    withActor(world, 'sleep', ({ actor }) => {
      actor.asleep = true;
    });
  },
  wake(world: World): void {
    withActor(world, 'wake', ({ actor }) => {
      actor.asleep = false;
    });
  },
  operate(world: World): void {
    startOperation(world, operation(world, world.choose(world.sinkNames)));
  },
  /** Somebody gives a sink another mapping, which takes some of what the one before refused. */
  mend(world: World): void {
    startOperation(world, change(world, world.choose(world.sinkNames)));
  },
  /** An importer looks whether what a deleted incarnation wants is lost. */
  forgo(world: World): void {
    startOperation(world, forgoLost(world));
  },
  trimSource(world: World): void {
    const partition = pick(world, world.partitions);
    const log = world.sourceLog(partition);
    if (log.isEmpty || world.remade !== undefined) return;
    // Nothing of an open transaction goes.
    log.trim(Math.min(1 + world.choose(4), log.stableEnd - log.first));
    world.say('trim source', partition, 'first', log.first);
  },
  damageSink(world: World): void {
    const full = [...world.topics].flatMap(([incarnation, topic]) =>
      topic.flatMap((log, partition) => (log.isEmpty ? [] : [{ incarnation, log, partition }])),
    );
    if (full.length === 0) return;
    const { incarnation, log, partition } = pick(world, full);
    world.damagedSink.add(`${incarnation}/${partition}`);
    if (world.choose(2) === 0) {
      log.trim(1 + world.choose(6));
      world.say('trim sink', incarnation, partition, 'first', log.first);
      return;
    }
    const from = log.first + world.choose(log.end - log.first);
    const to = Math.min(log.end, from + 1 + world.choose(3));
    for (let offset = from; offset < to; offset += 1) log.lose(offset);
    world.say('sink lost', incarnation, partition, 'from', from, 'to', to);
    world.hit('sink topic lost its middle');
  },
  collect(world: World): void {
    if (owners(world, collecting).length < 2) addActor(world, collecting);
    world.clock += world.choose(3) * lease;
  },
  intrude(world: World): void {
    if (owners(world, intruding).length < 1) addActor(world, intruding);
    world.clock += world.choose(2) * lease;
  },
  late(world: World): void {
    if (world.late.length === 0) return;
    const [request] = world.late.splice(world.choose(world.late.length), 1);
    world.say('late', request?.what);
    world.hit(`late ${request?.what}`);
    request?.act();
  },
  spoil(world: World): void {
    const { poisoned, everPoisoned, misfits } = world.tables;
    const [incarnations, what] = [[...world.documents.keys()], world.choose(5)];
    const [first] = what < 3 ? poisoned : misfits;
    if (first !== undefined && world.choose(2) === 1) {
      poisoned.delete(first);
      misfits.delete(first);
    } else if (what < 3 && world.objects.size > 0) {
      const id = pick(world, [...world.objects.keys()]).replace(/\..*$/, '');
      poisoned.add(id);
      everPoisoned.add(id);
    } else if (incarnations.length > 0) {
      misfits.add(`${pick(world, incarnations)}/${1 + world.choose(3)}`);
    }
  },
  /** Somebody removes dead letters for good. */
  purgeLetters(world: World): void {
    const { dead } = world.tables;
    if (dead.length === 0) return;
    const from = world.choose(dead.length);
    world.tables.purge(dead.slice(from, from + 1 + world.choose(2)));
    world.hit('dead letters purged');
  },
  setClock(world: World): void {
    world.wallAhead += (world.choose(5) - 1) * keptSteps;
    world.say('clock set', world.wallAhead);
  },
  grow(world: World): void {
    if (world.partitions.length >= 4) return;
    world.addPartition();
    world.say('partition added', world.partitions.length - 1);
  },
} as const satisfies Record<string, (world: World) => void>;

export type Action = keyof typeof actions;

/** Operations, rounds of the collector and strangers: nobody starts them again. */
export function isTransient(name: string): boolean {
  return name.startsWith('operation') || name === collecting.name || name === intruding.name;
}

function* nothing(): Step {
  yield;
}

function withActor(world: World, what: string, act: (chosen: ReturnType<typeof everyone>[number]) => void): void {
  const all = everyone(world);
  if (all.length === 0) return;
  const chosen = pick(world, all);
  world.say(what, chosen.name, chosen.actor.id);
  act(chosen);
}

function operation(world: World, name: number): Step {
  switch (world.choose(10)) {
    case 0:
    case 1:
      return create(world, name);
    case 2:
    case 3:
      return switchSink(world, name, 'disable');
    case 4:
    case 5:
      return switchSink(world, name, 'enable');
    case 6:
      return switchSink(world, name, 'delete');
    case 7:
      return change(world, name);
    case 8:
      return flush(world, name);
    default:
      return purge(world);
  }
}

function startOperation(world: World, step: Step): void {
  const actor = { id: world.serial(), step, asleep: false };
  const name = `operation ${actor.id}`;
  owners(world, { name }).push(actor);
  if (world.choose(2) === 0) runActor(world, name, { actor, steps: 30 });
}
