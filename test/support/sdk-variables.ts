import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { SdkTarget } from './otlp-sdk.ts';

const run = promisify(execFile);

/** The variables of an SDK as the guide for OpenTelemetry sets them; its own lines make them of the address that the source shows. */
export async function sdkVariables({ url }: SdkTarget): Promise<Readonly<Record<string, string>>> {
  const page = await readFile(new URL('../../docs/guides/opentelemetry.md', import.meta.url), 'utf8');
  const lines = /^```sh\n(url=.*?)^```$/ms.exec(page)?.[1];
  if (lines === undefined) throw new Error('the guide for OpenTelemetry sets no variables of an SDK');
  const script = `npx() { echo "url       $SHOWN"; }\n${lines}\nenv`;
  const { stdout } = await run('sh', ['-c', script], { env: { PATH: process.env['PATH'], SHOWN: url } });
  const variables = [...stdout.matchAll(/^(OTEL_\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]);
  return Object.fromEntries(variables) as Readonly<Record<string, string>>;
}
