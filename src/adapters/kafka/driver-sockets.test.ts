import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
