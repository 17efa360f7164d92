import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, credentials, Metadata, status } from '@grpc/grpc-js';
import { methods } from '../../../src/stages/ingest/otlp-grpc/route.ts';
import { retrySeconds } from '../../support/retry-seconds.ts';
import { post } from '../sender.ts';
import { jsonOf, otlpRequest, protobufOf, type OtlpRequest } from './telemetry.ts';

/** What its sender knows of a request. */
export type Told = 'acknowledged' | 'refused' | 'unknown';

/** Ways in for OpenTelemetry. */
export const otlpFaces = ['HTTP in protobuf', 'HTTP in JSON', 'gRPC'] as const;
export type OtlpFace = (typeof otlpFaces)[number];

export interface OtlpSenderOptions {
  /** Address of the source over HTTP, with its secret. */
  readonly url: string;
  readonly secret: string;
  readonly grpcPort: number;
  /** Between two requests of a lane. */
  readonly pauseMs: number;
  /** How many at a time of each face; one of gRPC has a connection of its own. Default: one. */
  readonly lanes?: number;
}

export interface OtlpSender {
  /** How many requests each face has acknowledged. */
  readonly acknowledged: Readonly<Record<OtlpFace, number>>;
  readonly lastAnswers: Readonly<Record<OtlpFace, string>>;
  /** How long each face has waited for its answers, in milliseconds. */
  readonly waited: Readonly<Record<OtlpFace, readonly number[]>>;
  /** Each request that was not acknowledged. */
  readonly refusals: readonly OtlpRefusal[];
  /** Resolves when every request has its answer or its error: what became of each, by its number. */
  stop(): Promise<readonly Told[]>;
}

export interface OtlpRefusal {
  readonly face: OtlpFace;
  readonly index: number;
  /** A status of HTTP, or of gRPC; undefined: no answer came. */
  readonly code: number | undefined;
  /** Of a RetryInfo over gRPC, in seconds. */
  readonly retryAfter: number | undefined;
  readonly text: string;
}

interface Answer extends Partial<Pick<OtlpRefusal, 'code' | 'retryAfter'>> {
  readonly told: Told;
  /** For a person. */
  readonly text: string;
}

const patienceMs = 30_000;
/** So that senders leave the processor to a process that starts. */
const afterRefusalMs = 50;

/** A request that was refused with one of these is not stored; after every other error nobody knows. */
const refusing: ReadonlySet<number> = new Set([
  status.INVALID_ARGUMENT,
  status.NOT_FOUND,
  status.RESOURCE_EXHAUSTED,
  status.UNIMPLEMENTED,
  status.PERMISSION_DENIED,
  status.UNAUTHENTICATED,
]);

/** Sends numbered requests over every face without pause, each once, whatever becomes of it. */
export function startOtlpSender({ url, secret, grpcPort, pauseMs, lanes: count = 1 }: OtlpSenderOptions): OtlpSender {
  const acknowledged = { 'HTTP in protobuf': 0, 'HTTP in JSON': 0, gRPC: 0 };
  const lastAnswers = { 'HTTP in protobuf': '', 'HTTP in JSON': '', gRPC: '' };
  const waited: Record<OtlpFace, number[]> = { 'HTTP in protobuf': [], 'HTTP in JSON': [], gRPC: [] };
  const all: Told[] = [];
  const refusals: OtlpRefusal[] = [];
  const agent = new Agent({ keepAlive: true, maxSockets: 2 * count });
  const clients = Array.from({ length: count }, () => clientOf(grpcPort));
  const ways: Readonly<Record<OtlpFace, (request: OtlpRequest, at: number) => Promise<Answer>>> = {
    'HTTP in protobuf': async (request) => overHttp(agent, url, { request, type: 'application/x-protobuf' }),
    'HTTP in JSON': async (request) => overHttp(agent, url, { request, type: 'application/json' }),
    gRPC: async (request, at) => overGrpc(clients[at], secret, request),
  };
  const stopping = new AbortController();
  const lane = async (face: OtlpFace, at: number): Promise<void> => {
    while (!stopping.signal.aborted) {
      const index = all.push('unknown') - 1;
      const startedAt = performance.now();
      const { told, text, code, retryAfter } = await ways[face](otlpRequest(index), at);
      waited[face].push(performance.now() - startedAt);
      all[index] = told;
      lastAnswers[face] = text;
      if (told === 'acknowledged') acknowledged[face] += 1;
      else refusals.push({ face, index, code, retryAfter, text });
      await sleep(told === 'acknowledged' ? pauseMs : Math.max(pauseMs, afterRefusalMs));
    }
  };
  const lanes = otlpFaces.flatMap((face) => clients.map((_, at) => lane(face, at)));
  return {
    acknowledged,
    lastAnswers,
    waited,
    refusals,
    stop: async () => {
      stopping.abort();
      await Promise.all(lanes);
      agent.destroy();
      for (const client of clients) client.close();
      return all;
    },
  };
}

async function overHttp(
  agent: Agent,
  url: string,
  { request, type }: { readonly request: OtlpRequest; readonly type: 'application/x-protobuf' | 'application/json' },
): Promise<Answer> {
  const body = type === 'application/json' ? jsonOf(request) : protobufOf(request);
  const { status: code, text } = await post(agent, `${url}/v1/${request.signal}`, {
    headers: { 'Content-Type': type },
    body,
  });
  if (code === 200) return { told: 'acknowledged', text };
  return { told: code !== undefined && code < 500 ? 'refused' : 'unknown', text: `${code} ${text}`, code };
}

/** With a connection of its own. */
function clientOf(port: number): Client {
  return new Client(`127.0.0.1:${port}`, credentials.createInsecure(), {
    'grpc.use_local_subchannel_pool': 1,
    'grpc.enable_retries': 0,
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 500,
  });
}

function overGrpc(client: Client | undefined, secret: string, request: OtlpRequest): Promise<Answer> {
  if (client === undefined) throw new Error('each lane has its client');
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${secret}`);
  const asItIs = (bytes: Buffer): Buffer => bytes;
  const options = { deadline: Date.now() + patienceMs };
  return new Promise((resolve) => {
    const method = methods[request.signal];
    client.makeUnaryRequest(method, asItIs, asItIs, protobufOf(request), metadata, options, (error) => {
      if (error === null) {
        resolve({ told: 'acknowledged', text: 'OK' });
        return;
      }
      const { code, message: text } = error;
      const retryAfter = retrySeconds(error.metadata?.get('grpc-status-details-bin')[0]);
      resolve({ told: refusing.has(code) ? 'refused' : 'unknown', text, code, retryAfter });
    });
  });
}
