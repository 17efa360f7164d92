import { expect, it } from 'vitest';
import { SharedAmount } from './shared-amount.ts';

const { signal } = new AbortController();

it('D8: gives no more than there is, in the order of asking, and to one who asks for more than all, all', async () => {
  const memory = new SharedAmount(10);
  const order: string[] = [];
  const take = async (name: string, amount: number) => {
    const taken = await memory.take(amount, signal);
    order.push(name);
    return taken;
  };
  const first = await take('first', 6);
  const large = take('large', 100);
  const small = take('small', 1);
  await Promise.resolve();
  expect(order).toEqual(['first']);
  first[Symbol.dispose]();
  (await large)[Symbol.dispose]();
  await small;
  expect(order).toEqual(['first', 'large', 'small']);
});

it('one who stops waiting leaves no gap in the queue', async () => {
  const memory = new SharedAmount(10);
  const first = await memory.take(6, signal);
  const stop = new AbortController();
  const large = memory.take(10, stop.signal);
  const small = memory.take(4, signal);
  const reason = new Error('stopped');
  stop.abort(reason);
  await expect(large).rejects.toBe(reason);
  await small;
  await expect(memory.take(1, AbortSignal.abort(reason))).rejects.toBe(reason);
  first[Symbol.dispose]();
});
