import { Agent } from 'node:http';
import { describe, expect, it } from 'vitest';
import { composeProduct } from '../support/composed-product.ts';
import { lastingPort } from '../support/free-port.ts';
import { postNumber } from '../support/timed-sender.ts';

describe.each(['ingest', 'admin'] as const)(
  'the usual port of OTLP over gRPC that the listener %s was given',
  (listener) => {
    it.each([1, 2])('D9: is that of the listener, and keeps nobody from starting: %i threads', async (threads) => {
      const port = await lastingPort();
      await using product = await composeProduct({
        threads,
        configured: (config) => ({
          ...config,
          [listener]: { ...config[listener], port },
          otlpGrpc: { ...config.otlpGrpc, port, isAsked: false },
        }),
      });
      const shop = product.shop();
      await shop.create([{ sinkId: 'orders', tableId: 'in.c-shop.orders' }]);
      const url = await shop.url();
      expect(Number(new URL(listener === 'ingest' ? url : product.admin).port)).toBe(port);
      // Each over a connection of its own: whoever else listened there would get some.
      for (let number = 1; number <= 20; number += 1)
        expect(await postNumber({ url, number, agent: new Agent() })).toMatchObject({ status: 200 });
    });
  },
);
