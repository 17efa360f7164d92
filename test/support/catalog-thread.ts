import { parentPort, workerData } from 'node:worker_threads';
import { openLmdbCatalog } from '../../src/adapters/lmdb/catalog.ts';
import { leaveWhenTold } from '../../src/runtime/composition/end-thread.ts';

/** What a thread of a catalog test is asked to do. */
export type CatalogThreadCommand =
  | { readonly kind: 'write'; readonly id: string; readonly value: object }
  | { readonly kind: 'increment'; readonly id: string; readonly times: number }
  | { readonly kind: 'wait'; readonly token: string }
  | { readonly kind: 'close' };

const waiting = { signal: new AbortController().signal };
const { path } = workerData as { readonly path: string };
const catalog = await openLmdbCatalog({ path, rescanMs: 3_600_000 });

async function increment(id: string): Promise<void> {
  for (;;) {
    const read = await catalog.get('progress', id, waiting);
    const value = { n: ((read?.value ?? { n: 0 }) as { n: number }).n + 1 };
    const write = { collection: 'progress', id, expected: read?.revision, value } as const;
    const result = await catalog.compareAndSet(write, waiting);
    if (result.kind === 'written') return;
  }
}

async function run(command: CatalogThreadCommand): Promise<unknown> {
  switch (command.kind) {
    case 'write': {
      const expected = (await catalog.get('progress', command.id, waiting))?.revision;
      return catalog.compareAndSet({ collection: 'progress', expected, ...command }, waiting);
    }
    case 'increment':
      for (let n = 0; n < command.times; n += 1) await increment(command.id);
      return command.times;
    case 'wait':
      return catalog.changes({ collection: 'progress', token: command.token, maxWaitMs: 25_000 }, waiting);
    case 'close':
      await catalog[Symbol.asyncDispose]();
      // From here on nothing keeps the thread alive.
      parentPort?.unref();
      return 'closed';
    default:
      return command satisfies never;
  }
}

if (parentPort !== null) leaveWhenTold(parentPort);
parentPort?.on('message', (command: CatalogThreadCommand) => {
  void run(command).then(
    (result) => parentPort?.postMessage({ result }),
    (error: unknown) => parentPort?.postMessage({ error: String(error) }),
  );
});
parentPort?.postMessage({ result: 'ready' });
