import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { canRun } from './can-run.ts';
import { madeOnce } from './made-once.ts';

const run = promisify(execFile);
const folder = fileURLToPath(new URL('otlp-python', import.meta.url));
const requirements = join(folder, 'requirements.txt');

/** Why the OpenTelemetry SDK for Python cannot run here; undefined when it can. In CI it throws instead. */
export async function whyNoPythonSdk(): Promise<string | undefined> {
  if (await canRun('python3')) return undefined;
  const reason = 'no OpenTelemetry SDK for Python: there is no python3';
  if (process.env['CI'] !== undefined) throw new Error(reason);
  return reason;
}

/** Folder with the packages of the SDK, fetched once from PyPI by the Python that runs them. */
async function packages(): Promise<string> {
  const version = (await run('python3', ['--version'])).stdout.trim().replaceAll(' ', '-').toLowerCase();
  const pinned = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex')
    .slice(0, 8);
  return madeOnce(`opentelemetry-${version}-${pinned}`, async (work) => {
    const args = ['--quiet', '--no-deps', '--target', join(work, 'packages'), '--requirement', requirements];
    await run('python3', ['-m', 'pip', 'install', ...args]);
    return 'packages';
  });
}

/** Ids of the spans that were sent. */
export interface SentSpans {
  readonly parent: SpanIds;
  readonly child: SpanIds;
}

interface SpanIds {
  readonly trace: string;
  readonly span: string;
}

/** Runs `send.py` with the variables of the SDK; each item has the attribute `run`. */
export async function sendWithPython(name: string, variables: Readonly<Record<string, string>>): Promise<SentSpans> {
  const env = { ...process.env, PYTHONPATH: await packages(), ...variables };
  const { stdout, stderr } = await run('python3', [join(folder, 'send.py'), name], { env });
  if (stderr !== '') throw new Error(`the SDK for Python: ${stderr}`);
  return JSON.parse(stdout) as SentSpans;
}
