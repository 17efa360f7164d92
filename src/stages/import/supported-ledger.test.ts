import { expect, test } from 'vitest';
import { checkSupported } from './supported-ledger.ts';

test('D3: a store without transactions over rows and ledger is refused, in words', () => {
  expect(() => checkSupported({ atomicity: 'sameTransaction' })).not.toThrow();
  expect(() => checkSupported({ atomicity: 'idempotentById' })).toThrow(
    expect.objectContaining({
      code: 'cluster.unfit',
      message: expect.stringContaining('share a transaction') as string,
    }),
  );
});
