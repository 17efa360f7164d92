/** The drivers alone, in a process of their own as a role is: does what it is told, one thing at a time. */
import { openS3Client } from '../../../src/adapters/s3/client.ts';
import { Secret } from '../../../src/config/secrets.ts';
import type { RawRequest } from './raw-side.ts';
import { rawImport, rawMap, rawStage, type RawWork } from './raw-clients.ts';

async function work(request: RawRequest): Promise<RawWork> {
  if (request.kind === 'map') return await rawMap(request);
  const { endpoint, region, bucket, accessKeyId, secretAccessKey } = request.s3;
  const credentials = { accessKeyId, secretAccessKey: new Secret(secretAccessKey) };
  const client = await openS3Client({ endpoint, region, bucket, credentials });
  try {
    return await (request.kind === 'stage'
      ? rawStage(request, { client, bucket })
      : rawImport(request, { client, bucket }));
  } finally {
    client.destroy();
  }
}

async function answer(request: RawRequest): Promise<void> {
  const done = await work(request);
  process.send?.(done);
}

process.on('message', (request: RawRequest) => void answer(request));
process.send?.('ready');
