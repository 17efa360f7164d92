import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Secret } from '../../config/secrets.ts';
import type { Finding } from '../../core/finding.ts';
import { checkBucket } from './check-bucket.ts';

const now = Date.parse('2026-03-02T00:00:00Z');

/** What a store says to one request, by method and the names of its query; others are answered 200 without a body. */
type Answers = Readonly<Record<string, { readonly status?: number; readonly body?: string }>>;

/** A store as old servers are: it takes everything, and knows neither conditions nor metadata. */
const forgetful: Answers = {
  'POST uploads': { body: '<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>' },
  'POST uploadId': { body: '<CompleteMultipartUploadResult><ETag>1</ETag></CompleteMultipartUploadResult>' },
  'GET list-type': { body: '<ListBucketResult><KeyCount>0</KeyCount></ListBucketResult>' },
  'GET uploads': {
    body:
      '<ListMultipartUploadsResult><Upload><Key>a</Key><UploadId>1</UploadId>' +
      '<Initiated>2026-02-28T00:00:00Z</Initiated></Upload></ListMultipartUploadsResult>',
  },
};
const denied = { status: 403, body: '<Error><Code>AccessDenied</Code><Message>Access Denied.</Message></Error>' };

describe('checkBucket', () => {
  let answers: Answers;
  let aheadMs: number;
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    request.resume().on('end', () => {
      const { method = '', url = '' } = request;
      const query = new URL(url, 'http://store').searchParams;
      const known = ['list-type', 'uploads', 'uploadId', 'partNumber'].find((name) => query.has(name));
      const { status = 200, body = '' } = answers[known === undefined ? method : `${method} ${known}`] ?? {};
      const date = new Date(Date.now() + aheadMs).toUTCString();
      response.writeHead(status, { etag: '"1"', date }).end(body);
    });
  });
  beforeEach(async () => {
    aheadMs = 0;
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  const check = async (said: Answers): Promise<readonly Finding[]> => {
    answers = said;
    const credentials = { accessKeyId: 'k', secretAccessKey: new Secret('s') };
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return checkBucket({ bucket: 'probed', endpoint, credentials }, { signal: new AbortController().signal, now });
  };
  const problems = (findings: readonly Finding[]) =>
    findings.filter(({ kind }) => kind !== 'good').map(({ about, text }) => `${about}: ${text}`);

  it('finds that a store knows no conditions, keeps no metadata, and what was left behind', async () => {
    expect(problems(await check(forgetful))).toEqual([
      expect.stringMatching(
        /^conditionalPut: A put under a name that is taken replaces the object: .*If-None-Match\.$/,
      ),
      expect.stringMatching(/^conditionalParts: An upload in parts under a name that is taken replaces the object/),
      expect.stringMatching(/^metadata: The store does not keep the metadata of objects/),
      expect.stringMatching(/^leftovers: 1 uploads in parts are older than a day .* lifecycle rule/),
    ]);
  });

  it('goes on where listing is forbidden, and names each right that is missing', async () => {
    const rights = /give these credentials the rights to list, read, write and delete in the bucket\.$/;
    expect(
      problems(await check({ ...forgetful, 'GET list-type': denied, PUT: denied, 'GET uploads': denied })),
    ).toEqual([
      expect.stringMatching(/^list: Cannot list the bucket "probed": AccessDenied/),
      expect.stringMatching(/^write: Cannot write an object: AccessDenied/),
      expect.stringMatching(rights),
    ]);
  });

  it('says that the probe stays where nothing may be deleted', async () => {
    const findings = problems(await check({ ...forgetful, DELETE: denied }));
    expect(findings).toContainEqual(expect.stringMatching(/^delete: .*AccessDenied.*"\.millrace-check-.*" stays in/));
  });

  it('says by how much the clock of this machine is off', async () => {
    aheadMs = 3_600_000;
    const findings = problems(await check(forgetful));
    expect(findings).toContainEqual(expect.stringMatching(/^clock: The clock of this machine is 3\d\d\d s behind/));
  });
});
