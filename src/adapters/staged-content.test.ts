import { getEventListeners } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { CsvContent } from '../ports/csv-content.ts';
import { checkedContent } from './staged-content.ts';

const line = Buffer.from('"1"\n');

function contentOf(stream: Readable): CsvContent {
  return { name: 'rows', bytes: line.length, localPath: undefined, open: () => Promise.resolve(stream) };
}

async function* thenForever(): AsyncGenerator<Buffer> {
  for (;;) {
    yield line;
    await setImmediate();
  }
}

it.each([
  ['that stands still', () => new Readable({ read: () => {} })],
  ['that never ends', () => Readable.from(thenForever())],
])('D8: a stream of staging %s is left with the reason of the abort, and closed', async (_, make) => {
  const stop = new AbortController();
  const reason = new Error('stopped');
  const stream = make();
  const abort = async (): Promise<void> => {
    await setImmediate();
    stop.abort(reason);
  };
  const [read] = await Promise.allSettled([buffer(checkedContent(contentOf(stream), stop)), abort()]);
  expect(read).toEqual({ status: 'rejected', reason });
  expect(stream.destroyed).toBe(true);
});

it('D8: content that was read holds nothing of a signal that lives on', async () => {
  const { signal } = new AbortController();
  expect(await buffer(checkedContent(contentOf(Readable.from([line])), { signal }))).toEqual(line);
  await expect.poll(() => getEventListeners(signal, 'abort').length).toBe(0);
});
