import { S3Client } from '@aws-sdk/client-s3';
import { readFile } from 'node:fs/promises';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { rootCertificates } from 'node:tls';
import { messageOf, MillraceError } from '../../core/millrace-error.ts';
import type { S3Credentials, S3ObjectStoreOptions } from './config.ts';
import { LimitedTries } from './limited-tries.ts';

/**
 * The driver, set up; it connects at the first request. An unreadable CA file and a missing region are
 * `config.invalid`.
 */
export async function openS3Client(options: S3ObjectStoreOptions): Promise<S3Client> {
  const { endpoint, credentials, checksums } = options;
  const region = options.region ?? (endpoint === undefined ? undefined : 'us-east-1');
  const checked = checksums === 'whenSupported' ? 'WHEN_SUPPORTED' : 'WHEN_REQUIRED';
  const client = new S3Client({
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(region === undefined ? {} : { region }),
    ...(credentials === undefined ? {} : { credentials: revealed(credentials) }),
    forcePathStyle: options.pathStyle ?? endpoint !== undefined,
    maxAttempts: options.attempts ?? 3,
    requestChecksumCalculation: checked,
    responseChecksumValidation: checked,
    // The SDK opens a connection without our authorities for a request that expects "100 Continue".
    expectContinueHeader: false,
    requestHandler: await connections(options),
    logger: silent,
  });
  await client.config.region().catch((thrown: unknown) => {
    const text = 'the bucket has no region: say it in the configuration, in AWS_REGION or in a profile of the AWS SDK';
    throw new MillraceError('config.invalid', text, { cause: thrown });
  });
  return client;
}

async function connections(options: S3ObjectStoreOptions): Promise<LimitedTries> {
  const pool = { keepAlive: true };
  return new LimitedTries({
    assumedMs: options.answerTimeoutMs,
    connectionTimeout: options.connectTimeoutMs ?? 3000,
    socketTimeout: options.idleTimeoutMs ?? 30_000,
    httpAgent: new HttpAgent(pool),
    httpsAgent: new HttpsAgent({ ...pool, ...(await trusted(options.caFile)) }),
    logger: silent,
  });
}

async function trusted(caFile: string | undefined): Promise<{ readonly ca?: string[] }> {
  if (caFile === undefined) return {};
  try {
    return { ca: [...rootCertificates, await readFile(caFile, 'utf8')] };
  } catch (thrown) {
    const reason = messageOf(thrown);
    throw new MillraceError('config.invalid', `cannot read the CA file "${caFile}" of the bucket: ${reason}`, {
      cause: thrown,
    });
  }
}

function revealed({ accessKeyId, secretAccessKey, sessionToken }: S3Credentials) {
  const token = sessionToken === undefined ? {} : { sessionToken: sessionToken.reveal() };
  return { accessKeyId, secretAccessKey: secretAccessKey.reveal(), ...token };
}

/** What goes wrong comes back as an error; the driver prints nothing. */
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
