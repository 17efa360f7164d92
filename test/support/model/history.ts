import { actions } from './actions.ts';
import { randomNumbers, recordingDraw, replayingDraw, type Draw } from './draw.ts';
import { actionTables, mixes, type Mix } from './mixes.ts';
import { create } from './operator.ts';
import type { Rules } from './rules.ts';
import { quiesce, runToEnd, type Ending } from './settle.ts';
import { shrinkTrace } from './shrink.ts';
import { Exhausted, Violation } from './violation.ts';
import { World } from './world.ts';

export interface History {
  readonly rules: Rules;
  readonly mix: Mix;
  readonly ending: Ending;
  readonly draw: Draw;
  readonly verbose?: boolean;
}

export interface Ended {
  /** Absent when everything held. */
  readonly violation?: string;
  readonly world: World;
}

/** Runs one history to its end. What our own functions throw counts as a violation, too. */
export function runHistory({ rules, mix, ending, draw, verbose = false }: History): Ended {
  const world = new World(rules, draw, { verbose });
  try {
    randomPhase(world, mix);
    world.draw = () => 0;
    quiesce(world, ending);
    return { world };
  } catch (thrown) {
    if (!(thrown instanceof Error)) throw thrown;
    return {
      world,
      violation: thrown instanceof Violation ? thrown.message : `thrown: ${thrown.stack ?? thrown.message}`,
    };
  }
}

function randomPhase(world: World, mix: Mix): void {
  const table = actionTables[mix];
  try {
    const sinks = world.sinkNames > 1 ? 1 + world.choose(3) : 1;
    for (let name = 0; name < sinks; name += 1) runToEnd(create(world, name));
    for (;;) {
      const action = table[world.draw(table.length, true)];
      if (action !== undefined) actions[action](world);
    }
  } catch (thrown) {
    if (!(thrown instanceof Exhausted)) throw thrown;
  }
}

export interface Search {
  readonly rules: Rules;
  readonly seed: number;
  /** Of the seed, the first that is run. Default: 0. */
  readonly from?: number;
  readonly count: number;
  readonly only?: Mix;
  /** False: the first violation is told as it was found, long but at once. */
  readonly shrink?: boolean;
}

export interface Searched {
  readonly done: number;
  /** How often what happened in all histories. */
  readonly seen: ReadonlyMap<string, number>;
  readonly found?: { readonly index: number; readonly violation: string; readonly log: readonly string[] };
}

const lengths = [20, 40, 80, 160, 320];

/** Runs the histories of a seed until one breaks; that one is shrunk and told step by step. */
export function search({ rules, seed, from = 0, count, only, shrink = true }: Search): Searched {
  const seen = new Map<string, number>();
  const kinds = only === undefined ? mixes : [only];
  for (let index = from; index < from + count; index += 1) {
    const random = randomNumbers(Math.imul(seed, 1_000_003) + index);
    const mix = kinds[index % kinds.length] ?? 'all';
    const ending = (Math.floor(index / kinds.length) % 3) as Ending;
    const trace: number[] = [];
    const length = lengths[Math.floor(random() * lengths.length)] ?? 20;
    const { violation, world } = runHistory({ rules, mix, ending, draw: recordingDraw(random, length, trace) });
    for (const [what, times] of world.seen) seen.set(what, (seen.get(what) ?? 0) + times);
    if (violation === undefined) continue;
    const run = (shorter: readonly number[], verbose = false): Ended =>
      runHistory({ rules, mix, ending, draw: replayingDraw(shorter), verbose });
    const shortest = shrink
      ? shrinkTrace(trace, (shorter) => kindOf(run(shorter).violation) === kindOf(violation))
      : trace;
    const told = run(shortest, true);
    const text = `[${mix}, ending ${ending}] ${told.violation ?? violation}`;
    return { done: index + 1 - from, seen, found: { index, violation: text, log: told.world.log ?? [] } };
  }
  return { done: count, seen };
}

function kindOf(violation: string | undefined): string | undefined {
  return violation?.split(':')[0];
}
