import { randomBytes } from 'node:crypto';
import { getEventListeners } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compressionTypes } from '../../src/core/compression.ts';
import { StagingMark } from '../../src/stages/claims/staging-mark.ts';
import { claimableContract } from './claimable.contract.ts';
import type { ObjectContent, ObjectStore } from '../../src/ports/object-store.ts';

export interface ObjectStoreFixture extends AsyncDisposable {
  /** Opens the same store; each call gives another instance, as another thread or process has one. */
  open(): Promise<ObjectStore>;
}

const waiting = { signal: new AbortController().signal };

/** The rules that every `ObjectStore` keeps; the factory gives an empty store. */
export function objectStoreContract(name: string, factory: () => Promise<ObjectStoreFixture>): void {
  claimableContract(name, async () => {
    const fixture = await factory();
    return {
      open: async () => {
        const store = await fixture.open();
        return { mark: new StagingMark(store), [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
      },
      [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
    };
  });

  describe(`${name}: ObjectStore contract`, () => {
    let fixture: ObjectStoreFixture;
    let store: ObjectStore;
    let folder: string;

    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'millrace-content-'));
      fixture = await factory();
      store = await fixture.open();
    });
    afterEach(async () => {
      await store[Symbol.asyncDispose]();
      await fixture[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    });

    const bytesOf = async (object: string) => buffer(await store.get(object, waiting));
    const listed = async (prefix: string, from = store, options = waiting) => {
      const names: string[] = [];
      for await (const object of from.list(prefix, options)) names.push(`${object.name}=${object.bytes}`);
      return names.sort();
    };
    const fileOf = async (bytes: Uint8Array): Promise<ObjectContent> => {
      const path = join(folder, randomBytes(8).toString('hex'));
      await writeFile(path, bytes);
      return { kind: 'file', path };
    };
    const inMemory = (text: string): ObjectContent => ({ kind: 'bytes', bytes: Buffer.from(text) });

    it('gives back byte for byte what was put, from memory and from a file', async () => {
      const bytes = randomBytes(3_000_000);
      expect(await store.put('a/memory.csv', { kind: 'bytes', bytes }, waiting)).toEqual({
        name: 'a/memory.csv',
        bytes: bytes.length,
      });
      expect(await store.put('a/file.csv', await fileOf(bytes), waiting)).toEqual({
        name: 'a/file.csv',
        bytes: bytes.length,
      });
      expect((await bytesOf('a/memory.csv')).equals(bytes)).toBe(true);
      expect((await bytesOf('a/file.csv')).equals(bytes)).toBe(true);
    });

    it.each(['1/0/x.csv.gz', '1/0/x.csv', '1/0/x.gz'])(
      'gives back what is compressed as it is, under the name %s, and with its size',
      async (object) => {
        // Larger than what a client takes at once, and smaller than what it becomes.
        const lines = Buffer.from('"a","b"\n'.repeat(2_000_000));
        for (const [at, content] of [
          { kind: 'bytes', bytes: gzipSync(lines) } as const,
          await fileOf(gzipSync(Buffer.concat([lines, randomBytes(3_000_000)]))),
        ].entries()) {
          const name = object.replace('x', String(at));
          const { bytes } = await store.put(name, content, waiting);
          expect(await listed(name)).toEqual([`${name}=${bytes}`]);
          const found = await bytesOf(name);
          expect(found).toHaveLength(bytes);
          expect(gunzipSync(found).subarray(0, lines.length).equals(lines)).toBe(true);
        }
      },
    );

    it('says how slices are best put there', () => {
      expect(compressionTypes).toContain(store.compression);
    });

    it('keeps an empty object', async () => {
      await store.put('empty', inMemory(''), waiting);
      await store.put('empty-file', await fileOf(new Uint8Array()), waiting);
      expect(await bytesOf('empty')).toHaveLength(0);
      expect(await listed('')).toEqual(['empty-file=0', 'empty=0']);
    });

    it('keeps the object of a file when the caller removes the file', async () => {
      const content = await fileOf(Buffer.from('kept'));
      await store.put('1/0/x.csv', content, waiting);
      if (content.kind === 'file') await rm(content.path);
      expect(String(await bytesOf('1/0/x.csv'))).toBe('kept');
    });

    it('refuses a name that is taken with objects.exists and keeps the first object', async () => {
      await store.put('1/0/x.csv', inMemory('first'), waiting);
      await expect(store.put('1/0/x.csv', inMemory('second'), waiting)).rejects.toMatchObject({
        code: 'objects.exists',
      });
      await expect(store.put('1/0/x.csv', await fileOf(Buffer.from('third')), waiting)).rejects.toMatchObject({
        code: 'objects.exists',
      });
      expect(String(await bytesOf('1/0/x.csv'))).toBe('first');
    });

    it('lets exactly one of several racing puts have a name', async () => {
      await using other = await fixture.open();
      const results = await Promise.allSettled(
        Array.from({ length: 8 }, (_, number) =>
          (number % 2 === 0 ? store : other).put('race', inMemory(`content ${number}`), waiting),
        ),
      );
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const winner = results.findIndex(({ status }) => status === 'fulfilled');
      expect(String(await bytesOf('race'))).toBe(`content ${winner}`);
    });

    it('lists all objects whose name begins with the prefix, and only whole objects', async () => {
      for (const object of ['1/0/a.csv', '1/0/ab.csv', '1/10/a.csv', '11/0/a.csv', 'z'])
        await store.put(object, inMemory(object), waiting);
      expect(await listed('')).toHaveLength(5);
      expect(await listed('1/')).toEqual(['1/0/a.csv=9', '1/0/ab.csv=10', '1/10/a.csv=10']);
      expect(await listed('1/0/a')).toEqual(['1/0/a.csv=9', '1/0/ab.csv=10']);
      expect(await listed('1')).toHaveLength(4);
      expect(await listed('2/')).toEqual([]);
    });

    it('shows each instance what another one put or deleted', async () => {
      await using other = await fixture.open();
      await other.put('1/0/x.csv', inMemory('seen'), waiting);
      expect(await listed('')).toEqual(['1/0/x.csv=4']);
      await store.delete('1/0/x.csv', waiting);
      expect(await listed('', other)).toEqual([]);
    });

    it('answers objects.notFound for an object that is not there', async () => {
      await expect(store.get('1/none', waiting)).rejects.toMatchObject({ code: 'objects.notFound' });
      await expect(store.localPath('1/none', waiting)).rejects.toMatchObject({ code: 'objects.notFound' });
    });

    it('deletes an object once and does nothing the second time', async () => {
      await store.put('1/0/x.csv', inMemory('gone'), waiting);
      await store.delete('1/0/x.csv', waiting);
      await store.delete('1/0/x.csv', waiting);
      await expect(store.get('1/0/x.csv', waiting)).rejects.toMatchObject({ code: 'objects.notFound' });
      await store.put('1/0/y.csv', inMemory('another'), waiting);
      expect(await listed('1/')).toEqual(['1/0/y.csv=7']);
    });

    it.each(['', '/a', 'a//b', 'a/', '../a', 'a/../b', './a', 'a/.b', 'a b', 'a\\b', 'ä', 'a\0b', 'x'.repeat(2000)])(
      'D9: refuses the name %j and says the rule',
      async (object) => {
        await expect(store.put(object, inMemory('x'), waiting)).rejects.toMatchObject({ code: 'input.invalid' });
        await expect(store.get(object, waiting)).rejects.toMatchObject({ code: 'input.invalid' });
        await expect(store.delete(object, waiting)).rejects.toMatchObject({ code: 'input.invalid' });
        expect(await listed('')).toEqual([]);
      },
    );

    it('takes no beginning of names for an object', async () => {
      await store.put('1/0/x.csv', inMemory('kept'), waiting);
      for (const object of ['1', '1/0', '1/0/x.csv/y', '1/0/x.cs']) {
        await expect(store.get(object, waiting)).rejects.toMatchObject({ code: 'objects.notFound' });
        await store.delete(object, waiting);
      }
      expect(await listed('')).toEqual(['1/0/x.csv=4']);
    });

    it('keeps every one of many objects that are put at once, and lists them all', async () => {
      await using other = await fixture.open();
      const names = Array.from({ length: 1_050 }, (_, number) => `${number % 3}/${number % 2}/${number}.csv`);
      const by = (number: number) => (number % 2 === 0 ? store : other);
      await Promise.all(names.map((object, number) => by(number).put(object, inMemory('x'), waiting)));
      expect(await listed('')).toEqual(names.map((object) => `${object}=1`).sort());
      expect(await listed('1/1/')).toHaveLength(175);
    });

    it('rejects with the reason of an aborted signal and changes nothing', async () => {
      const reason = new Error('stopped');
      const aborted = { signal: AbortSignal.abort(reason) };
      await store.put('kept', inMemory('x'), waiting);
      const calls: readonly (() => Promise<unknown>)[] = [
        async () => store.put('a', inMemory('x'), aborted),
        async () => store.put('a', await fileOf(Buffer.from('x')), aborted),
        async () => store.get('kept', aborted),
        async () => store.localPath('kept', aborted),
        async () => store.delete('kept', aborted),
        async () => listed('none', store, aborted),
      ];
      for (const call of calls) await expect(call()).rejects.toBe(reason);
      expect(await listed('')).toEqual(['kept=1']);
    });

    it('a put that is aborted on its way rejects with the reason or is done; the object is whole or not there', async () => {
      const reason = new Error('stopped');
      const bytes = randomBytes(4_000_000);
      for (const content of [{ kind: 'bytes', bytes } as const, await fileOf(bytes)]) {
        for (const turns of [0, 1, 5, 20]) {
          const stop = new AbortController();
          const object = `${content.kind}/${turns}`;
          const put = store.put(object, content, { signal: stop.signal }).then(
            () => 'done',
            (thrown: unknown) => thrown,
          );
          for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
          stop.abort(reason);
          const answer = await put;
          expect(['done', reason]).toContain(answer);
          const isThere = (await listed(object)).length > 0;
          const isWhole = isThere && (await bytesOf(object)).equals(bytes);
          expect(isThere ? isWhole : answer === reason).toBe(true);
        }
      }
    });

    it('an abort ends a stream that is being read', async () => {
      await store.put('large', { kind: 'bytes', bytes: randomBytes(3_000_000) }, waiting);
      const stop = new AbortController();
      const stream = await store.get('large', { signal: stop.signal });
      stop.abort();
      await expect(buffer(stream)).rejects.toBeInstanceOf(Error);
    });

    it('D8: calls that have ended hold nothing of a signal that lives on', async () => {
      const stop = new AbortController();
      const options = { signal: stop.signal };
      const callAll = async (number: number) => {
        await store.put(`1/${number}`, inMemory('x'), options);
        await buffer(await store.get(`1/${number}`, options));
        await store.localPath(`1/${number}`, options);
        await listed('1/', store, options);
        await store.delete(`1/${number}`, options);
      };
      for (let number = 0; number < 10; number += 1) await callAll(number);
      await expect.poll(() => getEventListeners(stop.signal, 'abort').length).toBeLessThan(5);
    });
  });
}
