import { Client, credentials, Metadata, status, type CallOptions, type ClientUnaryCall } from '@grpc/grpc-js';
import type { Signal } from '../../src/core/event.ts';
import type { SourceId } from '../../src/core/ids.ts';
import { acceptDefaults, type AcceptLimits } from '../../src/stages/ingest/accept/accept-limits.ts';
import { createAcceptor, type Acceptor } from '../../src/stages/ingest/accept/acceptor.ts';
import type { DirectorySource } from '../../src/stages/ingest/accept/source-directory.ts';
import { methods } from '../../src/stages/ingest/otlp-grpc/route.ts';
import {
  createOtlpGrpcIngest,
  type OtlpGrpcConfig,
  type OtlpGrpcIngest,
} from '../../src/stages/ingest/otlp-grpc/otlp-grpc-ingest.ts';
import { StillClock, tellingObserver, testSecret, testSource } from './ingest-harness.ts';
import { createAppendLog, type AppendLog } from './memory-event-log.ts';
import { retrySeconds } from './retry-seconds.ts';

/** A source `shop` of branch 1 that takes OTLP. */
export function otlpSource(changes: Partial<DirectorySource> = {}): DirectorySource {
  const { key } = testSource();
  return testSource({
    key: { ...key, sourceId: 'shop' as SourceId },
    type: 'otlp',
    topic: 'source.1.shop',
    ...changes,
  });
}

/** What a client is told. */
export interface Told {
  readonly code: number;
  readonly details: string;
  /** Seconds of a RetryInfo; undefined without one. */
  readonly retryAfter: number | undefined;
  readonly response: Buffer | undefined;
}

export interface CallChanges extends CallOptions {
  /** Instead of the right ones; a value that is undefined leaves one out. */
  readonly metadata?: Readonly<Record<string, string | Buffer | undefined>>;
  /** Instead of that of the signal. */
  readonly path?: string;
  /** How the client compresses: 1 deflate, 2 gzip. */
  readonly compression?: 1 | 2;
  readonly onCall?: (call: ClientUnaryCall) => void;
}

export interface OtlpGrpcHarness extends AsyncDisposable {
  readonly service: OtlpGrpcIngest;
  readonly running: Promise<void>;
  readonly acceptor: Acceptor;
  readonly log: AppendLog;
  readonly clock: StillClock;
  readonly port: number;
  /** Everything that was told to the metrics, as text. */
  readonly told: readonly string[];
  send(signal: Signal, message: Buffer, changes?: CallChanges): Promise<Told>;
  setSources(sources: readonly DirectorySource[]): void;
  /** The bodies of what was stored. */
  bodies(topic?: string): readonly string[];
}

export async function startOtlpGrpc(
  sources: readonly DirectorySource[] = [otlpSource()],
  config: Partial<OtlpGrpcConfig & AcceptLimits> = {},
  retries: 'retries' | 'none' = 'none',
): Promise<OtlpGrpcHarness> {
  const log = createAppendLog({ keep: true });
  const clock = new StillClock();
  const told: string[] = [];
  const directory = {
    version: 1,
    sources,
    find: (projectId: number, sourceId: string): readonly DirectorySource[] =>
      projectId === 1 ? directory.sources.filter(({ key }) => key.sourceId === sourceId) : [],
    all: (): readonly DirectorySource[] => directory.sources,
  };
  const acceptor = createAcceptor({
    log: log.log,
    sources: directory,
    clock,
    telemetry: tellingObserver(told),
    limits: { ...acceptDefaults, ...config },
  });
  const service = createOtlpGrpcIngest({ acceptor, projectId: 1, config: { ...wide, ...config } });
  await service.start();
  const running = service.run(new AbortController().signal);
  const port = service.address()?.port ?? 0;
  const clients: Client[] = [];
  return {
    service,
    running,
    acceptor,
    log,
    clock,
    port,
    told,
    send: async (signal, message, { compression, ...changes } = {}) => {
      const found = clients[compression ?? 0] ?? connect(port, { compression, retries });
      clients[compression ?? 0] = found;
      return call(found, { signal, message }, changes);
    },
    setSources: (changed) => {
      directory.sources = changed;
      directory.version += 1;
    },
    bodies: (topic = 'source.1.shop') =>
      log.records({ topic, partition: 0 }).map(({ value }) => Buffer.from(value).toString()),
    [Symbol.asyncDispose]: async () => {
      for (const client of clients) client?.close();
      await service[Symbol.asyncDispose]();
      await running;
    },
  };
}

const wide: OtlpGrpcConfig = {
  host: '127.0.0.1',
  port: 0,
  maxBodyBytes: 16 * 1024 ** 2,
  requestTimeoutMs: 30_000,
  idleTimeoutMs: 30_000,
  maxConnections: 1000,
  maxConnectionsPerAddress: 1000,
  trustedProxies: [],
};

interface ClientOptions {
  readonly compression: 1 | 2 | undefined;
  /** As clients have them: a call that the server did not take is sent again, whoever made it. */
  readonly retries: 'retries' | 'none';
}

function connect(port: number, { compression, retries }: ClientOptions): Client {
  return new Client(`127.0.0.1:${port}`, credentials.createInsecure(), {
    'grpc.enable_retries': retries === 'none' ? 0 : 1,
    'grpc.use_local_subchannel_pool': 1,
    ...(compression === undefined ? {} : { 'grpc.default_compression_algorithm': compression }),
  });
}

function call(
  client: Client,
  { signal, message }: { readonly signal: Signal; readonly message: Buffer },
  { metadata = {}, path = methods[signal], onCall, ...options }: CallChanges,
): Promise<Told> {
  const asItIs = (bytes: Buffer): Buffer => bytes;
  const sent = new Metadata();
  const all = { authorization: `Bearer ${testSecret}`, 'millrace-source': 'default/shop', ...metadata };
  for (const [name, value] of Object.entries(all)) if (value !== undefined) sent.set(name, value);
  return new Promise((resolve) => {
    const begun = client.makeUnaryRequest(path, asItIs, asItIs, message, sent, options, (error, response) => {
      const [details] = error?.metadata?.get('grpc-status-details-bin') ?? [];
      resolve({
        code: error?.code ?? status.OK,
        details: error?.details ?? '',
        retryAfter: retrySeconds(details),
        response,
      });
    });
    onCall?.(begun);
  });
}
