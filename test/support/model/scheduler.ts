import type { Incarnation } from '../../../src/core/ids.ts';
import { collector } from './collector.ts';
import { importer } from './importer.ts';
import { mapper } from './mapper.ts';
import { reader } from './reader.ts';
import { stranger } from './stranger.ts';
import { found, type ModelActor, type Step, type World } from './world.ts';

/** A place that somebody owns: the assignment says who, and may be wrong about it. */
export interface Slot {
  readonly name: string;
  readonly make: (world: World) => Step;
}

/** All places that need an owner now. */
export function slots(world: World): readonly Slot[] {
  const all: Slot[] = world.partitions.map((partition) => ({
    name: `map ${partition}`,
    make: (own) => mapper(own, partition),
  }));
  for (const incarnation of world.documents.keys()) all.push(...sinkSlots(world, incarnation));
  return all;
}

function sinkSlots(world: World, incarnation: Incarnation): readonly Slot[] {
  const read = world.partitions.map((partition) => ({
    name: `read ${incarnation}/${partition}`,
    make: (own: World) => reader(own, incarnation, partition),
  }));
  return [...read, { name: `import ${incarnation}`, make: (own) => importer(own, incarnation) }];
}

export const collecting: Slot = { name: 'collect', make: collector };
/** Of another installation. */
export const intruding: Slot = { name: 'stranger', make: stranger };

export function owners(world: World, slot: Pick<Slot, 'name'>): ModelActor[] {
  const known = world.actors.get(slot.name);
  if (known !== undefined) return known;
  const empty: ModelActor[] = [];
  world.actors.set(slot.name, empty);
  return empty;
}

export function addActor(world: World, slot: Slot): ModelActor {
  const actor = { id: world.serial(), step: slot.make(world), asleep: false };
  owners(world, slot).push(actor);
  return actor;
}

/** Steps an actor; one that has ended leaves its place. */
export function runActor(world: World, name: string, { actor, steps }: { actor: ModelActor; steps: number }): void {
  for (let step = 0; step < steps; step += 1) {
    world.clock += 1;
    if (actor.step.next().done !== true) continue;
    const place = owners(world, { name });
    const at = place.indexOf(actor);
    if (at !== -1) place.splice(at, 1);
    return;
  }
}

/** Every actor with the name of its place. */
export function everyone(world: World): readonly { readonly name: string; readonly actor: ModelActor }[] {
  return [...world.actors].flatMap(([name, actors]) => actors.map((actor) => ({ name, actor })));
}

export function pick<Item>(world: World, items: readonly Item[]): Item {
  return found(items[world.choose(items.length)], 'choice');
}
