import { expect, it } from 'vitest';
import type { FullBroker } from './broker.ts';
import { Producers } from './producers.ts';

const at = { topic: 'orders', identity: 'a', partition: 0 };

/** Ids 1, 2, … for whoever asks. */
function ids() {
  let last = 0n;
  return { onAnyBroker: async <T>(_call: (broker: FullBroker) => Promise<T>) => ({ id: (last += 1n), epoch: 0 }) as T };
}

it('D2: what was begun before its producer was forgotten encodes nothing any more', async () => {
  const producers = new Producers(ids());
  const record = { value: Buffer.from('a'), headers: [], timestamp: 0 };
  const before = await producers.encoder(at);
  expect(before([record])).toBeDefined();
  producers.forget(at);
  expect(before([record])).toBeUndefined();
  const after = await producers.encoder(at);
  expect([before([record]), after([record])?.length]).toEqual([undefined, expect.any(Number)]);
});
