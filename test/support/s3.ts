import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, HeadBucketCommand } from '@aws-sdk/client-s3';
import { openS3Client } from '../../src/adapters/s3/client.ts';
import type { S3ObjectStoreOptions } from '../../src/adapters/s3/config.ts';
import { Secret } from '../../src/config/secrets.ts';
import { eventually } from './eventually.ts';
import { lastingPort } from './free-port.ts';
import { builtProgram, canHave, type GoProgram } from './go-program.ts';
import type { Nowhere } from './kafka.ts';
import { startServerProcess, type ServerProcess } from './server-process.ts';

export const versitygw: GoProgram = {
  name: 'versitygw',
  module: 'github.com/versity/versitygw/cmd/versitygw',
  version: 'v1.8.0',
};
const readyMs = 120_000;

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
  if (await canHave(versitygw)) return { kind: 'started' };
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

/** One that this process has started and may kill. */
export interface StartedS3 extends S3ForTests {
  /** kill -9. Resolves when it is gone. */
  kill(): Promise<void>;
  /** Starts it again under the same address after `kill`. */
  start(): Promise<void>;
}

/** A server on a free port and a temporary folder, with the bucket `millrace`; it ends with this process. */
export async function startS3(): Promise<StartedS3> {
  const program = await builtProgram(versitygw);
  const folder = await mkdtemp(join(tmpdir(), 'millrace-s3-'));
  const [objects, metadata] = [join(folder, 'objects'), join(folder, 'metadata')];
  await Promise.all([mkdir(objects), mkdir(metadata)]);
  const address = `127.0.0.1:${await lastingPort()}`;
  const secret = randomBytes(16).toString('hex');
  const options = optionsOf(new URL(`http://millrace:${secret}@${address}/millrace`));
  const command = [program, '--port', address, '--quiet', 'posix', '--sidecar', metadata, objects];
  const env = { ...process.env, ROOT_ACCESS_KEY: 'millrace', ROOT_SECRET_KEY: secret };
  const startServer = async (): Promise<ServerProcess> => {
    const started = await startServerProcess({ name: 'the S3 server', command, env });
    try {
      await makeBucket(options, () => started.said());
      return started;
    } catch (thrown) {
      await started.kill();
      throw thrown;
    }
  };
  let server: ServerProcess;
  const clear = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    server = await startServer();
  } catch (thrown) {
    await clear();
    throw thrown;
  }
  return {
    options,
    kill: () => server.kill(),
    start: async () => {
      server = await startServer();
    },
    [Symbol.asyncDispose]: async () => {
      await server.kill();
      await clear();
    },
  };
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
