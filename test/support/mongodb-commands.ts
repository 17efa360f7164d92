import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { BSON } from 'mongodb';

/** A command as it went over the wire. */
export type MongodbCommand = Readonly<Record<string, unknown>>;

export interface CommandProxy extends AsyncDisposable {
  readonly port: number;
  /** Every command so far, in its order; the first key is its name. */
  readonly commands: readonly MongodbCommand[];
}

const headerBytes = 16;
const opMsg = 2013;

/** A TCP proxy before a MongoDB of this machine that reads along what clients ask (OP_MSG of MongoDB's wire protocol). */
export async function startCommandProxy(serverPort: number): Promise<CommandProxy> {
  const commands: MongodbCommand[] = [];
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    const server = connect(serverPort, '127.0.0.1');
    let received = Buffer.alloc(0);
    client.on('data', (bytes: Buffer) => {
      received = Buffer.concat([received, bytes]);
      for (let length = lengthOf(received); length > 0 && received.length >= length; length = lengthOf(received)) {
        const command = commandOf(received.subarray(0, length));
        if (command !== undefined) commands.push(command);
        received = received.subarray(length);
      }
      server.write(bytes);
    });
    server.on('data', (bytes: Buffer) => client.write(bytes));
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        server.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    port: (proxy.address() as AddressInfo).port,
    commands,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}

function lengthOf(received: Buffer): number {
  return received.length < 4 ? 0 : received.readInt32LE(0);
}

/** The body of a message: its section of kind 0. Undefined for the handshake of older servers. */
function commandOf(message: Buffer): MongodbCommand | undefined {
  if (message.readInt32LE(12) !== opMsg) return undefined;
  // Sections follow the flags; one of kind 1 holds the documents of a write, and its length.
  for (let at = headerBytes + 4; at < message.length; at += 1 + message.readInt32LE(at + 1))
    if (message[at] === 0) return BSON.deserialize(message.subarray(at + 1, at + 1 + message.readInt32LE(at + 1)));
  return undefined;
}
