import { describe, expect, it } from 'vitest';
import type { NewRecord } from '../../ports/event-log.ts';
import { AppendQueue, type AppendCarrier } from './append-queue.ts';
import { appendTogetherBytes, appendWaitingBytes } from './config.ts';

const at = { topic: 'orders', identity: 'a', partition: 0 };

/** An event without a body, and with as many bytes of headers. */
function withHeaders(bytes: number): NewRecord {
  return { value: new Uint8Array(0), headers: ['x-header', 'h'.repeat(bytes)], timestamp: 0 };
}

/** A broker that stores what it gets, each batch after the wait; it is told how many records a batch has. */
function carrier(wait: (records: number) => Promise<void>): AppendCarrier {
  let end = 0;
  return {
    encoder: async () => (records) => Buffer.alloc(records.length),
    counted: () => undefined,
    forget: () => undefined,
    send: async (turn) => {
      const offset = end;
      const records = turn.next()?.length ?? 0;
      end += records;
      await wait(records);
      return { kind: 'stored', offset };
    },
    forgetLeader: () => undefined,
    isWell: async () => true,
  };
}

describe('appends of one partition', () => {
  it('share a batch up to its size with all headers, for what is too large together goes out one by one', async () => {
    const batches: number[] = [];
    const queue = new AppendQueue(carrier(async (records) => void batches.push(records)));
    const headerBytes = appendTogetherBytes / 8;
    await Promise.all(Array.from({ length: 40 }, () => queue.append(at, [withHeaders(headerBytes)])));
    expect(batches.reduce((sum, count) => sum + count, 0)).toBe(40);
    expect(Math.max(...batches)).toBeLessThanOrEqual(8);
  });

  it('D10: keep nobody who leaves once they were given up, though their request is never answered', async () => {
    const queue = new AppendQueue(carrier(() => new Promise(() => undefined)));
    const append = queue.append(at, [withHeaders(1)], { withinMs: 1 });
    let isSettled = false;
    const settled = append.catch(() => undefined).finally(() => (isSettled = true));
    queue.close();
    await queue.idle();
    expect(isSettled).toBe(true);
    await settled;
  });

  it('D8: are refused when too much waits, also when it is headers alone', async () => {
    const broker = Promise.withResolvers<void>();
    const queue = new AppendQueue(carrier(() => broker.promise));
    const record = withHeaders(appendWaitingBytes / 8);
    const appends = Array.from({ length: 12 }, () => queue.append(at, [record]));
    const settled = Promise.allSettled(appends);
    await expect(appends.at(-1)).rejects.toMatchObject({ code: 'log.refused' });
    broker.resolve();
    expect((await settled).filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(4);
  });
});
