import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { builtProgram, canHave, type GoProgram } from './go-program.ts';
import { guideBlock } from './guide-block.ts';
import type { SdkTarget } from './otlp-sdk.ts';
import { sdkVariables } from './sdk-variables.ts';

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

/**
 * Runs the generator of the Collector's authors by the command of the guide for that transport, as fast as it goes, with these arguments
 * besides; rejects when an export failed. Only the port of gRPC is that of the product that is tested.
 */
export async function generate({ signal, transport, target }: Run, args: readonly string[]): Promise<void> {
  const found = (await commandsOfGuide(target)).find(
    ([first, ...rest]) => first === signal && rest.includes('--otlp-http') === (transport === 'HTTP'),
  );
  if (found === undefined) throw new Error(`the guide has no telemetrygen ${signal} over ${transport}`);
  const env = { ...process.env, ...(await sdkVariables(target, 'http')) };
  await run(await builtTelemetrygen(), [...found, '--rate=0', ...args], { env });
}

/** The arguments of each telemetrygen that the guide for OpenTelemetry runs, as a shell makes them. */
async function commandsOfGuide({ url, grpc }: SdkTarget): Promise<readonly (readonly string[])[]> {
  const lines = await guideBlock('opentelemetry.md', 'shell', 'host=');
  const script = `telemetrygen() { printf '%s\\0' "$@"; printf '\\0'; }
${lines.replace('127.0.0.1:4317', new URL(grpc).host)}`;
  const { stdout } = await run('sh', ['-c', script], { env: { PATH: process.env['PATH'], url } });
  const commands = stdout.split('\0\0').map((command) => command.split('\0'));
  return commands.slice(0, -1);
}
