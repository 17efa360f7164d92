import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Catalog, Changes } from '../../ports/catalog.ts';
import type { CatalogThreadCommand } from '../../../test/support/catalog-thread.ts';
import { endThread } from '../../runtime/composition/end-thread.ts';
import { openLmdbCatalog } from './catalog.ts';

const waiting = { signal: new AbortController().signal };
const threadModule = new URL('../../../test/support/catalog-thread.ts', import.meta.url);

describe('the LMDB catalog in several threads', () => {
  let folder: string;
  let path: string;
  let catalog: Catalog;
  let threads: Worker[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'millrace-catalog-'));
    path = join(folder, 'catalog');
    catalog = await openLmdbCatalog({ path, rescanMs: 3_600_000 });
    threads = [];
  });
  afterEach(async () => {
    await Promise.all(threads.map(endThread));
    await catalog[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  const startThread = async (): Promise<Worker> => {
    const thread = new Worker(threadModule, { workerData: { path } });
    threads.push(thread);
    await answerOf(thread);
    return thread;
  };
  const answerOf = async (thread: Worker): Promise<unknown> => {
    const [message] = (await once(thread, 'message')) as [{ readonly result?: unknown; readonly error?: string }];
    if (message.error !== undefined) throw new Error(message.error);
    return message.result;
  };
  const ask = (thread: Worker, command: CatalogThreadCommand): Promise<unknown> => {
    const answer = answerOf(thread);
    thread.postMessage(command);
    return answer;
  };

  it('a read sees what another thread was told to be written, at once', async () => {
    const thread = await startThread();
    for (let n = 0; n < 50; n += 1) {
      await catalog.get('progress', 'a', waiting);
      await ask(thread, { kind: 'write', id: 'a', value: { n } });
      expect((await catalog.get('progress', 'a', waiting))?.value).toEqual({ n });
      expect(await catalog.list({ collection: 'progress', prefix: '' }, waiting)).toHaveLength(1);
    }
  });

  it('a wait for changes ends when another thread writes, in either direction', async () => {
    const thread = await startThread();
    const { token } = await catalog.changes({ collection: 'progress', token: undefined, maxWaitMs: 0 }, waiting);
    const here = catalog.changes({ collection: 'progress', token, maxWaitMs: 25_000 }, waiting);
    await ask(thread, { kind: 'write', id: 'a', value: { n: 1 } });
    const seen = await here;
    expect(seen.written.map(({ id }) => id)).toEqual(['a']);

    const there = ask(thread, { kind: 'wait', token: seen.token });
    await catalog.compareAndSet({ collection: 'progress', id: 'b', expected: undefined, value: {} }, waiting);
    expect(((await there) as Changes).written.map(({ id }) => id)).toEqual(['b']);
  });

  it('D2: writers in three threads lose no update of one document', async () => {
    const writers = await Promise.all([startThread(), startThread(), startThread()]);
    await Promise.all(writers.map((thread) => ask(thread, { kind: 'increment', id: 'a', times: 100 })));
    expect((await catalog.get('progress', 'a', waiting))?.value).toEqual({ n: 300 });
    const { written } = await catalog.changes({ collection: 'progress', token: undefined, maxWaitMs: 0 }, waiting);
    expect(written.map(({ revision }) => revision)).toEqual([300]);
  });

  it('a thread that ends in the middle of a write neither holds up nor harms the others', async () => {
    const survivor = await startThread();
    for (let round = 0; round < 8; round += 1) {
      const victim = await startThread();
      victim.postMessage({ kind: 'increment', id: 'a', times: Infinity } satisfies CatalogThreadCommand);
      const before = (await catalog.get('progress', 'b', waiting))?.revision;
      await ask(survivor, { kind: 'increment', id: 'a', times: 5 + round });
      await endThread(victim);
      const write = { collection: 'progress', id: 'b', expected: before, value: { round } } as const;
      expect(await catalog.compareAndSet(write, waiting)).toMatchObject({ kind: 'written' });
      expect(await ask(survivor, { kind: 'increment', id: 'a', times: 2 })).toBe(2);
    }
    const documents = await catalog.list({ collection: 'progress', prefix: '' }, waiting);
    expect(documents.map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('a thread may close its instance while the others go on', async () => {
    const thread = await startThread();
    await ask(thread, { kind: 'write', id: 'a', value: { n: 1 } });
    const exit = once(thread, 'exit');
    await ask(thread, { kind: 'close' });
    await exit;
    const { revision = 0 } = (await catalog.get('progress', 'a', waiting)) ?? {};
    expect(await catalog.remove('progress', 'a', revision, waiting)).toBe(true);
  });
});
