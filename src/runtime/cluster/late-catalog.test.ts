import { expect, it } from 'vitest';
import { DeliveryWorld, never } from '../../../test/support/faults/delivery-world.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { LateCatalog } from './late-catalog.ts';

const away = new MillraceError('catalog.unavailable', 'the server is away');

it('opens at its first use, once for all, and tries again after a use that found its server away', async () => {
  await using world = await DeliveryWorld.open();
  const { catalog } = world.ports;
  const answers: (() => Promise<Catalog>)[] = [() => Promise.reject(away), () => Promise.resolve(catalog)];
  let opened = 0;
  await using late = new LateCatalog(() => {
    opened += 1;
    return answers.shift()?.() ?? Promise.reject(new Error('it is open'));
  });
  expect(opened).toBe(0);
  const both = await Promise.allSettled([
    late.get('token', 'one', never),
    late.list({ collection: 'token', prefix: '' }, never),
  ]);
  expect(both.map((each) => each.status === 'rejected' && (each.reason as unknown))).toEqual([away, away]);
  expect(opened).toBe(1);
  await late.compareAndSet({ collection: 'token', id: 'one', expected: undefined, value: { is: 'there' } }, never);
  expect(await late.get('token', 'one', never)).toMatchObject({ value: { is: 'there' } });
  expect(await late.count('token', '', never)).toBe(1);
  expect(opened).toBe(2);
});

it('is opened for those who wait when one of them leaves, and given up when it is closed', async () => {
  const opening = Promise.withResolvers<Catalog>();
  const told: AbortSignal[] = [];
  const late = new LateCatalog(({ signal }: Waiting) => {
    told.push(signal);
    signal.addEventListener('abort', () => opening.reject(signal.reason));
    return opening.promise;
  });
  const leaving = new AbortController();
  const first = late.get('token', 'one', leaving);
  const second = late.get('token', 'one', never);
  leaving.abort(new Error('gone'));
  await expect(first).rejects.toThrow('gone');
  expect(told.map(({ aborted }) => aborted)).toEqual([false]);
  await Promise.all([late[Symbol.asyncDispose](), expect(second).rejects.toThrow(/abort/i)]);
  expect(told.map(({ aborted }) => aborted)).toEqual([true]);
  await expect(late.get('token', 'one', never)).rejects.toThrow('after it was closed');
});
