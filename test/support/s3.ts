import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CreateBucketCommand, HeadBucketCommand } from '@aws-sdk/client-s3';
import { openS3Client } from '../../src/adapters/s3/client.ts';
import type { S3ObjectStoreOptions } from '../../src/adapters/s3/config.ts';
import { Secret } from '../../src/config/secrets.ts';
import { eventually } from './eventually.ts';
import { onlyOne } from './only-one.ts';
import { freePort } from './free-port.ts';
import type { Nowhere } from './kafka.ts';

const run = promisify(execFile);

const versitygw = { module: 'github.com/versity/versitygw/cmd/versitygw', version: 'v1.8.0' };
const readyMs = 60_000;

/** How long the first start of a server may take on a slow machine: it is built from source. */
export const buildMs = 900_000;

/** An S3 server for a suite, with a bucket that exists; suites keep apart by key prefixes. */
export interface S3ForTests extends AsyncDisposable {
  readonly options: S3ObjectStoreOptions & { readonly endpoint: string };
}

/**
 * Where the suites find their S3: at the URL that MILLRACE_TEST_S3 gives (`http://KEY:SECRET@host:port/bucket`, with
 * `?region=` where it is not us-east-1); else at one that `startS3` brings up, for which go is needed; else nowhere, with
 * the reason.
 */
export async function whereIsS3(): Promise<
  { readonly kind: 'given'; readonly url: URL } | { readonly kind: 'started' } | Nowhere
> {
  const url = process.env['MILLRACE_TEST_S3'];
  if (url !== undefined && url !== '') return { kind: 'given', url: new URL(url) };
  if (await isThere(programPath())) return { kind: 'started' };
  const hasGo = await run('go', ['version']).then(
    () => true,
    () => false,
  );
  if (hasGo) return { kind: 'started' };
  return { kind: 'nowhere', reason: 'no S3: MILLRACE_TEST_S3 is not set and there is no go' };
}

/** The S3 of `whereIsS3`; disposing it takes down what was brought up for it. */
export async function openS3ForTests(): Promise<S3ForTests> {
  const place = await whereIsS3();
  switch (place.kind) {
    case 'given':
      return { options: optionsOf(place.url), [Symbol.asyncDispose]: async () => {} };
    case 'started':
      return startS3();
    case 'nowhere':
      throw new Error(place.reason);
    default:
      return place satisfies never;
  }
}

function optionsOf(url: URL): S3ForTests['options'] {
  const secret = new Secret(decodeURIComponent(url.password));
  return {
    endpoint: url.origin,
    region: url.searchParams.get('region') ?? 'us-east-1',
    bucket: url.pathname.slice(1),
    credentials: { accessKeyId: decodeURIComponent(url.username), secretAccessKey: secret },
  };
}

/** A server on a free port and a temporary folder, with the bucket `millrace`; it ends with this process. */
export async function startS3(): Promise<S3ForTests> {
  const program = await builtProgram();
  const folder = await mkdtemp(join(tmpdir(), 'millrace-s3-'));
  const [objects, metadata] = [join(folder, 'objects'), join(folder, 'metadata')];
  await Promise.all([mkdir(objects), mkdir(metadata)]);
  const address = `127.0.0.1:${await freePort()}`;
  const secret = randomBytes(16).toString('hex');
  const options = optionsOf(new URL(`http://millrace:${secret}@${address}/millrace`));
  const command = [program, '--port', address, '--quiet', 'posix', '--sidecar', metadata, objects];
  const env = { ...process.env, ROOT_ACCESS_KEY: 'millrace', ROOT_SECRET_KEY: secret };
  // The shell ends the server when its standard input closes: also when this process is killed.
  const script = '"$@" </dev/null & server=$!; (cat >/dev/null; kill -9 $server) <&3 & wait $server';
  const child = spawn('sh', ['-c', `exec 3<&0; ${script}`, 'sh', ...command], { env, stdio: ['pipe', 'pipe', 'pipe'] });
  const said = outputOf(child);
  const ended = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.stdin?.end();
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await makeBucket(options, said);
  } catch (thrown) {
    await stop();
    throw thrown;
  }
  return { options, [Symbol.asyncDispose]: stop };
}

function outputOf(child: ChildProcess): () => string {
  let said = '';
  const take = (chunk: Buffer): void => {
    said = (said + String(chunk)).slice(-4000);
  };
  child.stdout?.on('data', take);
  child.stderr?.on('data', take);
  child.once('exit', (code) => (said += `\nthe server ended with ${code}`));
  return () => said;
}

async function makeBucket(options: S3ObjectStoreOptions, said: () => string): Promise<void> {
  const client = await openS3Client(options);
  const bucket = { Bucket: options.bucket };
  try {
    await eventually(
      async () => {
        await client.send(new CreateBucketCommand(bucket)).catch(() => client.send(new HeadBucketCommand(bucket)));
      },
      { withinMs: readyMs },
    );
  } catch (thrown) {
    throw new Error(`the S3 server is not ready: ${said()}`, { cause: thrown });
  } finally {
    client.destroy();
  }
}

/** In a cache of the user, outside the checkout. */
function cacheFolder(): string {
  return join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'millrace');
}

function programPath(): string {
  return join(cacheFolder(), `versitygw-${versitygw.version}`);
}

/** The server's program, built once by go; others who want it meanwhile wait. */
async function builtProgram(): Promise<string> {
  const program = programPath();
  if (await isThere(program)) return program;
  await mkdir(cacheFolder(), { recursive: true });
  await using _lock = await onlyOne(`${program}.lock`, { withinMs: buildMs });
  if (await isThere(program)) return program;
  const work = await mkdtemp(join(cacheFolder(), 'building-'));
  try {
    const env = { ...process.env, GOBIN: work };
    await run('go', ['install', `${versitygw.module}@${versitygw.version}`], { env });
    await rename(join(work, 'versitygw'), program);
    return program;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
