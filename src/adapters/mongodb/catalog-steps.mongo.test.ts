import * as fc from 'fast-check';
import { MongoClient } from 'mongodb';
import { v4 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isMongodbMissing, openMongodbForTests, type MongodbForTests } from '../../../test/support/mongodb.ts';
import { StoppedWriters } from '../../../test/support/stopped-writers.ts';
import { forgetRemovals } from './catalog-cleaning.ts';
import { catalogDatabase, prepareCatalogDatabase, type CatalogDatabase } from './catalog-database.ts';
import { settle } from './catalog-steps.ts';

const which = fc.nat(5);
const command = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(fc.constant('begin'), fc.nat(2), fc.boolean()) },
  { weight: 4, arbitrary: fc.tuple(fc.constant('goOn'), which, fc.boolean()) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('kill'), which, fc.boolean()) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('clean'), which, fc.boolean()) },
  { weight: 3, arbitrary: fc.tuple(fc.constant('forget'), fc.nat(1), fc.boolean()) },
  { weight: 3, arbitrary: fc.tuple(fc.constant('follow'), which, fc.boolean()) },
);

describe.skipIf(await isMongodbMissing())('the steps of a write, with a MongoDB', () => {
  let server: MongodbForTests;
  let client: MongoClient;

  beforeAll(async () => {
    server = await openMongodbForTests();
    client = new MongoClient(server.url.reveal(), { retryWrites: false });
  });
  afterAll(async () => {
    await client.close();
    await server[Symbol.asyncDispose]();
  });

  const emptyDatabase = async (): Promise<CatalogDatabase> => {
    const place = { client, database: `millrace-${v4()}`, operationTimeoutMs: 15_000 };
    await prepareCatalogDatabase(place);
    return catalogDatabase(place);
  };

  it('D8: what is removed while others are forgotten stays counted, and what was counted wrongly is put right', async () => {
    const database = await emptyDatabase();
    const sinks = database.records('sink');
    const remove = async (revision: number): Promise<void> => {
      await sinks.insertOne({ _id: `id-${revision}`, revision, removed: true });
      await settle(database, { collection: 'sink', writes: [], removals: 1 });
    };
    const counted = async (): Promise<unknown> => (await database.counters.findOne({ _id: 'sink' }))?.removals;
    for (const revision of [1, 2, 3, 4]) await remove(revision);
    const countDocuments: typeof sinks.countDocuments = async (...args) => {
      const count = await sinks.countDocuments(...args);
      await remove(5);
      return count;
    };
    const meanwhile = Object.assign(Object.create(sinks) as typeof sinks, { countDocuments });
    await forgetRemovals({ ...database, records: () => meanwhile }, { collection: 'sink', kept: 2 });
    expect([await counted(), await sinks.countDocuments({ removed: true })]).toEqual([2, 2]);
    await database.counters.updateOne({ _id: 'sink' }, { $set: { removals: 100 } });
    await forgetRemovals(database, { collection: 'sink', kept: 2 });
    expect(await counted()).toBe(2);
  });

  const runs = { numRuns: 25 };
  const commands = fc.array(command, { minLength: 10, maxLength: 60 });
  const run = async (world: StoppedWriters, [kind, n, flag]: readonly [string, number, boolean]): Promise<void> => {
    if (kind === 'begin') await world.begin(`id-${n}`, flag);
    else if (kind === 'goOn') await world.goOn(n, flag);
    else if (kind === 'kill') world.kill(n);
    else if (kind === 'clean') await world.clean(n);
    else if (kind === 'forget') await forgetRemovals(world.database, { collection: 'sink', kept: n });
    else await world.follow();
  };

  const expectWhole = async (world: StoppedWriters): Promise<void> => {
    expect(await world.end()).toBe(0);
    expect(world.followed()).toEqual(await world.documents());
  };

  it('D2: a follower misses nothing, whichever writers are stopped or killed between their steps', async () => {
    const database = await emptyDatabase();
    await fc.assert(
      fc.asyncProperty(commands, async (list) => {
        const world = new StoppedWriters(database);
        for (const each of list) {
          await run(world, each);
          const [followed, documents] = each[0] === 'follow' ? [world.followed(), await world.documents()] : [[], []];
          expect(followed).toEqual(documents);
        }
        await expectWhole(world);
        for (const revisions of world.history.values())
          expect(revisions).toEqual([...new Set(revisions)].sort((a, b) => a - b));
      }),
      runs,
    );
  });

  it('D2: the same while all of them work at the same time', async () => {
    const database = await emptyDatabase();
    await fc.assert(
      fc.asyncProperty(commands, commands, async (one, other) => {
        const world = new StoppedWriters(database);
        const inTurn = async (list: typeof one): Promise<void> => {
          for (const each of list) if (each[0] !== 'follow') await run(world, each);
        };
        const over = new AbortController();
        const following = async (): Promise<void> => {
          while (!over.signal.aborted) await world.follow();
        };
        await Promise.all([following(), Promise.all([inTurn(one), inTurn(other)]).finally(() => over.abort())]);
        await expectWhole(world);
      }),
      runs,
    );
  });

  it('a follower whose token is older than what is known of removals is given the whole collection', async () => {
    const database = await emptyDatabase();
    const world = new StoppedWriters(database);
    for (const isRemoval of [false, false, true]) {
      await world.begin('id', isRemoval);
      await world.goOn(0, false);
      if (!isRemoval) await world.follow();
    }
    expect(world.followed()).toHaveLength(1);
    await forgetRemovals(database, { collection: 'sink', kept: 0 });
    await world.follow();
    expect(world.followed()).toEqual([]);
  });
});
