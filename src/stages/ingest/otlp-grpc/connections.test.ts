import { once } from 'node:events';
import { connect } from 'node:net';
import { status } from '@grpc/grpc-js';
import { describe, expect, it } from 'vitest';
import { ack, endHeaders, endStream, frame, headerBlock, types } from '../../../../test/support/http2-frames.ts';
import { testSecret, until } from '../../../../test/support/ingest-harness.ts';
import { otlpSource, startOtlpGrpc, type OtlpGrpcHarness } from '../../../../test/support/otlp-grpc-harness.ts';
import { namedRequest } from '../../../../test/support/otlp-messages.ts';
import { RawHttp2 } from '../../../../test/support/raw-http2.ts';
import { methods } from './route.ts';

const message = namedRequest('logs', ['hello']);
const framed = Buffer.concat([Buffer.from([0, 0, 0, 0, message.length]), message]);

/** What begins a call that is taken. */
function call(stream: number): Buffer {
  const payload = headerBlock({
    ':method': 'POST',
    ':scheme': 'http',
    ':path': methods.logs,
    ':authority': 'millrace',
    'content-type': 'application/grpc',
    te: 'trailers',
    authorization: `Bearer ${testSecret}`,
  });
  return frame(types.headers, { stream, flags: endHeaders, payload });
}

/** A peer with a call that is taken, and whose message does not come. */
async function beginCall(grpc: OtlpGrpcHarness): Promise<RawHttp2> {
  const peer = await RawHttp2.connect(grpc.port);
  peer.write(call(1));
  await until(() => grpc.service.requests === 1);
  return peer;
}

describe('D8: a connection of OTLP over gRPC', () => {
  it('is closed when its peer does not answer a ping, whatever calls it has', { timeout: 25_000 }, async () => {
    await using grpc = await startOtlpGrpc(undefined, { idleTimeoutMs: 1000 });
    using peer = await beginCall(grpc);
    expect(await peer.next(types.ping)).toMatchObject({ stream: 0, payload: { length: 8 } });
    // No second one: the connection ends.
    expect(await peer.next(types.ping)).toBeUndefined();
    await until(() => grpc.acceptor.inFlight.bytes === 0);
    expect(grpc.told).toEqual(['cut clientClosed']);
  });

  it('stays when its peer answers pings, however long a call takes', async () => {
    await using grpc = await startOtlpGrpc(undefined, { idleTimeoutMs: 2500 });
    using peer = await beginCall(grpc);
    for (let pings = 0; pings < 2; pings += 1) {
      const { payload } = (await peer.next(types.ping)) ?? { payload: Buffer.of() };
      expect(payload).toHaveLength(8);
      peer.send(types.ping, { flags: ack, payload });
    }
    peer.send(types.data, { stream: 1, flags: endStream, payload: framed });
    expect((await peer.next(types.data))?.stream).toBe(1);
    expect(grpc.bodies()).toHaveLength(1);
  });

  it('has a hundred calls at a time, and ends with all of them when it begins more', { timeout: 25_000 }, async () => {
    await using grpc = await startOtlpGrpc();
    using peer = await RawHttp2.connect(grpc.port);
    const calls = Array.from({ length: 101 }, (_, at) => call(2 * at + 1));
    peer.write(...calls.slice(0, 100));
    await until(() => grpc.service.requests === 100);
    peer.write(...calls.slice(100));
    expect(await peer.next(types.goaway)).toBeDefined();
    expect(await peer.next(types.goaway)).toBeUndefined();
    await until(() => grpc.acceptor.inFlight.bytes === 0);
    expect(new Set(grpc.told)).toEqual(new Set(['cut clientClosed']));
  });

  it('of bytes that are no HTTP/2 ends, and nothing else', async () => {
    await using grpc = await startOtlpGrpc();
    const inputs = [
      Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n'),
      Buffer.alloc(100_000, 0xff),
      Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n' + '\xff'.repeat(100), 'latin1'),
    ];
    for (const bytes of inputs) {
      const socket = connect(grpc.port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.resume();
      socket.write(bytes);
      await once(socket, 'close');
    }
    expect(await grpc.send('logs', message)).toMatchObject({ code: status.OK });
    await until(() => grpc.acceptor.inFlight.bytes === 0);
    expect([grpc.bodies().length, grpc.acceptor.inFlight.bytes]).toEqual([1, 0]);
  });

  it('is one of as many as its address may have, and it is told', async () => {
    await using grpc = await startOtlpGrpc([otlpSource()], { maxConnectionsPerAddress: 1 });
    expect(await grpc.send('logs', message)).toMatchObject({ code: status.OK });
    const socket = connect(grpc.port, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'close');
    expect(grpc.told.slice(-2)).toEqual(['cut addressLimit', 'crowded addressLimit 1']);
  });
});

describe('a connection of OTLP over gRPC that is renewed', () => {
  it('is told to go away, and its calls have their answers', async () => {
    await using grpc = await startOtlpGrpc();
    using peer = await beginCall(grpc);
    grpc.service.renew();
    expect(await peer.next(types.goaway)).toMatchObject({ stream: 0 });
    peer.send(types.data, { stream: 1, flags: endStream, payload: framed });
    expect((await peer.next(types.data))?.stream).toBe(1);
    expect(grpc.bodies()).toHaveLength(1);
  });

  it('is followed by a new one, on which calls end as on the first, however often', async () => {
    await using grpc = await startOtlpGrpc();
    for (let renewals = 0; renewals < 3; renewals += 1) {
      using peer = await beginCall(grpc);
      peer.send(types.data, { stream: 1, flags: endStream, payload: framed });
      expect((await peer.next(types.data))?.stream).toBe(1);
      await until(() => grpc.service.requests === 0);
      grpc.service.renew();
      expect(await peer.next(types.goaway)).toMatchObject({ stream: 0 });
    }
    expect(grpc.bodies()).toHaveLength(3);
  });

  it('loses no call of a client that goes on, and takes none twice', async () => {
    await using grpc = await startOtlpGrpc(undefined, {}, 'retries');
    const codes: number[] = [];
    const ending = new AbortController();
    const lanes = Array.from({ length: 8 }, async () => {
      while (!ending.signal.aborted) codes.push((await grpc.send('logs', message)).code);
    });
    for (let renewals = 0; renewals < 10; renewals += 1) {
      const before = codes.length;
      await until(() => codes.length > before + 20);
      grpc.service.renew();
    }
    ending.abort();
    await Promise.all(lanes);
    expect(new Set(codes)).toEqual(new Set([status.OK]));
    expect(grpc.bodies()).toHaveLength(codes.length);
  });
});
