import { createServer } from 'node:net';
import {
  logVerbosity,
  Server,
  ServerCredentials,
  setLogVerbosity,
  type ConnectionInjector,
  type sendUnaryData,
  type ServiceDefinition,
} from '@grpc/grpc-js';
import type { Signal } from '../../../core/event.ts';
import { MillraceError } from '../../../core/millrace-error.ts';
import { parseTrustedProxies } from '../../../core/sender-address.ts';
import type { SharedTally } from '../../../core/shared-tally.ts';
import { refusals } from '../../../events/refusal.ts';
import { HttpListener } from '../../../listener/http-listener.ts';
import { limitConnections, type ConnectionLimits } from '../../../listener/limit-connections.ts';
import type { Acceptor } from '../accept/acceptor.ts';
import type { IngestListener } from '../accept/ingest-listener.ts';
import { ListenerLife, type Transport, type TransportNeeds } from '../accept/listener-life.ts';
import { refusedCall } from './answer.ts';
import { ArrivingCalls } from './arriving-calls.ts';
import { bareCall, type BytesCall } from './bare-call.ts';
import { Call, tellRefused, type CallContext } from './call.ts';
import { closeAtExit } from './close-at-exit.ts';
import { endAnswered } from './end-answered.ts';
import { OtlpCalls } from './face.ts';
import { headersOf, textOf } from './metadata.ts';
import { methods } from './route.ts';

/** Where OTLP over gRPC is taken, and what bounds it there (D8). */
export interface OtlpGrpcConfig extends ConnectionLimits {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Other threads of this process listen there, too; absent: none does. */
  readonly isShared?: boolean;
  /** A message, as it comes and as it is decompressed. */
  readonly maxBodyBytes: number;
  /** From the metadata of a call to the last byte of its message. */
  readonly requestTimeoutMs: number;
  /** A connection without a call is closed after this, and one whose peer has not answered a ping for so long. */
  readonly idleTimeoutMs: number;
  /** Addresses and CIDR ranges of proxies whose forwarding metadata are believed. */
  readonly trustedProxies: readonly string[];
  /** What calls take that arrive at all threads; absent: this is the only one. */
  readonly arrivingTogether?: SharedTally | undefined;
}

export interface OtlpGrpcOptions {
  readonly acceptor: Acceptor;
  /** Whose sources these are. */
  readonly projectId: number;
  readonly config: OtlpGrpcConfig;
}

/** Logs, metrics and traces as OTLP over gRPC sends them. */
export interface OtlpGrpcIngest extends IngestListener {
  /** How many calls are being received or stored. */
  readonly requests: number;
}

const id = 'otlp-grpc';
/**
 * Of one connection: senders wait for a turn beyond it, and whoever does not loses the connection. It bounds what a connection can make
 * this thread do before others have their turn: 64 KB of calls that are read at once are a thousand. As many as clients may take for
 * granted (RFC 9113, 6.5.2).
 */
const callsPerConnection = 100;

// What it says is lines of its own on standard error, and the metadata of a call may be in them (A29).
setLogVerbosity(logVerbosity.NONE);

/** Makes the listener; it does nothing before its start. `config.invalid` for a trusted proxy that is no address. */
export function createOtlpGrpcIngest(options: OtlpGrpcOptions): OtlpGrpcIngest {
  return new ListenerLife<Call>(id, options.acceptor, (needs) => createTransport(options, needs));
}

function createTransport(options: OtlpGrpcOptions, { intakes }: TransportNeeds<Call>): Transport {
  const { acceptor, config } = options;
  const { host, port, isShared = false, maxBodyBytes, requestTimeoutMs } = config;
  const proxies = parseTrustedProxies(config.trustedProxies);
  const arriving = new ArrivingCalls(acceptor.limits.maxBufferedBytes, proxies, config.arrivingTogether);
  const rpc = createRpcServer(options, { acceptor, intakes, arriving, proxies, maxBodyBytes, requestTimeoutMs });
  let connections = takeConnections(rpc);
  // The library does not say who may connect, nor give back an address: it gets connections that have been counted.
  const server = createServer({ noDelay: true });
  const listener = new HttpListener(server, { host, port, isShared, name: id });
  limitConnections(server, { ...config, proxies, ...acceptor }, (socket) => connections.injectConnection(socket));
  closeAtExit(listener);
  const closeThose = (isMeant: (bytesRead: number) => boolean): void => {
    for (const socket of listener.sockets) if (isMeant(socket.bytesRead)) socket.destroy();
  };
  return {
    ended: listener.ended,
    start: () => listener.start(),
    address: () => listener.address(),
    close: () => {
      listener.close();
      connections.destroy();
    },
    closeUnused: () => closeThose((bytesRead) => bytesRead === 0),
    renew: () => {
      const open = connections;
      connections = takeConnections(rpc);
      open.destroy();
    },
    // What was just answered is written at the end of this turn.
    closeAll: () => void setImmediate(() => closeThose(() => true)),
  };
}

/** What takes connections from now on. Its end tells each of them to go away when its calls have their answers. */
function takeConnections(rpc: Server): ConnectionInjector {
  const connections = rpc.createConnectionInjector(ServerCredentials.createInsecure());
  endAnswered(rpc);
  return connections;
}

function createRpcServer({ acceptor, projectId, config }: OtlpGrpcOptions, context: CallContext): Server {
  const server = new Server({
    'grpc.max_concurrent_streams': callsPerConnection,
    // `Call` counts what arrives, and says so in our words.
    'grpc.max_receive_message_length': -1,
    'grpc.max_connection_idle_ms': config.idleTimeoutMs,
    // Whoever answers no ping does not read, or is not there: nothing waits in memory for him.
    'grpc.keepalive_time_ms': config.idleTimeoutMs,
    'grpc.keepalive_timeout_ms': config.idleTimeoutMs,
    'grpc.enable_channelz': 0,
  });
  const calls = new OtlpCalls(acceptor.sources, projectId);
  for (const signal of Object.keys(methods) as Signal[])
    server.addService(serviceOf(methods[signal]), {
      Export: (call: BytesCall, answer: sendUnaryData<Buffer>) => take({ context, calls, signal }, call, answer),
    });
  return server;
}

/** Over the wire it is a call with one message; as a stream its metadata are seen before that is read. */
function serviceOf(path: string): ServiceDefinition {
  const asItIs = (bytes: Buffer): Buffer => bytes;
  return {
    Export: {
      path,
      requestStream: true,
      responseStream: false,
      requestSerialize: asItIs,
      requestDeserialize: asItIs,
      responseSerialize: asItIs,
      responseDeserialize: asItIs,
    },
  };
}

interface Taking {
  readonly context: CallContext;
  readonly calls: OtlpCalls;
  readonly signal: Signal;
}

/** Decides by the metadata, and lets a `Call` receive what belongs to a source. A defect of ours is answered and told. */
function take({ context, calls, signal }: Taking, call: BytesCall, answer: sendUnaryData<Buffer>): void {
  const { acceptor, intakes } = context;
  try {
    const bare = bareCall(call);
    const headers = headersOf(call.metadata, call.getHost());
    const head = {
      authorization: textOf(call.metadata, 'authorization'),
      source: textOf(call.metadata, 'millrace-source'),
      headers,
      now: acceptor.clock.now(),
    };
    const target = intakes.isClosing ? refusedCall(refusals.shutdown) : calls.admit(head);
    if (target.kind === 'refusedCall') tellRefused(context, { answer }, target);
    else new Call(context, { call, bare, answer, headers, addressed: { target, signal } }).receive();
  } catch (error) {
    acceptor.telemetry.failed(MillraceError.fromUnknown(error));
    answer(refusedCall(refusals.internalError));
  }
}
