import type { Socket } from 'node:net';
import type { Broker } from 'kafkajs';
import { MillraceError } from '../../core/millrace-error.ts';

/** A request that the driver has no method for. */
export interface RawRequest<T> {
  readonly apiKey: number;
  readonly apiVersion: number;
  readonly apiName: string;
  /** What follows the client id. */
  readonly bytes: Buffer;
  /** For requests that the broker answers late on purpose; absent: the connection's own. */
  readonly timeoutMs?: number;
  /** Reads what follows the correlation id. */
  readonly read: (bytes: Buffer) => T;
}

interface TopicPartitions<P> {
  readonly topic: string;
  readonly partitions: readonly P[];
}

interface Connection {
  connect(): Promise<unknown>;
  disconnect(): Promise<unknown>;
  send(request: unknown): Promise<unknown>;
  readonly socket?: Socket | null;
}

/** What a broker of kafkajs can do besides what its type declarations say. */
export interface FullBroker extends Broker {
  listOffsets(request: {
    readonly replicaId: number;
    readonly isolationLevel: number;
    readonly topics: readonly TopicPartitions<{ readonly partition: number; readonly timestamp: string }>[];
  }): Promise<{
    readonly responses: readonly TopicPartitions<{ readonly partition: number; readonly offset: string }>[];
  }>;
  syncGroup(request: {
    readonly groupId: string;
    readonly generationId: number;
    readonly memberId: string;
    readonly groupAssignment: readonly { readonly memberId: string; readonly memberAssignment: Buffer }[];
  }): Promise<{ readonly memberAssignment: Buffer }>;
  heartbeat(request: {
    readonly groupId: string;
    readonly groupGenerationId: number;
    readonly memberId: string;
  }): Promise<unknown>;
  leaveGroup(request: { readonly groupId: string; readonly memberId: string }): Promise<unknown>;
  createPartitions(request: {
    readonly topicPartitions: readonly { readonly topic: string; readonly count: number }[];
  }): Promise<unknown>;
  deleteRecords(request: {
    readonly topics: readonly TopicPartitions<{ readonly partition: number; readonly offset: string }>[];
  }): Promise<unknown>;
  readonly connectionPool: { send(protocol: unknown): Promise<unknown>; readonly pool: readonly Connection[] };
}

/**
 * The broker with the methods that kafkajs 2.2.4 has and does not declare; another release of kafkajs that lacks them
 * fails here, not in the middle of something.
 */
export function fullBroker(broker: Broker): FullBroker {
  if (isFullBroker(broker)) {
    for (const connection of broker.connectionPool.pool) mendConnection(connection);
    return broker;
  }
  throw new MillraceError('internal.bug', 'this release of kafkajs has other brokers than the adapter knows');
}

const undeclared = ['listOffsets', 'createPartitions', 'deleteRecords', 'syncGroup', 'heartbeat', 'leaveGroup'];

function isFullBroker(broker: Broker): broker is FullBroker {
  return (
    undeclared.every((method) => method in broker) &&
    'connectionPool' in broker &&
    typeof broker.connectionPool === 'object' &&
    broker.connectionPool !== null &&
    'send' in broker.connectionPool &&
    'pool' in broker.connectionPool
  );
}

const mended = new WeakSet<Connection>();

/**
 * kafkajs opens a socket for each request that finds the connection closed, and keeps only the last one in sight; and
 * each disconnection of a dead socket leaves a listener on it, many of them while a broker is away. It also keeps a
 * connection on which requests are not answered: one to a machine that is gone would stay for a quarter of an hour,
 * until the system gives it up.
 */
function mendConnection(connection: Connection): void {
  if (mended.has(connection)) return;
  mended.add(connection);
  const [connect, disconnect] = [connection.connect.bind(connection), connection.disconnect.bind(connection)];
  const send = connection.send.bind(connection);
  let connecting: Promise<unknown> | undefined;
  connection.connect = () => (connecting ??= connect().finally(() => (connecting = undefined)));
  connection.disconnect = () =>
    disconnect().finally(() => {
      if (connection.socket?.destroyed === true) connection.socket.removeAllListeners('connect');
    });
  connection.send = async (request) => {
    try {
      return await send(request);
    } catch (thrown) {
      if (thrown instanceof Error && thrown.name === 'KafkaJSRequestTimeoutError') await hangUp(connection.socket);
      throw thrown;
    }
  };
}

/** When it resolves, kafkajs has settled what was under way and knows that it is not connected. */
async function hangUp(socket: Socket | null | undefined): Promise<void> {
  if (!socket || socket.destroyed) return;
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.destroy(Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' }));
  await closed;
  await new Promise(setImmediate);
}

/** Ends the connection on which requests other than fetches wait for their answers; they fail. */
export function hangUpRequests(broker: FullBroker): void {
  void hangUp(broker.connectionPool.pool[0]?.socket);
}

/** Sends the request over the broker's own, authenticated connection. */
export async function sendRaw<T>(broker: FullBroker, raw: RawRequest<T>): Promise<T> {
  const { apiKey, apiVersion, apiName, bytes, read, timeoutMs = 0 } = raw;
  let answer: { readonly value: T } | undefined;
  await broker.connectionPool.send({
    requestTimeout: timeoutMs,
    request: {
      apiKey,
      apiVersion,
      apiName,
      // The part of kafkajs's encoder that its framing reads.
      encode: () => Promise.resolve({ buf: bytes, buffer: bytes, size: () => bytes.length }),
    },
    response: {
      decode: (payload: Buffer) => {
        answer = { value: read(payload) };
        return Promise.resolve({});
      },
      parse: (decoded: unknown) => Promise.resolve(decoded),
    },
  });
  if (answer === undefined) throw new MillraceError('log.unavailable', `${apiName} was not answered`);
  return answer.value;
}
