import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { WireReader, WireWriter } from '../../src/adapters/kafka/wire.ts';

/** A broker that knows the other brokers and nothing else; for what becomes of one that hangs. */
export interface SmallBroker extends AsyncDisposable {
  readonly port: number;
  /** Connections that were opened to it. */
  readonly connections: () => number;
  /** From now on requests are read and not answered, also on connections to come. */
  hang(): void;
  goOn(): void;
}

/** A request that a small broker does not know by itself. */
export interface SmallRequest {
  /** Of the broker that was asked. */
  readonly id: number;
  readonly apiKey: number;
  readonly version: number;
  /** What follows the client id. */
  readonly body: WireReader;
}

/** The body of an answer; `silent`: there is none, and the connection stays; `cut`: it ends. Undefined: the broker's own answer. */
export type SmallAnswer = ((answer: WireWriter) => void) | 'silent' | 'cut' | undefined;

const [listOffsets, metadata] = [2, 3];
const apiVersions = 18;
const createTopics = 19;
const invalidReplicationFactor = 38;

/**
 * Brokers with the ids 1, 2, …, each of which names them all. Whoever asks for topics gets those of `topicErrors`, each with its
 * error code; none can be made, because there are too few brokers.
 */
export async function startSmallBrokers(
  count: number,
  topicErrors: ReadonlyMap<string, number> = new Map(),
  answer: (request: SmallRequest) => SmallAnswer = () => undefined,
): Promise<readonly SmallBroker[]> {
  const ports: number[] = [];
  const brokers: SmallBroker[] = [];
  for (let started = 0; started < count; started += 1) {
    const broker = await startSmallBroker({ id: started + 1, ports, topicErrors, answer });
    brokers.push(broker);
    ports.push(broker.port);
  }
  return brokers;
}

interface Knowledge {
  readonly id: number;
  readonly ports: readonly number[];
  readonly topicErrors: ReadonlyMap<string, number>;
  readonly answer: (request: SmallRequest) => SmallAnswer;
}

async function startSmallBroker(knowledge: Knowledge): Promise<SmallBroker> {
  const sockets = new Set<Socket>();
  let opened = 0;
  let hangs = false;
  const server = createServer((socket) => {
    opened += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    let read = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      read = Buffer.concat([read, chunk]);
      for (
        ;
        read.length >= 4 && read.length >= 4 + read.readInt32BE(0);
        read = read.subarray(4 + read.readInt32BE(0))
      ) {
        if (!hangs) answerOn(socket, read.subarray(4), knowledge);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => opened,
    hang: () => (hangs = true),
    goOn: () => (hangs = false),
    [Symbol.asyncDispose]: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

function answerOn(socket: Socket, bytes: Buffer, knowledge: Knowledge): void {
  const request = new WireReader(bytes);
  const [apiKey, version, correlation] = [request.int16(), request.int16(), request.int32()];
  request.string(); // client id
  const given = knowledge.answer({ id: knowledge.id, apiKey, version, body: request });
  if (given === 'cut') socket.destroy();
  if (given === 'cut' || given === 'silent') return;
  if (given === undefined) {
    socket.write(answerTo(new WireReader(bytes), knowledge));
    return;
  }
  const answer = new WireWriter().int32(0).int32(correlation);
  given(answer);
  socket.write(framed(answer));
}

function framed(answer: WireWriter): Buffer {
  const bytes = answer.bytes();
  bytes.writeInt32BE(bytes.length - 4, 0);
  return bytes;
}

/** ApiVersions, of which ListOffsets and Metadata up to version 1 are two, and Metadata in that version, or in version 12 when asked so. */
function answerTo(request: WireReader, { ports, topicErrors }: Knowledge): Buffer {
  const apiKey = request.int16();
  const version = request.int16();
  const answer = new WireWriter().int32(0).int32(request.int32());
  if (apiKey === apiVersions) {
    answer
      .int16(0)
      .int32(4)
      .int16(listOffsets)
      .int16(1)
      .int16(1)
      .int16(createTopics)
      .int16(0)
      .int16(0)
      .int16(apiVersions)
      .int16(0)
      .int16(2)
      .int16(metadata)
      .int16(0)
      .int16(1);
    if (version > 0) answer.int32(0);
  } else if (apiKey === createTopics) {
    answer.int32(1).string('any').int16(invalidReplicationFactor);
  } else if (version === 12) {
    const [noBrokers, noPartitions, controller, throttleMs, operations] = [0, 0, 1, 0, 0];
    answer.noTaggedFields().int32(throttleMs).compactLength(noBrokers).compactString('').int32(controller);
    answer.compactLength(topicErrors.size);
    for (const [name, error] of topicErrors)
      answer
        .int16(error)
        .compactString(name)
        .zeros(16)
        .int8(0)
        .compactLength(noPartitions)
        .int32(operations)
        .noTaggedFields();
    answer.noTaggedFields();
  } else {
    answer.int32(ports.length);
    for (const [index, port] of ports.entries())
      answer
        .int32(index + 1)
        .string('127.0.0.1')
        .int32(port)
        .string(undefined);
    answer.int32(1).int32(0);
  }
  return framed(answer);
}
