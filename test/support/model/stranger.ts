import { parseIncarnation, type Incarnation } from '../../../src/core/ids.ts';
import { namedObjects } from '../../../src/core/progress/seal.ts';
import { Violation } from './violation.ts';
import { lease, type Installation, type Step, type World } from './world.ts';

/** Whether the stores may be removed from: never while their mark cannot be read. */
export function isOurs(world: World, installation: Installation): boolean {
  if (!world.rules.looksAtMark) return true;
  if (world.fate() !== 'fine') {
    world.hit('mark unreadable');
    return false;
  }
  const isIt = world.mark === installation;
  if (!isIt) world.hit(`${installation} turned away`);
  return isIt;
}

/**
 * A process of another installation that was pointed at these stores. Its catalog has handed out numbers of its own and names nothing
 * here: it cleans the bucket, and purges a sink of its own whose number one of these sinks has as well.
 */
export function* stranger(world: World): Step {
  yield;
  const incarnation = parseIncarnation(1 + world.choose(world.incarnations + 1));
  yield* world.choose(2) === 0 ? clean(world) : purge(world, incarnation);
}

function* clean(world: World): Step {
  const old = [...world.objects].filter(([, { stamp }]) => stamp < world.clock - lease);
  yield;
  if (!isOurs(world, 'stranger')) return;
  for (const [name, { incarnation }] of old) {
    yield;
    const document = world.documents.get(incarnation);
    if (document !== undefined && namedObjects(document.value).has(name))
      throw new Violation(`object: another installation deletes ${name}, which the document names`);
    world.objects.delete(name);
  }
}

function* purge(world: World, incarnation: Incarnation): Step {
  yield;
  if (!isOurs(world, 'stranger')) return;
  if (world.documents.has(incarnation))
    throw new Violation(`topic: another installation deletes topic and ledger row of ${incarnation}`);
}
