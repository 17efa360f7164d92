import { describe, expect, it } from 'vitest';
import { startSmallBrokers } from '../../../test/support/small-broker.ts';
import { sendRaw, type FullBroker } from './broker.ts';
import { createKafka, KafkaConnections } from './client.ts';
import { WireWriter } from './wire.ts';

/** Asks for no topics; gives how many brokers the answer names. */
function countBrokers(broker: FullBroker): Promise<number> {
  const bytes = new WireWriter().int32(0).bytes();
  const read = (answer: Buffer): number => answer.readInt32BE(0);
  return sendRaw(broker, { apiKey: 3, apiVersion: 1, apiName: 'Metadata', bytes, read });
}

describe('a broker that hangs', () => {
  // A request to it would last longer than this test may.
  it('holds up nothing that another broker knows as well', { timeout: 45_000 }, async () => {
    await using stack = new AsyncDisposableStack();
    const [one, two] = (await startSmallBrokers(2)).map((broker) => stack.use(broker));
    const brokers = [`127.0.0.1:${one?.port}`, `127.0.0.1:${two?.port}`];
    const options = { brokers, clientId: 'test', requestTimeoutMs: 60_000 };
    const connections = new KafkaConnections(createKafka(options, 'test'));
    expect(await connections.onAnyBroker(countBrokers)).toBe(2);
    one?.hang();
    expect(await connections.onAnyBroker(countBrokers)).toBe(2);
    one?.goOn();
    two?.hang();
    expect(await connections.onAnyBroker(countBrokers)).toBe(2);
  });

  it('is asked over another connection after a request that it did not answer', async () => {
    await using stack = new AsyncDisposableStack();
    const [one] = (await startSmallBrokers(1)).map((broker) => stack.use(broker));
    const options = { brokers: [`127.0.0.1:${one?.port}`], clientId: 'test', requestTimeoutMs: 3000 };
    const connections = new KafkaConnections(createKafka(options, 'test'));
    const ask = async (): Promise<number> => countBrokers(await connections.broker(1));
    expect(await ask()).toBe(1);
    const before = one?.connections() ?? 0;
    one?.hang();
    await expect(ask()).rejects.toThrow(/timed out/);
    one?.goOn();
    expect(await ask()).toBe(1);
    expect(one?.connections()).toBeGreaterThan(before);
    await connections.close();
  });
});
