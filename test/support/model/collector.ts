import type { Incarnation } from '../../../src/core/ids.ts';
import { namedObjects } from '../../../src/core/progress/seal.ts';
import { isRefused } from '../../../src/core/progress/sink-progress.ts';
import { isOurs } from './stranger.ts';
import { Violation } from './violation.ts';
import { lease, type Step, type World } from './world.ts';

/** Rule 5: one round of the clean-up. */
export function* collector(world: World): Step {
  yield;
  const below = world.clock - lease;
  if (!isOurs(world, 'own')) return;
  yield;
  const old = [...world.objects].filter(([, { stamp }]) => stamp < below);
  for (const incarnation of new Set(old.map(([, object]) => object.incarnation))) {
    const named = yield* namedAtFloor(world, incarnation, below);
    for (const [name, object] of old) {
      if (object.incarnation !== incarnation || named.has(name)) continue;
      yield;
      const now = world.read(incarnation, { fresh: true });
      if (now !== undefined && namedObjects(now.value).has(name))
        throw new Violation(`object: the clean-up deletes ${name}, which the document names`);
      if (world.objects.delete(name)) world.hit('object collected');
    }
  }
}

function* namedAtFloor(
  world: World,
  incarnation: Incarnation,
  below: number,
): Generator<undefined, ReadonlySet<string>, undefined> {
  for (;;) {
    yield;
    const document = world.read(incarnation);
    if (document === undefined) return new Set();
    const raised = world.rules.raiseFloor(document.value, below);
    if (isRefused(raised)) return namedObjects(document.value);
    yield;
    const { shadows } = document;
    if (world.compareAndSet(incarnation, document, { value: raised, shadows }) === 'ok') return namedObjects(raised);
  }
}
