import { sliceCount, type Seal } from '../../../src/core/progress/seal.ts';
import {
  entryOf,
  isRefused,
  type Refused,
  type SinkProgress,
  type StagedSlice,
} from '../../../src/core/progress/sink-progress.ts';
import type { Held } from './held.ts';
import type { Reading } from './reader.ts';
import { lease, mostStaged, type Step, type Stored, type World } from './world.ts';

const most = 3;

interface Closed {
  readonly held: Held;
  /** Undefined until its lines are uploaded. */
  change: Seal | undefined;
}

/**
 * Rule 3: the slices of one owner that are being sealed while it reads on. Uploads run side by side; those that are uploaded, in
 * their order, share one compare-and-set. Each rests on the one before: when one cannot be sealed, all is lost that follows.
 */
export class Behind {
  readonly #world: World;
  readonly #works = new Set<Step>();
  #queue: readonly Closed[] = [];
  #isWriting = false;
  /** The owner drops everything and starts again from the document. */
  isLost = false;

  constructor(world: World) {
    this.#world = world;
  }

  get count(): number {
    return this.#queue.length;
  }

  get hasRoom(): boolean {
    return this.#queue.length < most;
  }

  /** What is under way: any of them may go on next. */
  get works(): readonly Step[] {
    return [...this.#works];
  }

  /** Does a step of some work. */
  step(work: Step): void {
    if (work.next().done === true) this.#works.delete(work);
  }

  /** Begins to seal what the reading holds. */
  add(reading: Reading): void {
    const closed: Closed = { held: reading.held, change: undefined };
    this.#queue = [...this.#queue, closed];
    if (this.#queue.length > 1) this.#world.hit('slices side by side');
    this.#works.add(this.#carry(reading, closed));
  }

  *#carry(reading: Reading, closed: Closed): Step {
    const world = this.#world;
    const { held } = closed;
    if (held.hasLines && sliceCount(reading.document.value) >= mostStaged) {
      world.hit('staging is full');
      this.isLost = true;
      return;
    }
    const { partition, skew } = reading;
    const stamp = Math.max(world.clock - skew, reading.document.value.floor + lease);
    const slice = held.hasLines ? sliceOf(reading, held) : undefined;
    if (slice !== undefined) yield* upload(reading, { held, slice, stamp });
    const { sink, source, epoch, entry: base } = held;
    closed.change = {
      partition,
      base,
      sink,
      source,
      epoch,
      stamp,
      ...held.counts,
      ...(slice === undefined ? {} : { slice }),
    };
    if (this.#isWriting) return;
    this.#isWriting = true;
    for (let ready = this.#ready(); ready.length > 0 && !this.isLost; ready = this.#ready())
      yield* this.#write(reading, ready);
    this.#isWriting = false;
  }

  #ready(): readonly Closed[] {
    const isReady = ({ change }: Closed): boolean => change !== undefined;
    if (!this.#world.rules.sealsInOrder) return this.#queue.filter(isReady);
    const waiting = this.#queue.findIndex((closed) => !isReady(closed));
    return waiting === -1 ? this.#queue : this.#queue.slice(0, waiting);
  }

  /** The compare-and-set, until it is clear. */
  *#write(reading: Reading, ready: readonly Closed[]): Step {
    const world = this.#world;
    const { incarnation, partition } = reading;
    const changes = ready.map(({ change }) => change).filter((change) => change !== undefined);
    for (let before: Stored | undefined = reading.document; before !== undefined;) {
      const value = sealAll(world, before.value, changes);
      if (isRefused(value)) {
        if (value.code !== undefined) world.hit(value.code);
        break;
      }
      yield;
      const shadows = [...before.shadows, ...ready.flatMap(({ held }) => held.shadows(partition))];
      const answer = world.compareAndSet(incarnation, before, { value, shadows });
      world.say('   seal', incarnation, partition, changes.map(told).join(', '), answer);
      if (answer === 'ok') {
        if (ready.length > 1) world.hit('several sealed at once');
        reading.document = world.documents.get(incarnation) ?? before;
        this.#queue = this.#queue.filter((closed) => !ready.includes(closed));
        return;
      }
      if (!world.rules.leavesObjects) {
        yield;
        for (const { slice } of changes)
          for (const object of [slice?.rowsObject, slice?.deadObject])
            if (object !== undefined) world.objects.delete(object.name);
        break;
      }
      yield;
      before = world.read(incarnation);
      if (before !== undefined) world.hit('seal tried again');
    }
    world.hit('seal refused');
    if (this.#queue.length > 1) world.hit('slices behind dropped');
    this.isLost = true;
  }
}

function told({ base, sink, source }: Seal): string {
  return `n ${base.sink}>${sink} s ${base.source}>${source}`;
}

function sealAll(world: World, progress: SinkProgress, changes: readonly Seal[]): SinkProgress | Refused {
  const { rules } = world;
  let sealed = progress;
  for (const [index, change] of changes.entries()) {
    const stamp = index > 0 && !rules.looksAtEachStamp ? Number.POSITIVE_INFINITY : change.stamp;
    const isOwn = rules.sealsInOrder && (index === 0 || rules.comparesEachEntry);
    const base = isOwn ? change.base : entryOf(sealed, change.partition);
    const after = rules.seal(sealed, { ...change, base, stamp });
    if (!isRefused(after)) sealed = after;
    else if (index === 0 || rules.dropsWhatFollows) return after;
  }
  return sealed;
}

function sliceOf({ world, partition }: Reading, held: Held): StagedSlice {
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

interface Upload {
  readonly held: Held;
  readonly slice: StagedSlice;
  readonly stamp: number;
}

function* upload({ world, incarnation }: Reading, { held, slice, stamp }: Upload): Step {
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
