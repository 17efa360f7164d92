import type { Incarnation } from '../../../src/core/ids.ts';
import type { ImportAttempt, SinkProgress, StagedObject } from '../../../src/core/progress/sink-progress.ts';
import { Violation } from './violation.ts';
import type { World } from './world.ts';

interface NeededObjects {
  readonly objects: readonly (StagedObject | undefined)[];
  readonly isRunning: (value: SinkProgress) => boolean;
}

/** False when they are gone because somebody else has brought the import to its end. */
export function requireObjects(world: World, incarnation: Incarnation, { objects, isRunning }: NeededObjects): boolean {
  const gone = objects.find((object) => object !== undefined && !world.objects.has(object.name));
  if (gone === undefined) return true;
  const now = world.read(incarnation, { fresh: true });
  if (now !== undefined && isRunning(now.value))
    throw new Violation(`object: ${gone.name} is gone while an import needs it`);
  return false;
}

export type Verdict = 'loaded' | 'abandoned';

export function ledgerVerdict(
  world: World,
  incarnation: Incarnation,
  { number, id }: ImportAttempt,
): Verdict | undefined {
  const row = world.tables.ledger.get(incarnation);
  return row?.number === number && row.id === id ? row.verdict : undefined;
}

/** Through the ledger, so that nobody loads it any more; answers what the ledger says. */
export function* giveImportUp(
  world: World,
  incarnation: Incarnation,
  running: ImportAttempt,
): Generator<undefined, Verdict | undefined, undefined> {
  if (!world.rules.ledgerBeforeGivingUp) return 'abandoned';
  yield;
  world.tables.abandon(incarnation, running);
  yield;
  return ledgerVerdict(world, incarnation, running);
}
