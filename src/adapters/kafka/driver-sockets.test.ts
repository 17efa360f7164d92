import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { startSmallBrokers } from '../../../test/support/small-broker.ts';
import { createKafka, KafkaConnections } from './client.ts';
import { DriverSockets } from './driver-sockets.ts';

describe('the sockets of a driver', () => {
  let server: Server;
  let sockets: DriverSockets;

  beforeEach(async () => {
    server = createServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    sockets = new DriverSockets();
  });

  afterEach(() => {
    server.close();
    vi.restoreAllMocks();
  });

  async function open(): Promise<void> {
    const { port } = server.address() as AddressInfo;
    await new Promise<void>((resolve) => {
      sockets.factory({ host: '127.0.0.1', port, onConnect: resolve } as Parameters<DriverSockets['factory']>[0]);
    });
  }

  it('D10: those that the driver has forgotten end with it, so that they do not keep the process', async () => {
    await open();
    await open();
    expect(sockets.count).toBe(2);
    await sockets.endAfter(Promise.resolve());
    await eventually(() => expect(sockets.count).toBe(0));
  });

  it('end also when the driver fails to disconnect, whose reason is told', async () => {
    await open();
    await expect(sockets.endAfter(Promise.reject(new Error('no way')))).rejects.toThrow('no way');
    await eventually(() => expect(sockets.count).toBe(0));
  });

  it('D10: a connection that the driver has forgotten leaves no timer, which would keep the process as a socket does', async () => {
    await using stack = new AsyncDisposableStack();
    const [broker] = (await startSmallBrokers(1)).map((one) => stack.use(one));
    const begun = vi.spyOn(globalThis, 'setInterval');
    const ended = vi.spyOn(globalThis, 'clearInterval');
    const options = { brokers: [`127.0.0.1:${broker?.port}`], clientId: 'test' };
    await new KafkaConnections(createKafka(options, 'test', sockets)).broker(1);
    const timers = begun.mock.results.map(({ value }) => value as unknown);
    expect(timers.length).toBeGreaterThan(0);
    await sockets.endAfter(Promise.resolve());
    await eventually(() => expect(ended.mock.calls.map(([timer]) => timer)).toEqual(expect.arrayContaining(timers)));
  });

  it('D10: those that the driver opens after its end are ended at once', async () => {
    await sockets.endAfter(Promise.resolve());
    const { port } = server.address() as AddressInfo;
    const given = { host: '127.0.0.1', port, onConnect: () => undefined };
    const socket = sockets.factory(given as Parameters<DriverSockets['factory']>[0]);
    const [error] = (await once(socket, 'error', { signal: AbortSignal.timeout(10_000) })) as [Error];
    expect(error.message).toBe('the log is closed');
    expect(sockets.count).toBe(0);
  });

  it('are all that the driver opens, and none is left when it is closed', async () => {
    await using stack = new AsyncDisposableStack();
    const [broker] = (await startSmallBrokers(1)).map((one) => stack.use(one));
    const options = { brokers: [`127.0.0.1:${broker?.port}`], clientId: 'test' };
    const connections = new KafkaConnections(createKafka(options, 'test', sockets));
    await connections.broker(1);
    expect(sockets.count).toBeGreaterThan(0);
    await sockets.endAfter(connections.close());
    await eventually(() => expect(sockets.count).toBe(0));
  });
});
