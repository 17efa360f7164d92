import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { builtProgram, canHave, type GoProgram } from './go-program.ts';
import type { SdkTarget } from './otlp-sdk.ts';

const run = promisify(execFile);

const program: GoProgram = {
  name: 'telemetrygen',
  module: 'github.com/open-telemetry/opentelemetry-collector-contrib/cmd/telemetrygen',
  version: 'v0.161.0',
};

/** The transports of telemetrygen; HTTP is that of protobuf. */
export const generatorTransports = ['HTTP', 'gRPC'] as const;
export type GeneratorTransport = (typeof generatorTransports)[number];

/** Why there is no telemetrygen here; undefined when there is. In CI it throws instead. */
export async function whyNoTelemetrygen(): Promise<string | undefined> {
  if (await canHave(program)) return undefined;
  const reason = 'no telemetrygen: there is no go to build it';
  if (process.env['CI'] !== undefined) throw new Error(reason);
  return reason;
}

/** Builds it, which takes a while the first time. */
export const builtTelemetrygen = (): Promise<string> => builtProgram(program);

/** What is sent, and to where. */
interface Run {
  readonly signal: 'logs' | 'metrics' | 'traces';
  readonly transport: GeneratorTransport;
  readonly target: SdkTarget;
}

/** Runs the generator of the Collector's authors, compressed, as fast as it goes; rejects when an export failed. */
export async function generate({ signal, transport, target }: Run, args: readonly string[]): Promise<void> {
  const to = new URL(transport === 'HTTP' ? target.url : target.grpc);
  const way =
    transport === 'HTTP'
      ? ['--otlp-http', `--otlp-http-url-path=${to.pathname}/v1/${signal}`]
      : [`--otlp-header=authorization="Bearer ${target.secret}"`];
  const common = ['--otlp-insecure', `--otlp-endpoint=${to.host}`, '--rate=0', ...way];
  const env = { ...process.env, OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip' };
  await run(await builtTelemetrygen(), [signal, ...common, ...args], { env });
}
