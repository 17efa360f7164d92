import { expect, it } from 'vitest';
import { connectionShares, mostOpenFiles } from './connection-shares.ts';

it('D8: leaves the listeners no more connections than files, with some for the product itself and for each listener', () => {
  expect(connectionShares(undefined)).toEqual({ admin: 5000, otlpGrpc: 5000, ingest: 200_000 });
  expect(connectionShares(1_048_576)).toEqual({ admin: 5000, otlpGrpc: 5000, ingest: 200_000 });
  expect(connectionShares(1_048_576, 300_000)).toEqual({ admin: 5000, otlpGrpc: 5000, ingest: 300_000 });
  expect(connectionShares(1024)).toEqual({ admin: 96, otlpGrpc: 96, ingest: 576 });
  expect(connectionShares(20_000)).toEqual({ admin: 1875, otlpGrpc: 1875, ingest: 11_250 });
  expect(connectionShares(1024, 100)).toEqual({ admin: 96, otlpGrpc: 96, ingest: 100 });
  expect(connectionShares(64)).toEqual({ admin: 16, otlpGrpc: 16, ingest: 16 });
});

it.runIf(process.platform === 'linux')('reads how many files this process may have open', async () => {
  expect(await mostOpenFiles()).toBeGreaterThan(0);
});
