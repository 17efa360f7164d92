import { entryOf, isRefused, sameEntry, type StagedSlice } from '../../../src/core/progress/sink-progress.ts';
import { sliceCount, type Seal } from '../../../src/core/progress/seal.ts';
import { Held } from './held.ts';
import type { Reading } from './reader.ts';
import { mostStaged, type Step } from './world.ts';

/** Rule 3: uploads, then the compare-and-set until it is clear. False: the reader starts again from the document. */
export function* sealHeld(reading: Reading): Generator<undefined, boolean, undefined> {
  const { world, incarnation, partition, held } = reading;
  const stamp = world.clock - reading.skew;
  if (held.hasLines && !(yield* waitForRoom(reading))) return false;
  const slice = held.hasLines ? sliceOf(reading) : undefined;
  if (slice !== undefined) yield* upload(reading, slice, stamp);
  const { sink, source, entry: base } = held;
  const change: Seal = {
    partition,
    base,
    sink,
    source,
    stamp,
    ...held.counts,
    ...(slice === undefined ? {} : { slice }),
  };
  for (;;) {
    const before = reading.document;
    const value = world.rules.seal(before.value, change);
    if (isRefused(value)) {
      world.hit('seal refused');
      return false;
    }
    yield;
    const shadows = [...before.shadows, ...held.shadows(partition)];
    const answer = world.compareAndSet(incarnation, before, { value, shadows });
    world.say('   seal', incarnation, partition, `n ${base.sink}>${sink} s ${base.source}>${source}`, answer);
    if (answer === 'ok') {
      const document = world.documents.get(incarnation) ?? before;
      reading.document = document;
      reading.held = new Held(entryOf(document.value, partition));
      return true;
    }
    if (!world.rules.leavesObjects && slice !== undefined) {
      yield;
      for (const object of [slice.rowsObject, slice.deadObject])
        if (object !== undefined) world.objects.delete(object.name);
      return false;
    }
    yield;
    const now = world.read(incarnation);
    if (now === undefined) return false;
    reading.document = now;
    world.hit('seal tried again');
  }
}

/** Staging waits when too much waits in it; the log keeps the outcomes. */
function* waitForRoom(reading: Reading): Generator<undefined, boolean, undefined> {
  const { world, incarnation, partition, held } = reading;
  while (sliceCount(reading.document.value) >= mostStaged) {
    yield;
    const now = world.read(incarnation);
    if (now === undefined || !sameEntry(entryOf(now.value, partition), held.entry)) return false;
    reading.document = now;
  }
  return true;
}

function sliceOf({ world, partition, held }: Reading): StagedSlice {
  const id = `x${world.serial()}`;
  return {
    id,
    partition,
    mappingVersion: held.mappingVersion ?? 0,
    from: held.entry.source,
    to: held.source,
    rows: held.rows.length,
    dead: held.dead.length,
    ...(held.rows.length === 0 ? {} : { rowsObject: { name: `${id}.rows`, bytes: held.rows.length } }),
    ...(held.dead.length === 0 ? {} : { deadObject: { name: `${id}.dead`, bytes: held.dead.length } }),
    firstArrival: 0,
    lastArrival: 0,
    stagedAt: world.clock,
  };
}

function* upload({ world, incarnation, held }: Reading, slice: StagedSlice, stamp: number): Step {
  for (const [object, content] of [
    [slice.rowsObject, held.rows],
    [slice.deadObject, held.dead],
  ] as const) {
    if (object === undefined) continue;
    yield;
    world.objects.set(object.name, { stamp, incarnation });
    world.tables.contents.set(object.name, [...content]);
    world.hit('upload');
  }
}
