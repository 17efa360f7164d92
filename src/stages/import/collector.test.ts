import { expect, it } from 'vitest';
import { DeliveryWorld, never, type WorldSink } from '../../../test/support/faults/delivery-world.ts';
import { ownAllBut, ownEverything } from '../../../test/support/own-everything.ts';
import { sliceOf } from '../../../test/support/progress-of.ts';
import { progressId } from '../../documents/document-id.ts';
import { limits } from '../../core/limits.ts';
import { objectName } from '../../core/object-name.ts';
import { seal, uploadStamp } from '../../core/progress/seal.ts';
import { entryOf } from '../../core/progress/sink-progress.ts';
import type { Ownership } from '../../ports/claimable.ts';
import type { ObjectStore } from '../../ports/object-store.ts';
import { Collector } from './collector.ts';

const observer = { objectsCollected: () => undefined };

const hour = 3_600_000;
const year = 365 * 24 * hour;

/** Puts an object whose stamp is the time now. */
async function put(world: DeliveryWorld, sink: WorldSink, unique: string): Promise<string> {
  return putAt(world, sink, { unique, stamp: world.clock.now() });
}

async function putAt(
  world: DeliveryWorld,
  { incarnation }: WorldSink,
  { unique, stamp }: { readonly unique: string; readonly stamp: number },
): Promise<string> {
  const name = objectName({ incarnation, partition: 0, stamp, unique, part: 'rows' });
  await world.ports.objects.put(name, { kind: 'bytes', bytes: Buffer.from('x') }, never);
  return name;
}

/** The store, with some methods replaced. */
function overriding(objects: ObjectStore, methods: Partial<ObjectStore>): ObjectStore {
  return new Proxy(objects, {
    get: (target, property) => {
      const replaced: unknown = Reflect.get(methods, property);
      if (replaced !== undefined) return replaced;
      const member: unknown = Reflect.get(target, property, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}

function collector(
  { ports, clock }: DeliveryWorld,
  objects: ObjectStore = ports.objects,
  ownership: Ownership = ownEverything,
): Collector {
  return new Collector({ ...ports, objects, ownership, clock, observer });
}

it('D6: a document that cannot be read keeps its own objects, and only those', async () => {
  await using world = await DeliveryWorld.open();
  const [broken, healthy] = [await world.addSink('broken'), await world.addSink('healthy')];
  const name = await put(world, broken, 'left');
  await put(world, healthy, 'left');
  await world.put('progress', progressId(broken.incarnation), { not: 'a progress' });
  world.clock.advance(2 * limits.uploadLeaseMs);
  const { objects } = world.ports;
  const brokenFirst = overriding(objects, {
    list: async function* list(_, options) {
      for (const { incarnation } of [broken, healthy]) yield* objects.list(`${incarnation}/`, options);
    },
  });
  await expect(collector(world, brokenFirst).collect(never)).rejects.toMatchObject({ code: 'catalog.invalidDocument' });
  expect(await world.objects()).toEqual([name]);
});

it('U2: nothing goes of a sink whose document only a newer release may write: it may name objects in a way of its own', async () => {
  await using world = await DeliveryWorld.open();
  const sink = await world.addSink();
  const name = await put(world, sink, 'index');
  world.clock.advance(2 * limits.uploadLeaseMs);
  const newer = { format: { version: 9, oldestWriter: 9 }, indexObjects: [name], floor: world.clock.now() };
  await world.put('progress', progressId(sink.incarnation), { ...(await world.progress(sink)), ...newer });
  await expect(collector(world).collect(never)).rejects.toMatchObject({ code: 'catalog.newerDocument' });
  expect(await world.objects()).toEqual([name]);
});

it('D2: an object that a document names stays, however old, and so does one that may still become named', async () => {
  await using world = await DeliveryWorld.open();
  const sink = await world.addSink();
  const named = await put(world, sink, 'named');
  await put(world, sink, 'garbage');
  const slice = sliceOf({ id: 'a', from: -1, to: 0, rowsObject: { name: named, bytes: 1 } });
  await world.change(sink, (progress) => {
    const counts = { filtered: 0, holes: 0, none: 0 };
    const positions = { partition: 0, base: entryOf(progress, 0), sink: 1, source: 0 };
    return seal(progress, { ...positions, ...counts, slice, stamp: world.clock.now() });
  });
  world.clock.advance(2 * limits.uploadLeaseMs);
  const young = await put(world, sink, 'young');
  expect(await collector(world).collect(never)).toBe(1);
  expect((await world.objects()).toSorted()).toEqual([named, young].toSorted());
});

it('D2: before anything is deleted no seal with such a stamp is accepted any more', async () => {
  await using world = await DeliveryWorld.open();
  const sink = await world.addSink();
  const stamp = world.clock.now();
  await put(world, sink, 'late');
  world.clock.advance(2 * limits.uploadLeaseMs);
  const floors: number[] = [];
  const { objects } = world.ports;
  const watched = overriding(objects, {
    delete: async (name, options) => {
      floors.push((await world.progress(sink)).floor);
      await objects.delete(name, options);
    },
  });
  expect(await collector(world, watched).collect(never)).toBe(1);
  expect(floors).toHaveLength(1);
  expect(floors[0]).toBeGreaterThan(stamp);
});

it('D2: a slice that is sealed between the listing and the floor keeps its objects', async () => {
  await using world = await DeliveryWorld.open();
  const sink = await world.addSink();
  const name = await put(world, sink, 'late');
  const stamp = world.clock.now();
  world.clock.advance(2 * limits.uploadLeaseMs);
  const { objects } = world.ports;
  const sealing = overriding(objects, {
    list: async function* list(prefix, options) {
      yield* objects.list(prefix, options);
      const slice = sliceOf({ id: 'a', from: -1, to: 0, rowsObject: { name, bytes: 1 } });
      await world.change(sink, (progress) => {
        const counts = { filtered: 0, holes: 0, none: 0 };
        const positions = { partition: 0, base: entryOf(progress, 0), sink: 1, source: 0 };
        return seal(progress, { ...positions, ...counts, slice, stamp });
      });
    },
  });
  expect(await collector(world, sealing).collect(never)).toBe(0);
  expect(await world.objects()).toEqual([name]);
});

it('D2: another catalog removes nothing below a prefix that has the mark of the first', async () => {
  await using world = await DeliveryWorld.open();
  await using stranger = await DeliveryWorld.open();
  const sink = await world.addSink();
  await stranger.addSink();
  const live = await put(world, sink, 'live');
  const { objects } = world.ports;
  const foreign = ownAllBut(new Set(['staging']));
  world.clock.advance(2 * limits.uploadLeaseMs);
  stranger.clock.advance(2 * limits.uploadLeaseMs);
  expect(await collector(stranger, objects, foreign).collect(never)).toBe(0);
  expect(await world.objects()).toEqual([live]);
});

it('D2: objects of an incarnation that the catalog never handed out are no garbage', async () => {
  await using world = await DeliveryWorld.open();
  await using stranger = await DeliveryWorld.open();
  const [first, second] = [await world.addSink('first'), await world.addSink('second')];
  await stranger.addSink();
  const known = await put(world, first, 'known');
  const live = await put(world, second, 'live');
  const { objects } = world.ports;
  stranger.clock.advance(2 * limits.uploadLeaseMs);
  expect(await collector(stranger, objects).collect(never)).toBe(1);
  expect(await world.objects()).toEqual([live]);
  expect(known).not.toBe(live);
});

/** A sink whose floor a clock has raised that was a year ahead for a moment. */
async function outlived(world: DeliveryWorld): Promise<WorldSink> {
  const sink = await world.addSink();
  await put(world, sink, 'before');
  world.clock.jump(year);
  expect(await collector(world).collect(never)).toBe(1);
  world.clock.jump(-year);
  return sink;
}

it('D2, D8: what was staged after a clock was ahead goes, and has its whole lease before, with several processes', async () => {
  await using world = await DeliveryWorld.open();
  const sink = await outlived(world);
  const collectors = [collector(world), collector(world)];
  const uploads: { readonly stamp: number; readonly at: number }[] = [];
  for (let hours = 0; hours < 40; hours += 1) {
    const at = world.clock.monotonic();
    const stamp = uploadStamp(world.clock.now(), (await world.progress(sink)).floor);
    uploads.push({ stamp, at });
    await putAt(world, sink, { unique: `upload${hours}`, stamp });
    world.clock.advance(hour);
    for (const one of collectors) await one.collect(never);
    const { floor } = await world.progress(sink);
    const now = world.clock.monotonic();
    const young = uploads.filter((upload) => now - upload.at <= limits.uploadLeaseMs);
    expect(young.filter(({ stamp: made }) => made < floor)).toEqual([]);
    expect(await world.objects(), 'those that may still become named').toHaveLength(
      uploads.filter(({ stamp: made }) => made >= floor).length,
    );
  }
  expect((await world.objects()).length).toBeLessThanOrEqual(15);
});

it('D8: what is left of a sink that is gone goes, though its names are ahead of the clock', async () => {
  await using world = await DeliveryWorld.open();
  const sink = await outlived(world);
  await putAt(world, sink, { unique: 'left', stamp: world.clock.now() + year });
  const found = await world.ports.catalog.get('progress', progressId(sink.incarnation), never);
  await world.ports.catalog.remove('progress', progressId(sink.incarnation), found?.revision ?? 0, never);
  const cleaning = collector(world);
  for (let hours = 0; hours < 8; hours += 1) {
    await cleaning.collect(never);
    world.clock.advance(hour);
  }
  expect(await world.objects()).toEqual([]);
});
