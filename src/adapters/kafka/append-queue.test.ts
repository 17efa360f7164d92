import { describe, expect, it } from 'vitest';
import type { NewRecord } from '../../ports/event-log.ts';
import { AppendQueue } from './append-queue.ts';
import { appendTogetherBytes, appendWaitingBytes } from './config.ts';

const at = { topic: 'orders', partition: 0 };

/** An event without a body, and with as many bytes of headers. */
function withHeaders(bytes: number): NewRecord {
  return { value: new Uint8Array(0), headers: ['x-header', 'h'.repeat(bytes)], timestamp: 0 };
}

describe('appends of one partition', () => {
  it('share a batch up to its size with all headers, for what is too large together goes out one by one', async () => {
    const batches: number[] = [];
    const queue = new AppendQueue({
      send: async (_at, records) => {
        batches.push(records.length);
        return 0;
      },
    });
    const headerBytes = appendTogetherBytes / 8;
    await Promise.all(Array.from({ length: 40 }, () => queue.append(at, [withHeaders(headerBytes)])));
    expect(batches.reduce((sum, count) => sum + count, 0)).toBe(40);
    expect(Math.max(...batches)).toBeLessThanOrEqual(8);
  });

  it('D8: are refused when too much waits, also when it is headers alone', async () => {
    const broker = Promise.withResolvers<number>();
    const queue = new AppendQueue({ send: () => broker.promise });
    const record = withHeaders(appendWaitingBytes / 8);
    const appends = Array.from({ length: 12 }, () => queue.append(at, [record]));
    const settled = Promise.allSettled(appends);
    await expect(appends.at(-1)).rejects.toMatchObject({ code: 'log.unavailable' });
    broker.resolve(0);
    expect((await settled).filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(4);
  });
});
