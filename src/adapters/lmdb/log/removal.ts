import { batchBase, batchKey, contentOf, purgeKey, startKey, type StoredPartition } from './keys.ts';
import { bytesBeforeBatch } from './batch-codec.ts';
import type { LogStore } from './store.ts';
import { putStart, readEnd, readStart, type PartitionEnd, type PartitionStart } from './partition-meta.ts';

/** Keys that one transaction removes: other writers wait for no more than that. */
const keysPerTransaction = 128;

export interface RemovalOptions {
  readonly signal: AbortSignal;
}

/** Removes the batches that lie wholly below `before`, oldest first. */
export async function trimPartition(
  store: LogStore,
  target: { readonly at: StoredPartition; readonly before: number },
  { signal }: RemovalOptions,
): Promise<void> {
  const { at } = target;
  for (;;) {
    signal.throwIfAborted();
    store.refresh();
    const start = readStart(store, at);
    const end = readEnd(store, at);
    if (start === undefined || end === undefined) return;
    const before = Math.min(Math.floor(target.before), end.end);
    if (start.first >= before) return reuseFreedPages(store, at, start);
    const step = planTrim(store, { at, before, start, end });
    if (step.first === start.first) return reuseFreedPages(store, at, start);
    await store.writeIf(startKey(at), start.first, () => {
      for (const key of step.keys) store.remove(key);
      putStart(store, at, { first: step.first, bytes: step.bytes });
    });
  }
}

/**
 * LMDB reuses the pages that a transaction freed only after one more transaction. On a full disk that transaction would
 * never come, because it would have to be an append; so it is made here.
 */
async function reuseFreedPages(store: LogStore, at: StoredPartition, start: PartitionStart): Promise<void> {
  if (store.isShort) await store.writeIf(startKey(at), start.first, () => putStart(store, at, start));
}

interface TrimStep extends PartitionStart {
  readonly keys: readonly Buffer[];
}

function planTrim(
  store: LogStore,
  target: {
    readonly at: StoredPartition;
    readonly before: number;
    readonly start: PartitionStart;
    readonly end: PartitionEnd;
  },
): TrimStep {
  const { at, before, start, end } = target;
  const range = { start: batchKey(at, start.first), end: batchKey(at, before) };
  const found = store.keys(range, keysPerTransaction + 1);
  const above = store.keys({ start: range.end, end: batchKey(at, end.end) }, 1);
  const ends = [...found.slice(1), ...above].map((key) => batchBase(key));
  const last = found.length > keysPerTransaction || above.length > 0 ? undefined : end.end;
  if (last !== undefined) ends.push(last);
  const keys = found.slice(0, keysPerTransaction).filter((_key, index) => (ends[index] ?? Infinity) <= before);
  const first = ends[keys.length - 1] ?? start.first;
  return { keys, first, bytes: first === end.end ? end.bytes : bytesBefore(store, at, first) };
}

function bytesBefore(store: LogStore, at: StoredPartition, base: number): number {
  const batch = store.get(batchKey(at, base));
  return batch === undefined ? 0 : bytesBeforeBatch(batch);
}

/** Removes what a deleted topic left behind, then the mark that says so. Repeating it is harmless. */
export async function purgeTopic(store: LogStore, number: number, { signal }: RemovalOptions): Promise<void> {
  for (const range of contentOf(number)) {
    for (;;) {
      signal.throwIfAborted();
      store.refresh();
      const keys = store.keys(range, keysPerTransaction);
      if (keys.length === 0) break;
      await store.write(() => {
        for (const key of keys) store.remove(key);
      });
    }
  }
  await store.write(() => store.remove(purgeKey(number)));
}
