import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { FakeClock } from '../../../test/support/fake-clock.ts';
import { Faults } from '../../../test/support/faults/faults.ts';
import { openLmdbCatalog } from '../../adapters/lmdb/catalog.ts';
import { lifeCertainMs, lifeKeptMs, lifeLookMs, lifeSaidEveryMs } from '../../core/jobs/life-sign.ts';
import { lifeSignDocuments, lifeSignPrefix } from '../../documents/life-sign-document.ts';
import { listDocuments } from '../../documents/list-documents.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { OtherLives } from './other-lives.ts';
import { OwnLife } from './own-life.ts';

class NotedClock extends FakeClock {
  slept = 0;

  override sleep(ms: number, options: Waiting): Promise<void> {
    this.slept += 1;
    return super.sleep(ms, options);
  }
}

const goneMs = 12_000;
const lookEveryMs = 1000;
const owners = new Set(['one']);
let folder: string;
let catalog: Catalog;
let clock: NotedClock;
let faults: Faults;
let ending: AbortController;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-lives-'));
  catalog = await openLmdbCatalog({ path: join(folder, 'catalog') });
  clock = new NotedClock();
  faults = new Faults();
  ending = new AbortController();
});

afterEach(async () => {
  ending.abort();
  await catalog[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const ownLife = (owner = 'one'): OwnLife => new OwnLife({ catalog: faults.before('catalog', catalog), clock, owner });
const otherLives = (): OtherLives => new OtherLives({ catalog: faults.before('catalog', catalog), clock, goneMs });
const waiting = () => ({ signal: ending.signal });
const signs = () => listDocuments(catalog, { kind: lifeSignDocuments, prefix: lifeSignPrefix }, waiting());

/** Looks so often, a second after the other; `between` happens in each of them. */
async function lookFor(lives: OtherLives, seconds: number, between: () => Promise<void> | void = () => undefined) {
  for (let second = 0; second < seconds; second += 1) {
    lives.look(owners, waiting());
    await lives.settled();
    clock.advance(lookEveryMs);
    await between();
  }
}

test('J3: who says nothing for so long has ended, and not before', async () => {
  await ownLife().certain(waiting());
  const lives = otherLives();
  expect(lives.hasEnded('one')).toBe(false);
  await lookFor(lives, goneMs / lookEveryMs);
  expect(lives.hasEnded('one')).toBe(false);
  await lookFor(lives, 1);
  expect(lives.hasEnded('one')).toBe(true);
});

test('J3: who never said anything has ended after as long', async () => {
  const lives = otherLives();
  await lookFor(lives, goneMs / lookEveryMs);
  expect(lives.hasEnded('one')).toBe(false);
  await lookFor(lives, 1);
  expect(lives.hasEnded('one')).toBe(true);
});

test('J3: who goes on saying it lives, and ends when it is heard no more', async () => {
  const life = ownLife();
  let lasts = true;
  const saying = life.sayWhile(() => lasts, waiting());
  const lives = otherLives();
  const said = async (): Promise<void> =>
    eventually(() => expect(clock.slept).toBe(1 + Math.floor(clock.monotonic() / lifeSaidEveryMs)));
  await said();
  await lookFor(lives, 60, said);
  expect(life.isCertain).toBe(true);
  expect(lives.hasEnded('one')).toBe(false);
  lasts = false;
  clock.advance(lifeSaidEveryMs);
  await saying;
  await lookFor(lives, goneMs / lookEveryMs + 2);
  expect(lives.hasEnded('one')).toBe(true);
});

test('J3: nobody has ended by what was not seen: while the catalog is away nobody can speak', async () => {
  await ownLife().certain(waiting());
  const lives = otherLives();
  await lookFor(lives, 3);
  faults.away('catalog');
  await lookFor(lives, (2 * goneMs) / lookEveryMs);
  faults.back('catalog');
  expect(lives.hasEnded('one')).toBe(false);
  await lookFor(lives, goneMs / lookEveryMs);
  expect(lives.hasEnded('one')).toBe(false);
  await lookFor(lives, 1);
  expect(lives.hasEnded('one')).toBe(true);
});

test('J3: what was seen long ago says nothing', async () => {
  await ownLife().certain(waiting());
  const lives = otherLives();
  await lookFor(lives, goneMs / lookEveryMs + 1);
  expect(lives.hasEnded('one')).toBe(true);
  clock.advance(lifeLookMs);
  expect(lives.hasEnded('one')).toBe(false);
});

test('J3: where no other process can be, every other life has ended', () => {
  expect(new OtherLives({ catalog, clock, goneMs: 0 }).hasEnded('one')).toBe(true);
});

test('J3: a life that was not heard of for some time is certain again once the catalog has taken its sign', async () => {
  const life = ownLife();
  expect(life.isCertain).toBe(false);
  await life.certain(waiting());
  expect(life.isCertain).toBe(true);
  clock.advance(lifeCertainMs);
  expect(life.isCertain).toBe(false);
  faults.away('catalog');
  let isCertain = false;
  const certain = life.certain(waiting()).then(() => (isCertain = true));
  for (let tries = 0; tries < 20; tries += 1) {
    await new Promise(setImmediate);
    clock.advance(lookEveryMs);
  }
  expect(isCertain).toBe(false);
  faults.back('catalog');
  await eventually(() => {
    clock.advance(100);
    expect(isCertain).toBe(true);
  });
  await certain;
});

test('J3: a wait to be certain ends with its signal', async () => {
  faults.away('catalog');
  const certain = ownLife().certain(waiting());
  ending.abort(new Error('the run is over'));
  await expect(certain).rejects.toThrow('the run is over');
});

test('D8: who comes removes the signs of those that ended long ago', async () => {
  await ownLife('old').certain(waiting());
  clock.advance(lifeKeptMs);
  await ownLife('recent').certain(waiting());
  clock.advance(1);
  await ownLife('new').certain(waiting());
  await eventually(async () => expect((await signs()).map(({ owner }) => owner)).toEqual(['new', 'recent']));
});
