import type { Incarnation } from '../../../src/core/ids.ts';
import { noteCut } from '../../../src/core/progress/cut.ts';
import { isRefused } from '../../../src/core/progress/sink-progress.ts';
import type { Step, World } from './world.ts';

/** What a sink has an outcome for, and the epoch of the source that it was read in. */
export interface Standing {
  readonly incarnation: Incarnation;
  readonly partition: number;
  readonly position: number;
  readonly epoch: number | undefined;
}

/** Asks the source whether it still has what was read at the position, and writes down when it has not. */
export function* isHeld(
  world: World,
  { incarnation, partition, position, epoch }: Standing,
): Generator<undefined, boolean, undefined> {
  if (epoch === undefined) return true;
  yield;
  // Another topic has epochs of its own: it is asked again later.
  if (world.remade !== undefined) return false;
  const found = world.namedLog(partition).epochEnd(epoch);
  const cut = world.rules.cutBelow({ position, epoch }, found);
  if (cut === undefined) return true;
  yield* writeCut(world, { incarnation, partition, cut });
  world.hit('cut seen by a mapper');
  return false;
}

export interface Cut {
  readonly incarnation: Incarnation;
  readonly partition: number;
  readonly cut: number;
}

/** Writes into the document that the source has lost what was taken, until the answer is clear. */
export function* writeCut(world: World, { incarnation, partition, cut }: Cut): Step {
  for (let isWritten = false; !isWritten;) {
    yield;
    const document = world.read(incarnation, { fresh: true });
    if (document === undefined) return;
    const value = noteCut(document.value, { partition, cut });
    if (isRefused(value)) return;
    yield;
    isWritten = world.compareAndSet(incarnation, document, { value, shadows: document.shadows }) === 'ok';
    world.say('cut noted', incarnation, partition, cut, isWritten);
  }
}
