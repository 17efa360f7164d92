import { describe, expect, it } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import type { NewRecord } from '../../ports/event-log.ts';
import { AppendQueue, type AppendCarrier } from './append-queue.ts';
import { appendTogetherBytes, appendWaitingBytes } from './config.ts';
import { BrokerError } from './error-codes.ts';
import type { ProduceAnswer } from './produce-request.ts';

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

interface Sent {
  readonly batch: string | undefined;
  readonly answer: PromiseWithResolvers<ProduceAnswer | undefined>;
}

/** Brokers whose answers the test gives; a request does not wait for the answer to another. */
function handCarrier(): { carrier: AppendCarrier; sent: Sent[] } {
  const sent: Sent[] = [];
  let batches = 0;
  const send: AppendCarrier['send'] = (turn) => {
    const answer = Promise.withResolvers<ProduceAnswer | undefined>();
    sent.push({ batch: turn.next()?.toString(), answer });
    return answer.promise;
  };
  const encoder = async () => () => Buffer.from(`batch ${(batches += 1)}`);
  return { carrier: { ...carrier(async () => undefined), encoder, send }, sent };
}

/** Brokers that answer at once, each request as told by its number. */
function answering(answerOf: (request: number) => BrokerError): AppendCarrier {
  let requests = 0;
  return {
    ...carrier(async () => undefined),
    send: async (turn) => {
      if (turn.next() === undefined) return undefined;
      const error = answerOf((requests += 1));
      if (error.type === cut.type) throw error;
      return { kind: 'refused', error };
    },
  };
}

const record: NewRecord = { value: Buffer.from('x'), headers: [], timestamp: 0 };
const cut = new BrokerError(13);
const tooFewReplicas = new BrokerError(19);
const tooFewAfterAppend = new BrokerError(20);

describe('appends of one partition', () => {
  it('D1, D3: have one request with a batch at a time, also after one that was given up unanswered', async () => {
    const { carrier: brokers, sent } = handCarrier();
    const queue = new AppendQueue(brokers);
    await expect(queue.append(at, [record], { withinMs: 150 })).rejects.toMatchObject({ code: 'log.unavailable' });
    await eventually(() => expect(queue.condition(at)).toBe('well'));
    const second = queue.append(at, [record]);
    await eventually(() => expect(sent).toHaveLength(2));
    sent[0]?.answer.reject(new BrokerError(6));
    // Longer than a pause between tries.
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(sent.map(({ batch }) => batch)).toEqual(['batch 1', 'batch 2']);
    sent[1]?.answer.resolve({ kind: 'stored', offset: 7 });
    expect(await second).toBe(7);
  });

  it('D1, D3: have one request at a time when the next comes as soon as one is stored', async () => {
    const { carrier: brokers, sent } = handCarrier();
    const queue = new AppendQueue(brokers);
    const appends = queue.append(at, [record]).then(() => queue.append(at, [record]));
    await eventually(() => expect(sent).toHaveLength(1));
    sent[0]?.answer.resolve({ kind: 'stored', offset: 0 });
    await eventually(() => expect(sent.length).toBeGreaterThan(1));
    await new Promise(setImmediate);
    expect(sent.map(({ batch }) => batch)).toEqual(['batch 1', 'batch 2']);
    sent[1]?.answer.resolve({ kind: 'stored', offset: 1 });
    expect(await appends).toBe(1);
  });

  it('D1, D3: have one request with a batch, though the turn of one that was given up comes later', async () => {
    const { carrier: brokers, sent } = handCarrier();
    const turns: (() => void)[] = [];
    const wait = (): Promise<void> => new Promise((resolve) => turns.push(resolve));
    const queue = new AppendQueue({ ...brokers, send: (turn) => wait().then(() => brokers.send(turn)) });
    await expect(queue.append(at, [record], { withinMs: 150 })).rejects.toMatchObject({ code: 'log.refused' });
    await eventually(() => expect(queue.condition(at)).toBe('well'));
    const second = queue.append(at, [record]);
    await eventually(() => expect(turns).toHaveLength(2));
    for (const turn of turns) turn();
    await eventually(() => expect(sent).toHaveLength(2));
    expect(sent.map(({ batch }) => batch)).toEqual([undefined, 'batch 1']);
    sent[1]?.answer.resolve({ kind: 'stored', offset: 0 });
    expect(await second).toBe(0);
  });

  it('D8: go on after one that was given up unanswered, and keep their deadlines when it is answered at last', async () => {
    const { carrier: brokers, sent } = handCarrier();
    const queue = new AppendQueue(brokers);
    const first = queue.append(at, [record]);
    await eventually(() => expect(sent).toHaveLength(1));
    // It came before something was stored: that it is given up later says nothing about the partition.
    const second = queue.append(at, [record], { withinMs: 150 });
    sent[0]?.answer.resolve({ kind: 'stored', offset: 0 });
    expect(await first).toBe(0);
    await expect(second).rejects.toMatchObject({ code: 'log.unavailable' });
    const third = queue.append(at, [record], { withinMs: 600 });
    await eventually(() => expect(sent).toHaveLength(3));
    sent[1]?.answer.reject(new BrokerError(6));
    await expect(third).rejects.toMatchObject({ code: 'log.unavailable' });
    expect(sent.map(({ batch }) => batch)).toEqual(['batch 1', 'batch 2', 'batch 3']);
  });

  it('D1: are unclear when a connection was cut, whatever leaders say to the same batch afterwards', async () => {
    const queue = new AppendQueue(answering((request) => (request === 1 ? cut : tooFewReplicas)));
    await expect(queue.append(at, [record], { withinMs: 400 })).rejects.toMatchObject({ code: 'log.unavailable' });
  });

  it('D1: are unclear when there were too few replicas after they were written, not stored when before', async () => {
    const patience = { withinMs: 300 };
    const after = new AppendQueue(answering(() => tooFewAfterAppend));
    await expect(after.append(at, [record], patience)).rejects.toMatchObject({ code: 'log.unavailable' });
    const before = new AppendQueue(answering(() => tooFewReplicas));
    await expect(before.append(at, [record], patience)).rejects.toMatchObject({ code: 'log.refused' });
  });

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
