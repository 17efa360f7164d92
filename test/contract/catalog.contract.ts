import { getEventListeners } from 'node:events';
import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Catalog, Changes, Collection, Versioned } from '../../src/ports/catalog.ts';
import { runCatalogCommands } from './catalog-model.ts';

export interface CatalogFixture extends AsyncDisposable {
  /** Opens the same catalog; each call gives another instance, as another thread or process has one. */
  open(): Promise<Catalog>;
}

const waiting = { signal: new AbortController().signal };
/** Long enough that only a notice ends the wait. */
const longMs = 25_000;

/** The rules that every `Catalog` keeps; the factory gives an empty one, and each test works on its own ids. */
export function catalogContract(name: string, factory: () => Promise<CatalogFixture>): void {
  describe(`${name}: Catalog contract`, () => {
    let fixture: CatalogFixture;
    let catalog: Catalog;
    let other: Catalog;
    let prefix = '';
    let used = 0;

    beforeAll(async () => {
      fixture = await factory();
      catalog = await fixture.open();
      other = await fixture.open();
    });
    afterAll(async () => {
      await catalog[Symbol.asyncDispose]();
      await other[Symbol.asyncDispose]();
      await fixture[Symbol.asyncDispose]();
    });
    beforeEach(() => {
      used += 1;
      prefix = `${used}/`;
    });

    const set = async (id: string, value: object, { expected, collection = 'sink', by = catalog }: SetOptions = {}) => {
      const result = await by.compareAndSet({ collection, id, expected, value }, waiting);
      if (result.kind === 'conflict') throw new Error(`conflict on ${id}`);
      return result.revision;
    };
    const get = (id: string, by = catalog) => by.get('sink', id, waiting);
    const idsOf = (documents: readonly Versioned[]) => documents.map(({ id }) => id.slice(prefix.length));
    const changesSince = (token: string | undefined, maxWaitMs = 0, by = catalog) =>
      by.changes({ collection: 'sink', token, maxWaitMs }, waiting);
    const endToken = async () => (await changesSince(undefined)).token;

    describe('compare-and-set', () => {
      it('writes a document when none is expected and none is there, and gives it back with its revision', async () => {
        expect(await get(`${prefix}a`)).toBeUndefined();
        const value = { text: 'x', list: [1, null, true, { deep: 'ü\u0000😀' }], number: 1.5e300, empty: {} };
        const revision = await set(`${prefix}a`, value);
        expect(await get(`${prefix}a`)).toEqual({ id: `${prefix}a`, revision, value });
        expect(await get(`${prefix}a`, other)).toEqual({ id: `${prefix}a`, revision, value });
      });

      it('replaces a document whose revision is the expected one', async () => {
        const first = await set(`${prefix}a`, { n: 1 });
        const second = await set(`${prefix}a`, { n: 2 }, { expected: first, by: other });
        expect(second).toBeGreaterThan(first);
        expect(await get(`${prefix}a`)).toEqual({ id: `${prefix}a`, revision: second, value: { n: 2 } });
      });

      it.each(['a document is there and none was expected', 'the revision is another', 'the document is missing'])(
        'answers conflict and changes nothing when %s',
        async (reason) => {
          const revision = await set(`${prefix}a`, { n: 1 });
          const id = reason.endsWith('missing') ? `${prefix}b` : `${prefix}a`;
          const expected = reason.startsWith('a document') ? undefined : revision + (reason.endsWith('other') ? 1 : 0);
          const before = await catalog.list({ collection: 'sink', prefix }, waiting);
          const result = await catalog.compareAndSet({ collection: 'sink', id, expected, value: { n: 2 } }, waiting);
          expect(result).toEqual({ kind: 'conflict' });
          expect(await catalog.list({ collection: 'sink', prefix }, waiting)).toEqual(before);
        },
      );

      it('gives back any JSON object unchanged', async () => {
        const object = fc.dictionary(fc.string(), fc.jsonValue({ depthSize: 'small' }), { noNullPrototype: true });
        let n = 0;
        await fc.assert(
          fc.asyncProperty(object, async (value) => {
            n += 1;
            await set(`${prefix}${n}`, value);
            const read = await get(`${prefix}${n}`, other);
            expect(JSON.stringify(read?.value)).toBe(JSON.stringify(value));
          }),
          { numRuns: 50 },
        );
      });

      it('takes a document of a megabyte', async () => {
        const value = { cells: Array.from({ length: 20_000 }, (_, at) => ({ at, text: 'é'.repeat(30) })) };
        const revision = await set(`${prefix}big`, value);
        expect(await get(`${prefix}big`, other)).toEqual({ id: `${prefix}big`, revision, value });
      });

      it('keeps collections apart, whatever their names begin with', async () => {
        const collections: readonly Collection[] = ['sink', 'sink-version', 'sink-status', 'source', 'source-version'];
        for (const collection of collections) await set(`${prefix}a`, { collection }, { collection });
        for (const collection of collections) {
          const documents = await catalog.list({ collection, prefix }, waiting);
          expect(documents.map(({ value }) => value)).toEqual([{ collection }]);
        }
      });

      it('D2: concurrent writers of two instances lose no update', async () => {
        const id = `${prefix}counter`;
        await set(id, { n: 0 });
        const increment = async (by: Catalog): Promise<number> => {
          for (;;) {
            const read = await by.get('sink', id, waiting);
            const value = { n: ((read?.value ?? {}) as { n: number }).n + 1 };
            const write = { collection: 'sink', id, expected: read?.revision, value } as const;
            const result = await by.compareAndSet(write, waiting);
            if (result.kind === 'written') return result.revision;
          }
        };
        const writers = Array.from({ length: 16 }, (_, at) => (at % 2 === 0 ? catalog : other));
        const revisions = await Promise.all(
          writers.map(async (by) => [await increment(by), await increment(by), await increment(by)]),
        );
        expect((await get(id))?.value).toEqual({ n: 48 });
        expect(new Set(revisions.flat()).size).toBe(48);
        for (const own of revisions) expect(own).toEqual([...own].sort((a, b) => a - b));
      });

      it('lets exactly one of many concurrent creators win', async () => {
        const results = await Promise.all(
          Array.from({ length: 32 }, (_, at) =>
            (at % 2 === 0 ? catalog : other).compareAndSet(
              { collection: 'sink', id: `${prefix}a`, expected: undefined, value: { at } },
              waiting,
            ),
          ),
        );
        const winners = results.flatMap((result, at) => (result.kind === 'written' ? [at] : []));
        expect(winners).toHaveLength(1);
        expect((await get(`${prefix}a`))?.value).toEqual({ at: winners[0] });
      });
    });

    describe('revisions', () => {
      it('grow with every write of any document of the collection', async () => {
        const seen = [
          await set(`${prefix}a`, {}),
          await set(`${prefix}b`, {}, { by: other }),
          await set(`${prefix}c`, {}),
        ];
        seen.push(await set(`${prefix}a`, {}, { expected: seen[0], by: other }));
        expect(seen).toEqual([...seen].sort((a, b) => a - b));
        expect(new Set(seen).size).toBe(4);
      });

      it('never go back: a document that is made again has a higher one than the removed', async () => {
        const first = await set(`${prefix}a`, {});
        await catalog.remove('sink', `${prefix}a`, first, waiting);
        expect(await set(`${prefix}a`, {}, { by: other })).toBeGreaterThan(first);
      });
    });

    describe('remove', () => {
      it('removes the document of the expected revision, once', async () => {
        const revision = await set(`${prefix}a`, {});
        expect(await catalog.remove('sink', `${prefix}a`, revision, waiting)).toBe(true);
        expect(await get(`${prefix}a`, other)).toBeUndefined();
        expect(await other.remove('sink', `${prefix}a`, revision, waiting)).toBe(false);
      });

      it('leaves a document of another revision, and one that is not there', async () => {
        const revision = await set(`${prefix}a`, {});
        expect(await catalog.remove('sink', `${prefix}a`, revision + 1, waiting)).toBe(false);
        expect(await catalog.remove('sink', `${prefix}b`, revision, waiting)).toBe(false);
        expect(await get(`${prefix}a`)).toBeDefined();
      });
    });

    describe('races', () => {
      it('D3: of removers and writers of one revision exactly one wins', async () => {
        for (let round = 0; round < 5; round += 1) {
          const id = `${prefix}${round}`;
          const revision = await set(id, { n: 0 });
          const answers = await Promise.all(
            Array.from({ length: 12 }, async (_, at) => {
              const by = at % 2 === 0 ? catalog : other;
              if (at % 3 === 0) return by.remove('sink', id, revision, waiting);
              const write = { collection: 'sink', id, expected: revision, value: { n: at } } as const;
              return (await by.compareAndSet(write, waiting)).kind === 'written';
            }),
          );
          expect(answers.filter(Boolean)).toHaveLength(1);
          const winner = answers.indexOf(true);
          expect((await get(id))?.value).toEqual(winner % 3 === 0 ? undefined : { n: winner });
        }
      });
    });

    describe('list and count', () => {
      it('give the ids with the prefix, ascending in code unit order', async () => {
        const ids = ['a', 'B', 'a/b', 'a/c', 'aa', 'é', '\uffee', '😀', '1', '10', '2', 'z'];
        for (const id of ids) await set(`${prefix}${id}`, { id });
        const documents = await other.list({ collection: 'sink', prefix }, waiting);
        expect(idsOf(documents)).toEqual([...ids].sort());
        expect(documents.map(({ value }) => (value as { id: string }).id)).toEqual([...ids].sort());
        expect(idsOf(await catalog.list({ collection: 'sink', prefix: `${prefix}a/` }, waiting))).toEqual([
          'a/b',
          'a/c',
        ]);
        expect(await catalog.count('sink', prefix, waiting)).toBe(ids.length);
        expect(await catalog.count('sink', `${prefix}a/`, waiting)).toBe(2);
      });

      it.each(['%', '_', '*', '.', '[a', '\\', '$', '(', '^a', '"', "'"])(
        'take the prefix as it is: %s stands for itself',
        async (sign) => {
          await set(`${prefix}${sign}1`, {});
          await set(`${prefix}x1`, {});
          await set(`${prefix}a1`, {});
          const found = await catalog.list({ collection: 'sink', prefix: `${prefix}${sign}` }, waiting);
          expect(idsOf(found)).toEqual([`${sign}1`]);
          expect(await catalog.count('sink', `${prefix}${sign}`, waiting)).toBe(1);
        },
      );

      it('go on after an id, whether it is there or not, and stop at the limit', async () => {
        for (const id of ['a', 'b', 'c', 'd']) await set(`${prefix}${id}`, {});
        const list = async (query: { after?: string; limit?: number }) =>
          idsOf(await catalog.list({ collection: 'sink', prefix, ...query }, waiting));
        expect(await list({ limit: 2 })).toEqual(['a', 'b']);
        expect(await list({ after: `${prefix}b`, limit: 2 })).toEqual(['c', 'd']);
        expect(await list({ after: `${prefix}bb` })).toEqual(['c', 'd']);
        expect(await list({ after: `${prefix}d` })).toEqual([]);
        expect(await list({ after: '', limit: 10 })).toEqual(['a', 'b', 'c', 'd']);
        expect(await list({ after: '~' })).toEqual([]);
        expect(await list({ after: `${prefix}b${'x'.repeat(5_000)}` })).toEqual(['c', 'd']);
      });

      it('give nothing for a prefix that nothing has, however long', async () => {
        await set(`${prefix}a`, {});
        for (const none of [`${prefix}none`, `${prefix}${'a'.repeat(5_000)}`]) {
          expect(await catalog.list({ collection: 'sink', prefix: none }, waiting)).toEqual([]);
          expect(await catalog.count('sink', none, waiting)).toBe(0);
          expect(await get(none)).toBeUndefined();
          expect(await catalog.remove('sink', none, 1, waiting)).toBe(false);
        }
      });
    });

    describe('changes', () => {
      it('give the whole collection first', async () => {
        await set(`${prefix}a`, { n: 1 });
        const { complete, written, removed } = await changesSince(undefined, longMs);
        expect(complete).toBe(true);
        expect(removed).toEqual([]);
        const all = await catalog.list({ collection: 'sink', prefix: '' }, waiting);
        expect([...written].sort(byId)).toEqual([...all].sort(byId));
      });

      it('say nothing when nothing changed, also about other collections', async () => {
        const token = await endToken();
        await set(`${prefix}a`, {}, { collection: 'sink-version' });
        expect(await changesSince(token)).toMatchObject({ written: [], removed: [], complete: false });
      });

      it('hold every change that was durable before the call, by any instance', async () => {
        const removed = await set(`${prefix}removed`, {});
        const changed = await set(`${prefix}changed`, { n: 1 });
        await set(`${prefix}same`, {});
        const token = await endToken();
        await other.remove('sink', `${prefix}removed`, removed, waiting);
        const again = await set(`${prefix}changed`, { n: 2 }, { expected: changed, by: other });
        const added = await set(`${prefix}added`, { n: 3 }, { by: other });
        const changes = await changesSince(token);
        expect(changes).toMatchObject({ complete: false, removed: [`${prefix}removed`] });
        expect([...changes.written].sort(byId)).toEqual([
          { id: `${prefix}added`, revision: added, value: { n: 3 } },
          { id: `${prefix}changed`, revision: again, value: { n: 2 } },
        ]);
        expect(await changesSince(changes.token)).toMatchObject({ written: [], removed: [] });
      });

      it('name a document that was removed and made again as written, and one that is gone as removed', async () => {
        const first = await set(`${prefix}back`, { n: 1 });
        const gone = await set(`${prefix}gone`, {});
        const token = await endToken();
        await catalog.remove('sink', `${prefix}back`, first, waiting);
        await set(`${prefix}back`, { n: 2 });
        await catalog.remove('sink', `${prefix}gone`, gone, waiting);
        const again = await set(`${prefix}gone`, {});
        await catalog.remove('sink', `${prefix}gone`, again, waiting);
        const { written, removed } = await changesSince(token);
        expect(idsOf(written)).toEqual(['back']);
        expect(removed).toEqual([`${prefix}gone`]);
      });

      it('wait until another instance changes something', async () => {
        const token = await endToken();
        const change = changesSince(token, longMs);
        await set(`${prefix}a`, { n: 1 }, { by: other });
        expect(idsOf((await change).written)).toEqual(['a']);
      });

      it('wait until a document is removed', async () => {
        const revision = await set(`${prefix}a`, {});
        const change = changesSince(await endToken(), longMs);
        await catalog.remove('sink', `${prefix}a`, revision, waiting);
        expect((await change).removed).toEqual([`${prefix}a`]);
      });

      it('answer with nothing when the time is over', async () => {
        const token = await endToken();
        expect(await changesSince(token, 20)).toMatchObject({ written: [], removed: [], complete: false });
      });

      it.each(['', 'x', '.', 'null', '-1', '99999999999999999999', '{}'])(
        'give the whole collection for a token that is not theirs: "%s"',
        async (token) => {
          await set(`${prefix}a`, {});
          const { complete, written } = await changesSince(token);
          expect(complete).toBe(true);
          expect(written.some(({ id }) => id === `${prefix}a`)).toBe(true);
        },
      );

      it('make a replica that equals the collection after any commands of two instances', async () => {
        await fc.assert(
          fc.asyncProperty(fc.infiniteStream(fc.nat()), async (choices) => {
            used += 1;
            await runCatalogCommands({ instances: [catalog, other], prefix: `${used}/`, choices, count: 40 });
          }),
          { numRuns: 15 },
        );
      });

      it('bring a replica to the collection while many write', async () => {
        const replica = new Map<string, Versioned>();
        const stop = new AbortController();
        const follow = async (): Promise<void> => {
          let token: string | undefined;
          for (let last = false; ; last = stop.signal.aborted) {
            const changes = await other.changes({ collection: 'sink', token, maxWaitMs: last ? 0 : 5 }, waiting);
            applyChanges(replica, changes);
            token = changes.token;
            if (last) return;
          }
        };
        const write = async (writer: number): Promise<void> => {
          for (let n = 0; n < 20; n += 1) {
            const id = `${prefix}${(writer + n) % 4}`;
            const by = writer % 2 === 0 ? catalog : other;
            const read = await by.get('sink', id, waiting);
            if (read !== undefined && n % 3 === 0) await by.remove('sink', id, read.revision, waiting);
            else {
              const write = { collection: 'sink', id, expected: read?.revision, value: { writer, n } } as const;
              await by.compareAndSet(write, waiting);
            }
          }
        };
        const following = follow();
        await Promise.all([0, 1, 2, 3, 4, 5].map(write));
        stop.abort();
        await following;
        const all = await catalog.list({ collection: 'sink', prefix: '' }, waiting);
        expect([...replica.values()].sort(byId)).toEqual([...all].sort(byId));
      });
    });

    describe('life cycle', () => {
      it('rejects every call with the reason of an aborted signal and changes nothing', async () => {
        const reason = new Error('stopped');
        const aborted = { signal: AbortSignal.abort(reason) };
        const id = `${prefix}a`;
        const revision = await set(id, { n: 1 });
        const write = { collection: 'sink', id, expected: revision, value: { n: 2 } } as const;
        const calls: readonly (() => Promise<unknown>)[] = [
          () => catalog.get('sink', id, aborted),
          () => catalog.compareAndSet(write, aborted),
          () => catalog.remove('sink', id, revision, aborted),
          () => catalog.list({ collection: 'sink', prefix }, aborted),
          () => catalog.count('sink', prefix, aborted),
          () => catalog.changes({ collection: 'sink', token: undefined, maxWaitMs: 0 }, aborted),
        ];
        for (const call of calls) await expect(call()).rejects.toBe(reason);
        expect(await get(id)).toEqual({ id, revision, value: { n: 1 } });
      });

      it('D8: calls that have ended hold nothing of a signal that lives on', async () => {
        const { signal } = new AbortController();
        const options = { signal };
        const id = `${prefix}a`;
        for (let n = 0, token: string | undefined, revision: number | undefined; n < 20; n += 1) {
          const write = { collection: 'sink', id, expected: revision, value: { n } } as const;
          const result = await catalog.compareAndSet(write, options);
          revision = result.kind === 'written' ? result.revision : undefined;
          ({ token } = await catalog.changes({ collection: 'sink', token, maxWaitMs: 0 }, options));
          ({ token } = await catalog.changes({ collection: 'sink', token, maxWaitMs: 5 }, options));
          await catalog.get('sink', id, options);
          await catalog.list({ collection: 'sink', prefix }, options);
          await catalog.count('sink', prefix, options);
        }
        await expect.poll(() => getEventListeners(signal, 'abort').length).toBeLessThan(5);
      });

      it('stops waiting for changes with the reason of the signal', async () => {
        const token = await endToken();
        const stop = new AbortController();
        const options = { signal: stop.signal };
        const change = catalog.changes({ collection: 'sink', token, maxWaitMs: longMs }, options);
        const reason = new Error('stopped');
        stop.abort(reason);
        await expect(change).rejects.toBe(reason);
      });

      it('D2: an instance that is opened later sees everything that was written, with the same revisions', async () => {
        const revision = await set(`${prefix}a`, { n: 1 });
        const token = await endToken();
        await set(`${prefix}b`, { n: 2 });
        await using later = await fixture.open();
        expect(await get(`${prefix}a`, later)).toEqual({ id: `${prefix}a`, revision, value: { n: 1 } });
        expect(idsOf((await changesSince(token, 0, later)).written)).toEqual(['b']);
      });

      it('may be closed twice', async () => {
        const later = await fixture.open();
        await later[Symbol.asyncDispose]();
        await later[Symbol.asyncDispose]();
        expect(await get(`${prefix}none`)).toBeUndefined();
      });
    });
  });
}

interface SetOptions {
  readonly expected?: number | undefined;
  readonly collection?: Collection;
  readonly by?: Catalog;
}

function byId(a: Versioned, b: Versioned): number {
  return a.id < b.id ? -1 : Number(a.id > b.id);
}

/** What a reader of `changes` does with each answer. */
function applyChanges(replica: Map<string, Versioned>, { complete, written, removed }: Changes): void {
  if (complete) replica.clear();
  for (const document of written) replica.set(document.id, document);
  for (const id of removed) replica.delete(id);
}
