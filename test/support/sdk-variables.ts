import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { guideBlock } from './guide-block.ts';
import type { SdkTarget } from './otlp-sdk.ts';

const run = promisify(execFile);

export type SdkVariables = Readonly<Record<string, string>>;

/**
 * The variables of an SDK as the guide for OpenTelemetry sets them, over HTTP or gRPC: its own lines make them of the address that the
 * source shows. Only the port of gRPC is that of the product that is tested.
 */
export async function sdkVariables({ url, grpc }: SdkTarget, protocol: 'http' | 'grpc'): Promise<SdkVariables> {
  const http = await guideBlock('opentelemetry.md', 'sh', 'url=');
  const overGrpc = await guideBlock(
    'opentelemetry.md',
    'sh',
    'export OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4317',
  );
  const lines = protocol === 'http' ? http : http + overGrpc.replace('http://127.0.0.1:4317', grpc);
  const script = `npx() { echo "url       $SHOWN"; }\n${lines}\nenv`;
  const { stdout } = await run('sh', ['-c', script], { env: { PATH: process.env['PATH'], SHOWN: url } });
  const variables = [...stdout.matchAll(/^(OTEL_\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]);
  return Object.fromEntries(variables) as SdkVariables;
}
