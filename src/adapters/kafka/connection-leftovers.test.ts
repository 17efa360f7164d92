import { once } from 'node:events';
import { createRequire } from 'node:module';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { mendConnectionLeftovers } from './connection-leftovers.ts';

interface Connection {
  connect(): Promise<unknown>;
  disconnect(): Promise<unknown>;
  isConnected(): boolean;
  send(sent: object): Promise<Buffer>;
}

const require = createRequire(import.meta.url);
const KafkaConnection = require('kafkajs/src/network/connection') as new (options: object) => Connection;
const Encoder = require('kafkajs/src/protocol/encoder') as new () => object;
const quiet = { debug: () => undefined, error: () => undefined, info: () => undefined, warn: () => undefined };

const request = { apiKey: 18, apiVersion: 0, apiName: 'ApiVersions', encode: async () => new Encoder() };
const response = { decode: async (payload: Buffer) => payload, parse: async (decoded: Buffer) => decoded };

it('D6: an answer that is cut in the middle does not spoil the answers of the next connection', async () => {
  mendConnectionLeftovers();
  let sockets = 0;
  await using server = createServer((socket: Socket) => {
    sockets += 1;
    const isFirst = sockets === 1;
    socket.on('data', (asked: Buffer) => {
      const answer = Buffer.alloc(12);
      answer.writeInt32BE(8, 0);
      answer.writeInt32BE(asked.readInt32BE(8), 4);
      answer.write('fine', 8);
      if (isFirst) socket.end(answer.subarray(0, 6));
      else socket.write(answer);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const connection = new KafkaConnection({
    host: '127.0.0.1',
    port,
    logger: { namespace: () => quiet },
    socketFactory: ({ onConnect }: { onConnect: () => void }) => connect({ host: '127.0.0.1', port }, onConnect),
    requestTimeout: 20_000,
    enforceRequestTimeout: true,
    connectionTimeout: 20_000,
    clientId: 'test',
  });
  await connection.connect();
  await expect(connection.send({ request, response })).rejects.toThrow('Closed connection');
  await connection.connect();
  expect((await connection.send({ request, response })).toString()).toBe('fine');
  await connection.disconnect();
});
