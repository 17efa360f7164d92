import { once } from 'node:events';
import { connect as connectHttp2, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import { afterEach, describe, expect, it } from 'vitest';
import { startOtlpGrpc, type OtlpGrpcHarness } from '../../../../test/support/otlp-grpc-harness.ts';
import { namedRequest } from '../../../../test/support/otlp-messages.ts';
import { testSecret, until } from '../../../../test/support/ingest-harness.ts';
import { methods } from './route.ts';

const message = namedRequest('logs', ['hello']);
const framed = Buffer.concat([Buffer.from([0, 0, 0, 0, message.length]), message]);
const right = {
  ':method': 'POST',
  ':path': methods.logs,
  'content-type': 'application/grpc',
  te: 'trailers',
  authorization: `Bearer ${testSecret}`,
};

const sessions: ClientHttp2Session[] = [];

afterEach(() => {
  for (const session of sessions.splice(0)) session.destroy();
});

/** A connection that leaves so many bytes of room for each answer. */
async function open({ port }: OtlpGrpcHarness, initialWindowSize: number): Promise<ClientHttp2Session> {
  const session = connectHttp2(`http://127.0.0.1:${port}`, { settings: { initialWindowSize } });
  session.on('error', () => undefined);
  sessions.push(session);
  await once(session, 'localSettings');
  return session;
}

function begin(session: ClientHttp2Session, headers: Readonly<Record<string, string>> = {}): ClientHttp2Stream {
  const stream = session.request({ ...right, ...headers });
  stream.on('error', () => undefined);
  return stream;
}

describe('D8: OTLP over gRPC', () => {
  it('an answer that its sender does not read counts in memory, and is not waited for without end', async () => {
    await using grpc = await startOtlpGrpc();
    const session = await open(grpc, 0);
    const streams = Array.from({ length: 100 }, () => begin(session).end(framed));
    const closed = Promise.all(streams.map((stream) => once(stream, 'close')));
    await until(() => grpc.bodies().length === 100 && grpc.service.requests === 0);
    expect(grpc.acceptor.inFlight.bytes).toBeGreaterThan(100 * 8192);
    grpc.clock.time += 9000;
    grpc.clock.wakeAll();
    expect(grpc.told).not.toContain('cut unreadAnswers');
    grpc.clock.time += 2000;
    grpc.clock.wakeAll();
    await closed;
    expect(streams.map(({ rstCode }) => rstCode)).toEqual(streams.map(() => 8));
    await until(() => grpc.acceptor.inFlight.bytes === 0);
    expect(grpc.told.filter((line) => line === 'cut unreadAnswers')).toHaveLength(100);
  });

  it('an answer that was read counts no more', async () => {
    await using grpc = await startOtlpGrpc();
    await grpc.send('logs', message);
    await until(() => grpc.acceptor.inFlight.bytes === 0);
    grpc.clock.time += 11_000;
    grpc.clock.wakeAll();
    expect(await grpc.send('logs', message)).toMatchObject({ code: 0 });
    expect(grpc.told).not.toContain('cut unreadAnswers');
  });

  it.each([
    { what: 'another content type', headers: { 'content-type': 'application/json' } },
    { what: 'a service that there is not', headers: { ':path': '/none/Export' } },
    { what: 'a time that is none', headers: { 'grpc-timeout': 'soon' } },
    { what: 'a time that has passed', headers: { 'grpc-timeout': '20m' } },
    { what: 'no secret', headers: { authorization: 'Bearer wrong' } },
  ])('a call that was answered is over, whether or not its sender ends it: $what', async ({ headers }) => {
    await using grpc = await startOtlpGrpc();
    const session = await open(grpc, 65_535);
    const stream = begin(session, headers).resume();
    stream.write(framed.subarray(0, 3));
    await once(stream, 'close');
    expect(stream.rstCode).toBe(0);
    expect(grpc.acceptor.inFlight.bytes).toBe(0);
  });

  it('a call that was answered is over on connections that are made after a renewal, too', async () => {
    await using grpc = await startOtlpGrpc();
    grpc.service.renew();
    const session = await open(grpc, 65_535);
    const stream = begin(session, { 'grpc-timeout': '20m' }).resume();
    stream.write(framed.subarray(0, 3));
    await once(stream, 'close');
    expect(stream.rstCode).toBe(0);
  });
});
