import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DeliveryWorld, never } from '../../../test/support/faults/delivery-world.ts';
import { replaced } from '../../../test/support/faults/replaced.ts';
import { defaultBranch, parseIncarnation, parseSinkId, parseSourceId } from '../../core/ids.ts';
import { parseInstallationId } from '../../core/installation-id.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { objectName } from '../../core/object-name.ts';
import { sinkTopic, sourceTopic } from '../../core/topic-name.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { ObjectStore } from '../../ports/object-store.ts';
import { markedLog, markedStaging, markedTables, type MarkedStore } from './marked-store.ts';
import { stagingMark } from './staging-mark.ts';
import { StoreClaims } from './store-claims.ts';

let world: DeliveryWorld;
let other: DeliveryWorld;
let told: string[];
/** Why the owner of a store was not known the last time. */
let reason: string;

beforeEach(async () => {
  [world, other, told] = [await DeliveryWorld.open(), await DeliveryWorld.open(), []];
});

afterEach(async () => {
  await world[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
});

/** A process whose catalog is that of a world. */
function claimsOf(
  { ports }: DeliveryWorld,
  {
    objects = ports.objects,
    stores = [markedStaging(objects)],
    catalog = ports.catalog,
    unconditionally = false,
    onAstray = () => undefined,
  }: {
    catalog?: Catalog;
    onAstray?: (error: MillraceError) => void;
    objects?: ObjectStore;
    stores?: readonly MarkedStore[];
    unconditionally?: boolean;
  } = {},
): StoreClaims {
  return new StoreClaims({
    catalog,
    stores,
    makeId: () => parseInstallationId(randomUUID()),
    observer: {
      storeNotOurs: (store, { code }) => told.push(`${store}: ${code}`),
      storeOurs: (store) => told.push(`${store}: ours`),
      ownerUnknown: (store, { code, message }) => {
        told.push(`${store}: ${code}`);
        reason = message;
      },
    },
    unconditionally,
    onAstray,
  });
}

async function putSlice(objects: ObjectStore, incarnation: number): Promise<void> {
  const place = { incarnation: parseIncarnation(incarnation), partition: 0, stamp: 1, unique: 'x' };
  await objects.put(objectName({ ...place, part: 'rows' }), { kind: 'bytes', bytes: Buffer.from('x') }, never);
}

/** A store that nobody can read from while it is away. */
function flaky(objects: ObjectStore, isAway: () => boolean): ObjectStore {
  return replaced(objects, {
    get: (name, options) => {
      if (isAway()) return Promise.reject(new MillraceError('objects.unavailable', 'away'));
      return objects.get(name, options);
    },
  });
}

it('D6: what nobody has claimed belongs to the first installation, in all of its processes and after a restart', async () => {
  const processes = [claimsOf(world), claimsOf(world)];
  await Promise.all(processes.map((claims) => claims.begin(never)));
  for (const claims of [...processes, claimsOf(world)]) {
    await claims.begin(never);
    expect(await claims.isOurs('staging', never)).toBe(true);
    expect(claims.hindrances).toEqual([]);
  }
  expect(told).toEqual([]);
});

it('D2: another catalog does not start on a marked store, and both ids are named', async () => {
  await claimsOf(world).begin(never);
  const [id] = (await world.objectTexts(stagingMark)).flatMap((text) => /[0-9a-f-]{36}/.exec(text) ?? []);
  const stranger = claimsOf(other, { objects: world.ports.objects });
  await expect(stranger.begin(never)).rejects.toMatchObject({ code: 'installation.foreign' });
  expect(await stranger.isOurs('staging', never)).toBe(false);
  expect(stranger.hindrances).toEqual([expect.stringMatching(new RegExp(`${id}.*[0-9a-f-]{36}$`))]);
  expect(told).toEqual(['staging: installation.foreign']);
});

it('U4: a catalog of newer releases only lets no process of this one start', async () => {
  const format = { version: 2, oldestWriter: 2 };
  await world.put('meta', 'installation', { id: randomUUID(), claimed: [], format });
  await expect(claimsOf(world).begin(never)).rejects.toMatchObject({
    code: 'catalog.newerDocument',
    message: 'the catalog has format 2; this version of the product knows formats up to 1',
  });
  await world.put('meta', 'installation', { id: randomUUID(), claimed: [], format: { ...format, oldestWriter: 1 } });
  await claimsOf(world).begin(never);
});

it('D2: a store without the mark that it had is another store, until an operator says that it is not', async () => {
  await claimsOf(world).begin(never);
  await world.ports.objects.delete(stagingMark, never);
  const claims = claimsOf(world);
  await expect(claims.begin(never)).rejects.toMatchObject({ code: 'installation.unmarked' });
  expect(await claimsOf(world, { unconditionally: true }).claimAll(never)).toEqual(['staging']);
  expect(await claims.isOurs('staging', never)).toBe(true);
  expect(claims.hindrances).toEqual([]);
  expect(told).toEqual(['staging: installation.unmarked', 'staging: ours']);
});

it('D2: a store without a mark that holds what the catalog never handed out is not claimed', async () => {
  const { objects } = world.ports;
  await putSlice(objects, 3);
  await expect(claimsOf(world).begin(never)).rejects.toMatchObject({ code: 'installation.unmarked' });
  for (const sinkId of ['a', 'b', 'c']) await world.addSink(sinkId);
  await claimsOf(world).begin(never);
  expect(await world.objects()).toContain(stagingMark);
});

it('D6: while the mark cannot be read nothing is ours, the process starts, and it heals', async () => {
  await claimsOf(world).begin(never);
  let isAway = true;
  const claims = claimsOf(world, { objects: flaky(world.ports.objects, () => isAway) });
  await claims.begin(never);
  expect(await claims.isOurs('staging', never)).toBe(false);
  expect(claims.hindrances).toEqual([]);
  isAway = false;
  await claims.look(never);
  expect(await claims.isOurs('staging', never)).toBe(true);
  expect(told).toEqual(['staging: objects.unavailable', 'staging: ours']);
});

it('D2: a mark that changes under a process is seen, kept in mind while it cannot be read, and ends its readiness', async () => {
  let isAway = false;
  const { objects } = world.ports;
  const claims = claimsOf(world, { objects: flaky(objects, () => isAway) });
  await claims.begin(never);
  await objects.delete(stagingMark, never);
  await claimsOf(other, { objects }).begin(never);
  await claims.look(never);
  isAway = true;
  expect(await claims.isOurs('staging', never)).toBe(false);
  expect(claims.hindrances).toHaveLength(1);
  expect(told).toEqual(['staging: installation.foreign']);
});

it('D2: a store that was away at the start and is another one ends the process; one that became another one does not', async () => {
  const objects = world.ports.objects;
  await claimsOf(world).begin(never);
  let isAway = true;
  const astray: string[] = [];
  const claims = claimsOf(world, {
    objects: flaky(objects, () => isAway),
    onAstray: ({ code }) => astray.push(code),
  });
  await claims.begin(never);
  await objects.delete(stagingMark, never);
  isAway = false;
  await claims.look(never);
  await claims.look(never);
  expect(astray).toEqual(['installation.unmarked']);
  await claimsOf(world, { unconditionally: true }).claimAll(never);
  await claims.look(never);
  await objects.delete(stagingMark, never);
  await claims.look(never);
  expect(astray).toEqual(['installation.unmarked']);
});

it("D2: a store whose mark names no installation is nobody's", async () => {
  const bytes = Buffer.from('{}');
  await world.ports.objects.put(stagingMark, { kind: 'bytes', bytes }, never);
  await expect(claimsOf(world).begin(never)).rejects.toMatchObject({ code: 'installation.unmarked' });
});

/** A staging store that says where it is, as a bucket does. */
function located({ ports }: DeliveryWorld, location: string): readonly MarkedStore[] {
  return [markedStaging(replaced(ports.objects, { location }))];
}

it('D2: a process with another store of the same installation does not start, and both are named', async () => {
  await claimsOf(world, { stores: located(world, 'bucket "a"') }).begin(never);
  const astray = claimsOf(world, { stores: located(other, 'bucket "b"') });
  await expect(astray.begin(never)).rejects.toMatchObject({
    code: 'installation.elsewhere',
    message: expect.stringMatching(/"staging" of this process is bucket "b", .* is bucket "a"$/) as string,
  });
  expect(await astray.isOurs('staging', never)).toBe(false);
  expect(await other.objects()).toEqual([]);
  await claimsOf(world, { stores: located(world, 'bucket "a"') }).begin(never);
});

it('D2: of processes that start at once with different stores, those with one of them start', async () => {
  const places = [located(world, 'bucket "a"'), located(other, 'bucket "b"')];
  const begun = await Promise.allSettled(places.map((stores) => claimsOf(world, { stores }).begin(never)));
  expect(begun.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  const marks = await Promise.all([world, other].map((at) => at.objects()));
  expect(marks.flat()).toHaveLength(1);
});

it('D2: a store with the mark is where it was noted first, until an operator says that it has moved', async () => {
  await claimsOf(world).begin(never);
  await claimsOf(world, { stores: located(world, 'bucket "a"') }).begin(never);
  const moved = located(world, 'bucket "b"');
  await expect(claimsOf(world, { stores: moved }).begin(never)).rejects.toThrow('bucket "a"');
  expect(await claimsOf(world, { stores: moved, unconditionally: true }).claimAll(never)).toEqual(['staging']);
  await claimsOf(world, { stores: moved }).begin(never);
});

const sinkKey = { branchId: defaultBranch, sourceId: parseSourceId('shop'), sinkId: parseSinkId('theirs') };
const logs = [
  ['source-log', (at: DeliveryWorld) => at.ports.sourceLog, sourceTopic(sinkKey, 3)],
  ['sink-log', (at: DeliveryWorld) => at.ports.sinkLog, sinkTopic(sinkKey, parseIncarnation(3))],
] as const;

describe.each(logs)('the %s', (name, logOf, topic) => {
  it('D2: with the mark of another installation keeps a process from starting, and is not its to remove from', async () => {
    const stores = [markedLog(name, logOf(world))];
    const claims = claimsOf(world, { stores });
    await claims.begin(never);
    await claims.assertOurs(name, never);
    const stranger = claimsOf(other, { stores });
    await expect(stranger.begin(never)).rejects.toMatchObject({ code: 'installation.foreign' });
    await expect(stranger.assertOurs(name, never)).rejects.toMatchObject({ code: 'installation.foreign' });
  });

  it('D2: without a mark and with a topic that the catalog never handed out is claimed by an operator only', async () => {
    await logOf(world).createTopic({ name: topic, partitions: 1 }, never);
    const stores = [markedLog(name, logOf(world))];
    await expect(claimsOf(world, { stores }).begin(never)).rejects.toMatchObject({ code: 'installation.unmarked' });
    expect(await claimsOf(world, { stores, unconditionally: true }).claimAll(never)).toEqual([name]);
    await claimsOf(world, { stores }).begin(never);
  });

  it('D2: with topics that the catalog handed out is claimed at the first start', async () => {
    for (const sinkId of ['a', 'b', 'c']) await world.addSink(sinkId);
    await logOf(world).createTopic({ name: topic, partitions: 1 }, never);
    await claimsOf(world, { stores: [markedLog(name, logOf(world))] }).begin(never);
    expect(told).toEqual([]);
  });

  it('D6: that is away lets the process start, and is of nobody meanwhile', async () => {
    const away = new MillraceError('log.unavailable', 'away');
    const log = replaced(logOf(world), { claimant: () => Promise.reject(away) });
    const claims = claimsOf(world, { stores: [markedLog(name, log)] });
    await claims.begin(never);
    expect(claims.hindrances).toEqual([]);
    expect(await claims.isOurs(name, never)).toBe(false);
    await expect(claims.assertOurs(name, never)).rejects.toBe(away);
  });
});

it('D2: tables with the mark of another installation keep a process from starting', async () => {
  const stores = [markedTables(world.ports.tables)];
  await claimsOf(world, { stores }).begin(never);
  await expect(claimsOf(other, { stores }).begin(never)).rejects.toMatchObject({ code: 'installation.foreign' });
});

it('D6: a log that does not answer keeps a process from starting for some seconds only', async () => {
  const silent = replaced(world.ports.sinkLog, {
    claimant: ({ signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
  });
  const stores = [markedStaging(world.ports.objects), markedLog('sink-log', silent)];
  const claims = claimsOf(world, { stores });
  await claims.begin(never);
  expect(await claims.isOurs('staging', never)).toBe(true);
  expect(claims.hindrances).toEqual([]);
  expect(told).toEqual(['sink-log: log.unavailable']);
  expect(reason).toBe('the store "sink-log" has not said within 5 s whose it is');
});

it('D6: a catalog that does not answer is told, and no store is taken for silent', async () => {
  const silent = replaced(world.ports.catalog, {
    get: (_collection, _id, { signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
  });
  await claimsOf(world, { catalog: silent }).begin(never);
  expect(told).toEqual(['staging: catalog.unavailable']);
  expect(reason).toBe('the catalog has not said within 5 s which installation it is of');
});
