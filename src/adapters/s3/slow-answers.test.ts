import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openS3ObjectStore } from './object-store.ts';

const waiting = { signal: new AbortController().signal };
const page =
  '<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>b</Name><KeyCount>0</KeyCount><MaxKeys>1000</MaxKeys><IsTruncated>false</IsTruncated></ListBucketResult>';

it('D6: an answer that takes longer than assumed is waited for, though others are quick meanwhile', async () => {
  const server = createServer((request, response) => {
    request.resume();
    const isList = request.url?.includes('list-type=2') === true;
    const answer = (): void => {
      response.writeHead(isList ? 200 : 204, { 'content-type': 'application/xml' }).end(isList ? page : '');
    };
    if (isList) setTimeout(answer, 450);
    else answer();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  await using store = await openS3ObjectStore({
    bucket: 'bucket',
    endpoint: `http://127.0.0.1:${port}`,
    credentials: { accessKeyId: 'x', secretAccessKey: { reveal: () => 'x' } },
    answerTimeoutMs: 300,
  });
  const quick = new AbortController();
  const others = (async () => {
    while (!quick.signal.aborted) {
      await store.delete('a', waiting);
      await sleep(2);
    }
  })();
  try {
    for (let round = 0; round < 5; round += 1) {
      for await (const { name } of store.list('', waiting)) expect.fail(name);
    }
  } finally {
    quick.abort();
    await others;
    server.closeAllConnections();
    server.close();
  }
});
