import type { Incarnation } from '../../../src/core/ids.ts';
import { FailureWatch } from '../../../src/core/progress/failure-watch.ts';
import { giveUp, noteFailing, parkDamaged } from '../../../src/core/progress/parked.ts';
import {
  isRefused,
  type ParkedSlice,
  type Refused,
  type SinkProgress,
  type StagedSlice,
} from '../../../src/core/progress/sink-progress.ts';
import { Violation } from './violation.ts';
import { keptSteps, longestPause, stepMs, type Answer, type Shadow, type Step, type World } from './world.ts';

const code = 'table.invalidContent';
/** Much longer than the tries of all damaged slices by all importers take: else nothing is left for those that are whole. */
const longestBackoff = 4000;

/** What one importer remembers of damaged slices, and what dies with it. */
export class DamageMemory {
  readonly watch = new FailureWatch(longestPause * stepMs);
  readonly #world: World;
  /** By slice id, when it is tried again. */
  readonly #tries = new Map<string, { readonly waits: number; readonly at: number }>();

  constructor(world: World) {
    this.#world = world;
  }

  failed(id: string): void {
    const { clock } = this.#world;
    const waits = Math.min(longestBackoff, 2 * (this.#tries.get(id)?.waits ?? 4));
    this.#tries.set(id, { waits, at: clock + waits });
  }

  /** The parked slice whose turn it is; while there is trouble, by chance. */
  due({ parked }: SinkProgress): ParkedSlice | undefined {
    const { clock, settling, rules } = this.#world;
    if (!rules.triesDamagedAgain) return undefined;
    const isDue = (id: string): boolean => !settling || clock >= (this.#tries.get(id)?.at ?? 0);
    const slice = parked.find(({ id, damage }) => damage !== undefined && isDue(id));
    return slice === undefined || (!settling && this.#world.choose(3) !== 0) ? undefined : slice;
  }
}

interface Failed {
  readonly incarnation: Incarnation;
  readonly slice: StagedSlice;
}

/** A slice has failed alone: it is parked, and given up when it has failed for long. */
export function* parkFailed(world: World, memory: DamageMemory, { incarnation, slice }: Failed): Step {
  memory.failed(slice.id);
  const change = { sliceId: slice.id, at: world.wall, damage: { code, message: '' } };
  if ((yield* transit(world, incarnation, { transition: (value) => parkDamaged(value, change) })) !== 'ok') return;
  world.hit('parked for its content');
  if (!world.tables.everPoisoned.has(slice.id))
    throw new Violation(`isolation: slice ${slice.id} of ${incarnation} is parked, and nothing was wrong with it`);
  if (!world.firstFailed.has(slice.id)) world.firstFailed.set(slice.id, world.clock);
  const seen = { code, now: world.wall, ranMs: world.clock * stepMs };
  const observe = (one: StagedSlice) => (one.id === slice.id ? memory.watch.observe(one, seen) : undefined);
  yield* transit(world, incarnation, { transition: (value) => noteFailing(value, observe) });
  yield* giveUpLasting(world, { incarnation, slice });
}

function* giveUpLasting(world: World, { incarnation, slice: { id, partition } }: Failed): Step {
  const transition = (value: SinkProgress): SinkProgress | undefined | Refused => {
    const failing = value.parked.find((one) => one.id === id)?.failing;
    return world.rules.hasLasted(failing, world.wall, keptSteps * stepMs) ? giveUp(value, id) : undefined;
  };
  const shadow = { kind: 'givenUp', partition, sliceId: id } as const;
  const answer = yield* transit(world, incarnation, { transition, shadow });
  if (answer !== 'ok') return;
  world.hit('given up');
  const lasted = world.clock - (world.firstFailed.get(id) ?? world.clock);
  if (lasted < keptSteps) throw new Violation(`early: slice ${id} of ${incarnation} is given up after ${lasted} steps`);
}

interface Change {
  readonly transition: (value: SinkProgress) => SinkProgress | Refused | undefined;
  readonly shadow?: Shadow;
}

function* transit(
  world: World,
  incarnation: Incarnation,
  { transition, shadow }: Change,
): Generator<undefined, Answer | undefined, undefined> {
  yield;
  const document = world.read(incarnation);
  const after = document === undefined ? undefined : transition(document.value);
  if (document === undefined || after === undefined || isRefused(after)) return undefined;
  yield;
  return world.compareAndSet(incarnation, document, {
    value: after,
    shadows: [...document.shadows, ...(shadow === undefined ? [] : [shadow])],
  });
}
