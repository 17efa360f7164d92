import { expect, test } from 'vitest';
import { startIngest, testSource, until } from '../../../../test/support/ingest-harness.ts';

function post(path: string, body = 'a'): string {
  return `POST ${path} HTTP/1.1\r\nHost: h\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

test('a connection that is renewed ends with its next answer, and a new one is taken', async () => {
  await using ingest = await startIngest();
  using client = await ingest.connect();
  await client.send(post(ingest.path));
  expect((await client.answer())?.headers.get('connection')).not.toBe('close');
  ingest.service.renew();
  using other = await ingest.connect();
  await client.send(post(ingest.path));
  const last = await client.answer();
  expect([last?.status, last?.headers.get('connection')]).toEqual([200, 'close']);
  await client.closed();
  // It came after the others were renewed.
  for (let requests = 0; requests < 2; requests += 1) {
    await other.send(post(ingest.path));
    expect((await other.answer())?.headers.get('connection')).not.toBe('close');
  }
  expect(ingest.records()).toHaveLength(4);
});

test('a request that is stored while its connection is renewed has its answer', async () => {
  await using ingest = await startIngest();
  ingest.log.hold();
  using client = await ingest.connect();
  await client.send(post(ingest.path));
  await until(() => ingest.records().length === 1);
  ingest.service.renew();
  ingest.log.release();
  const answer = await client.answer();
  expect([answer?.status, answer?.headers.get('connection')]).toEqual([200, 'close']);
  await client.closed();
});

test('a refusal is a last answer, too', async () => {
  await using ingest = await startIngest();
  using client = await ingest.connect();
  await client.send(post(ingest.path));
  await client.answer();
  ingest.service.renew();
  ingest.log.setCondition({ topic: 'source.1.orders', partition: 0 }, 'refusing');
  await client.send(post(ingest.path));
  const answer = await client.answer();
  expect([answer?.status, answer?.headers.get('connection')]).toEqual([503, 'close']);
  await client.closed();
});

test('a refusal before the end of a body is no last answer: who still sends sees it', async () => {
  await using ingest = await startIngest([testSource()], { maxBodyBytes: 1024 });
  using client = await ingest.connect();
  await client.send(post(ingest.path));
  await client.answer();
  ingest.service.renew();
  const chunk = `400\r\n${'x'.repeat(1024)}\r\n`;
  await client.send(`POST ${ingest.path} HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}${chunk}`);
  const refused = await client.answer();
  expect([refused?.status, refused?.headers.get('connection')]).toEqual([413, 'keep-alive']);
  await client.send(`0\r\n\r\n${post(ingest.path)}`);
  const last = await client.answer();
  expect([last?.status, last?.headers.get('connection')]).toEqual([200, 'close']);
  await client.closed();
});

test('a connection whose sender does not wait for answers stays, and all its requests have theirs', async () => {
  await using ingest = await startIngest();
  ingest.log.hold();
  using client = await ingest.connect();
  await client.send(post(ingest.path).repeat(3));
  await until(() => ingest.records().length === 3);
  ingest.service.renew();
  ingest.log.release();
  await client.send(post(ingest.path));
  for (let requests = 0; requests < 4; requests += 1) {
    const answer = await client.answer();
    expect([answer?.status, answer?.headers.get('connection')]).not.toContain('close');
  }
});

test('a connection is renewed as often as it is asked for', async () => {
  await using ingest = await startIngest();
  for (let renewals = 0; renewals < 3; renewals += 1) {
    using client = await ingest.connect();
    await client.send(post(ingest.path));
    await client.answer();
    ingest.service.renew();
    await client.send(post(ingest.path));
    expect((await client.answer())?.headers.get('connection')).toBe('close');
  }
});
